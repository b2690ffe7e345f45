import { describe, expect, test } from "vitest";
import { ticketNumber, type TicketNumber } from "../../../src/core/ids.ts";
import { Batons } from "../../../src/core/lobby/batons.ts";
import { NEXT_VALID_MS } from "../../../src/core/room/commands.ts";
import { instant } from "../../../src/core/time.ts";

const LOCAL = 1_000;
const NOW = instant(50_000);
const numbers = (...all: readonly number[]): TicketNumber[] => all.map((one) => ticketNumber(one));
const everybody = (): boolean => true;
const nobody = (): boolean => false;
const visitOf = (number: number, leaseMs = 60_000) => ({
  visit: ticketNumber(number),
  epoch: 3,
  leaseUntil: instant(NOW + leaseMs),
  passUntil: instant(NOW + leaseMs),
  endsAt: null,
  provisional: false,
});

/** It holds the permit of visit 1, and these are next. */
const holding = (next: readonly TicketNumber[], leaseMs = 60_000): Batons => {
  const batons = new Batons();
  batons.told(visitOf(1, leaseMs));
  batons.named(next, LOCAL);
  return batons;
};
const pass = (
  batons: Batons,
  from: number,
  stands: (number: TicketNumber) => boolean = everybody,
): TicketNumber | null => {
  const baton = batons.pass(ticketNumber(from), stands, nobody, NOW, LOCAL);
  return baton === null ? null : baton.to;
};

describe("whom a lobby passes a permit to", () => {
  test("[LENT-1] the head of the line as it was named, one after the other", () => {
    const batons = holding(numbers(4, 5));
    expect([pass(batons, 1), pass(batons, 4), pass(batons, 5)]).toEqual([4, 5, null]);
  });

  test("[LENT-1] it passes over numbers that do not stand there", () => {
    expect(pass(holding(numbers(4, 5)), 1, (number) => number === 5)).toBe(5);
    const nowhere = holding(numbers(4, 5)).pass(ticketNumber(1), nobody, nobody, NOW, LOCAL);
    expect(nowhere).toBeNull();
  });

  test("[LENT-5] nobody twice, also where it is named again", () => {
    const batons = holding(numbers(4, 5));
    expect(pass(batons, 1)).toBe(4);
    batons.named(numbers(4, 5, 6), LOCAL);
    expect(pass(batons, 4)).toBe(5);
    expect([4, 5, 6].map((number) => batons.wasPassed(ticketNumber(number)))).toEqual([
      true,
      true,
      false,
    ]);
  });

  test("[LENT-5] no permit that it does not hold, and none a second time", () => {
    const batons = holding(numbers(4, 5));
    expect(pass(batons, 9)).toBeNull();
    expect(pass(batons, 1)).toBe(4);
    expect(pass(batons, 1)).toBeNull();
  });

  test("[LENT-6] nobody while a number that came back may stand before the head", () => {
    const batons = holding(numbers(4));
    expect(batons.pass(ticketNumber(1), everybody, everybody, NOW, LOCAL)).toBeNull();
  });

  test("[LENT-7] the next visit has the permit's lease, and asks for its own soon", () => {
    const baton = holding(numbers(4)).pass(ticketNumber(1), everybody, nobody, NOW, LOCAL);
    expect(baton?.visit).toEqual({
      ...visitOf(4),
      ...{ passUntil: NOW, leaseUntil: NOW + 4_000, heldUntil: NOW + 60_000 },
    });
    const short = holding(numbers(4), 2_000).pass(ticketNumber(1), everybody, nobody, NOW, LOCAL);
    expect(short?.visit.leaseUntil).toBe(NOW + 2_000);
  });
});

describe("which numbers are plenty", () => {
  test.each([
    [8, 0, true],
    [7, 0, false],
    [16, 8, true],
    [16, 9, false],
    [18, 9, true],
    [18, 10, false],
  ])("[LENT-1] of %i named %i are used: %s", (named, used, isPlenty) => {
    const next = numbers(...Array.from({ length: named }, (_, at) => at + 2));
    const batons = holding(next);
    for (let from = 1; from <= used; from += 1) expect(pass(batons, from)).toBe(from + 1);
    expect(batons.hasPlenty(LOCAL)).toBe(isPlenty);
  });

  test("[LENT-1] none once their time is over", () => {
    const batons = holding(numbers(2, 3, 4, 5, 6, 7, 8, 9));
    expect(batons.hasPlenty(LOCAL + NEXT_VALID_MS - 1)).toBe(true);
    expect(batons.hasPlenty(LOCAL + NEXT_VALID_MS)).toBe(false);
    expect(batons.hasPlenty(LOCAL - 1)).toBe(false);
  });
});

describe("what an isolate has passed on", () => {
  test("[LENT-10] the permit is the next one's, who is not let in again", () => {
    const batons = holding(numbers(4, 5));
    batons.took(ticketNumber(1), ticketNumber(4), NOW);
    expect([batons.knows(ticketNumber(1)), batons.knows(ticketNumber(4))]).toEqual([false, true]);
    expect(pass(batons, 4)).toBe(5);
  });

  test("[LENT-5] who has a permit of the lobby's by then keeps it", () => {
    const batons = holding(numbers(4, 5));
    batons.told(visitOf(4, 30_000));
    batons.took(ticketNumber(1), ticketNumber(4), NOW);
    const baton = batons.pass(ticketNumber(4), everybody, nobody, NOW, LOCAL);
    expect(baton?.visit.heldUntil).toBe(NOW + 30_000);
  });

  test("[LENT-10] of a permit that nobody knows nothing is kept but who had it", () => {
    const batons = holding(numbers(4, 5));
    batons.took(ticketNumber(9), ticketNumber(4), NOW);
    expect([batons.knows(ticketNumber(4)), batons.wasPassed(ticketNumber(4))]).toEqual([
      false,
      true,
    ]);
  });
});
