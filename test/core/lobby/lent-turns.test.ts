import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { Batons } from "../../../src/core/lobby/batons.ts";
import { LentLine } from "../../../src/core/lobby/lent-turns.ts";
import { instant } from "../../../src/core/time.ts";

const turn = (number: number) => ({ wait: `wait ${number}`, number: ticketNumber(number) });
const lent = (numbers: readonly number[], forMs = 100) => ({ turns: numbers.map(turn), forMs });
const everybody = () => true;
const nextOf = (line: LentLine, now: number, waits: (wait: string) => boolean = everybody) =>
  line.next(waits, now)?.number ?? null;

describe("what an isolate was lent", () => {
  test("[LENT-8] the first that still waits there", () => {
    const line = new LentLine();
    line.told(1, lent([4, 5, 6]), 1_000);
    expect(nextOf(line, 1_000)).toBe(4);
    expect(nextOf(line, 1_000, (wait) => wait !== "wait 4")).toBe(5);
    expect(nextOf(line, 1_000, () => false)).toBeNull();
  });

  test.each([
    [999, null],
    [1_000, 4],
    [1_099, 4],
    [1_100, null],
  ])("[LENT-9] asked at 1,000 for 100 ms: at %i it is %s", (now, number) => {
    const line = new LentLine();
    line.told(1, lent([4]), 1_000);
    expect(nextOf(line, now)).toBe(number);
  });

  test("[LENT-9] the latest answer replaces what was lent before", () => {
    const line = new LentLine();
    line.told(1, lent([4]), 1_000);
    line.told(2, lent([7]), 1_010);
    expect(nextOf(line, 1_020)).toBe(7);
    line.told(3, null, 1_020);
    expect(nextOf(line, 1_020)).toBeNull();
  });

  test("[LENT-9] nothing while an earlier answer is on its way, nor when it comes", () => {
    const line = new LentLine();
    line.told(1, lent([4]), 1_000);
    line.told(3, lent([7]), 1_010);
    expect(nextOf(line, 1_020)).toBeNull();
    line.told(2, lent([6]), 1_005);
    expect(nextOf(line, 1_020)).toBeNull();
    line.told(4, lent([8]), 1_015);
    expect(nextOf(line, 1_020)).toBe(8);
  });

  test("[LENT-9] nothing once the lobby has failed, and its next life counts anew", () => {
    const line = new LentLine();
    line.told(1, lent([4]), 1_000);
    line.forget();
    expect(nextOf(line, 1_000)).toBeNull();
    line.told(1, lent([5]), 1_010);
    expect(nextOf(line, 1_010)).toBe(5);
  });
});

describe("what a lobby lends", () => {
  const NOW = instant(1_000_000);
  const batonsOf = (numbers: readonly number[]) => {
    const batons = new Batons();
    batons.named(numbers.map(ticketNumber), 1_000);
    return batons;
  };

  test("[LENT-8] the head as far as it waits in that isolate, without those that have left", () => {
    const waits = new Map([2, 4, 5, 7].map((number) => [number, `wait ${number}`]));
    const waitOf = (number: number) => (number === 6 ? null : waits.get(number));
    expect(batonsOf([2, 3, 4, 5, 6, 7]).lend(waitOf, 1_050)).toEqual(lent([2, 4, 5], 150));
    expect(batonsOf([6, 7]).lend(waitOf, 1_050)).toBeNull();
  });

  test("[LENT-8] at most 64, for as long as the Room has named them", () => {
    const batons = batonsOf(Array.from({ length: 128 }, (_, at) => at + 1));
    expect(batons.lend((number) => `wait ${number}`, 1_199)).toMatchObject({ forMs: 1 });
    expect(batons.lend((number) => `wait ${number}`, 1_199)?.turns).toHaveLength(64);
    expect(batons.lend((number) => `wait ${number}`, 1_200)).toBeNull();
  });

  test("[LENT-8] nobody to whom a permit was passed already", () => {
    const batons = batonsOf([2, 3]);
    batons.took(ticketNumber(1), ticketNumber(2), NOW);
    expect(batons.lend((number) => `wait ${number}`, 1_000)).toEqual(lent([3], 200));
    expect(batons.wasPassed(ticketNumber(2))).toBe(true);
  });
});
