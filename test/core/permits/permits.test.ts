import { describe, expect, test } from "vitest";
import { lobbyIndex, slotIndex, ticketNumber } from "../../../src/core/ids.ts";
import { dueAt, type CalledPermit, type HeldPermit } from "../../../src/core/permits/permit.ts";
import { Permits } from "../../../src/core/permits/permits.ts";
import { instant } from "../../../src/core/time.ts";

const lobby = lobbyIndex(0);
const called = (number: number, claimBy = 100): CalledPermit => ({
  state: "called",
  number: ticketNumber(number),
  lobby,
  via: "usher",
  calledAt: instant(0),
  claimBy: instant(claimBy),
});
const held = (number: number, more: Partial<HeldPermit> = {}): HeldPermit => ({
  state: "held",
  number: ticketNumber(number),
  lobby,
  via: "usher",
  startedAt: instant(0),
  leaseUntil: instant(100),
  passesUntil: instant(100),
  endsAt: null,
  released: false,
  provisionalUntil: null,
  transient: false,
  ...more,
});
const slots = (permits: Permits) =>
  [...permits.all()].map(({ slot }) => slot).toSorted((a, b) => a - b);
const overdue = (permits: Permits, now: number) => {
  const numbers: number[] = [];
  for (const { number } of permits.overdue(instant(now))) {
    numbers.push(number);
    permits.takeBack(number);
  }
  return numbers;
};

describe("moves that are impossible are refused", () => {
  test("[PERMIT-6] no permit goes out when none is free", () => {
    const permits = new Permits(1);
    permits.call(called(1));
    expect(() => permits.call(called(2))).toThrow("above P");
    expect(() => permits.admit(held(2))).toThrow("above P");
    expect([permits.out, permits.free]).toEqual([1, 0]);
  });

  test("[PERMIT-6] a number has one permit, and only what is out is claimed, changed or freed", () => {
    const permits = new Permits(3);
    permits.call(called(1));
    expect(() => permits.call(called(1))).toThrow("a number has one");
    permits.claim(held(1));
    expect(() => permits.claim(held(1))).toThrow("only a called permit");
    expect(() => permits.update(called(1))).toThrow("that is out");
    expect(() => permits.claim(held(2))).toThrow("only a called permit");
    expect(() => permits.update(held(2))).toThrow("that is out");
    expect(() => permits.takeBack(ticketNumber(2))).toThrow("that is out");
    expect([permits.called, permits.held]).toEqual([0, 1]);
  });
});

describe("slots", () => {
  test("[PERMIT-7] a free slot that was in use goes out before one that never was", () => {
    const permits = new Permits(3);
    permits.call(called(1));
    permits.call(called(2));
    permits.takeBack(ticketNumber(1));
    permits.call(called(3));
    expect(slots(permits)).toEqual([0, 1]);
    permits.call(called(4));
    expect(slots(permits)).toEqual([0, 1, 2]);
  });

  test("[PERMIT-5] free permits close with their slots when P is lowered", () => {
    const permits = new Permits(5);
    for (const number of [1, 2, 3, 4, 5]) permits.call(called(number));
    for (const number of [3, 4, 5]) permits.takeBack(ticketNumber(number));
    permits.setMax(3);
    expect(permits.free).toBe(1);
    permits.call(called(6));
    expect(slots(permits)).toEqual([0, 1, 2]);
  });

  test("[PERMIT-7] a permit that goes on at once stays in its slot: one row is written", () => {
    const permits = new Permits(4);
    for (const number of [1, 2, 3]) permits.call(called(number));
    permits.claim(held(2));
    permits.takeBack(ticketNumber(1));
    permits.drainDirty();
    permits.takeBack(ticketNumber(2));
    permits.call(called(4));
    expect(permits.drainDirty()).toEqual([{ slot: 1, permit: called(4) }]);
    expect(permits.drainDirty()).toEqual([]);
  });

  test("[PERMIT-2] what is claimed or changed is written, and stays called or held as it was", () => {
    const permits = new Permits(3);
    permits.call(called(1));
    permits.call(called(2));
    permits.drainDirty();
    permits.update(called(1, 200));
    expect([permits.called, permits.held]).toEqual([2, 0]);
    expect(permits.drainDirty()).toEqual([{ slot: 0, permit: called(1, 200) }]);
    permits.claim(held(2));
    expect([permits.called, permits.held]).toEqual([1, 1]);
    expect(permits.drainDirty()).toEqual([{ slot: 1, permit: held(2) }]);
    permits.takeBack(ticketNumber(1));
    expect([permits.called, permits.held]).toEqual([0, 1]);
    expect(permits.drainDirty()).toEqual([{ slot: 0, permit: null }]);
    permits.takeBack(ticketNumber(2));
    expect([permits.called, permits.held]).toEqual([0, 0]);
  });

  test("[PERMIT-6] a number that was freed has no permit any more, and may get another", () => {
    const permits = new Permits(2);
    permits.call(called(1));
    expect([permits.of(ticketNumber(1)), permits.max]).toEqual([called(1), 2]);
    permits.takeBack(ticketNumber(1));
    expect(permits.of(ticketNumber(1))).toBeNull();
    expect(() => permits.takeBack(ticketNumber(1))).toThrow("that is out");
    permits.call(called(1));
    expect(permits.out).toBe(1);
  });

  test("[PERMIT-5] the lowest slot that is closed is the one at P", () => {
    const permits = new Permits(3);
    for (const number of [1, 2, 3]) permits.call(called(number));
    permits.setMax(2);
    permits.takeBack(ticketNumber(1));
    permits.takeBack(ticketNumber(3));
    permits.call(called(4));
    expect(slots(permits)).toEqual([0, 1]);
  });

  test.each([
    [[0, 1], [2]],
    [[1], [0, 2]],
    [[2], [0, 1]],
  ])("[PERMIT-2] with rows in slots %j, the slots %j are free", (taken, free) => {
    const rows = taken.map((slot) => ({ slot: slotIndex(slot), permit: held(slot + 1) }));
    const permits = new Permits(3, rows);
    expect(permits.free).toBe(free.length);
    for (const slot of free) permits.call(called(slot + 11));
    expect([slots(permits), permits.free]).toEqual([[0, 1, 2], 0]);
  });

  test("[PERMIT-5] P lowered and raised over used, closed and fresh slots", () => {
    const permits = new Permits(4);
    for (const number of [1, 2, 3]) permits.call(called(number));
    permits.setMax(1);
    permits.takeBack(ticketNumber(3));
    permits.takeBack(ticketNumber(1));
    expect([permits.out, permits.free]).toEqual([1, 0]);
    permits.setMax(5);
    expect(permits.free).toBe(4);
    for (const number of [11, 12, 13, 14]) permits.call(called(number));
    expect(slots(permits)).toEqual([0, 1, 2, 3, 4]);
  });

  test("[PERMIT-2] rows restore what was out, above P as well, and all else is free", () => {
    const row = (slot: number, number: number) => ({
      slot: slotIndex(slot),
      permit: held(number),
    });
    const permits = new Permits(3, [row(0, 1), row(7, 2)]);
    expect([permits.out, permits.free, permits.drainDirty()]).toEqual([2, 1, []]);
    permits.call(called(3));
    expect(slots(permits)).not.toContain(3);
    permits.takeBack(ticketNumber(2));
    permits.call(called(4));
    expect(slots(permits)).toEqual([0, 1, 2]);
  });
});

describe("what falls due", () => {
  test("[PERMIT-8] earliest first, each once, at its instant", () => {
    const permits = new Permits(9);
    permits.call(called(1, 300));
    permits.call(called(2, 100));
    permits.admit(held(3, { leaseUntil: instant(500), endsAt: instant(200) }));
    expect(overdue(permits, 99)).toEqual([]);
    expect(overdue(permits, 250)).toEqual([2, 3]);
    expect(overdue(permits, 250)).toEqual([]);
    expect(overdue(permits, 300)).toEqual([1]);
  });

  test("[PERMIT-8] a renewed permit falls due at its new instant, a shortened one too", () => {
    const permits = new Permits(2);
    permits.admit(held(1));
    permits.admit(held(2));
    permits.update(held(1, { leaseUntil: instant(200) }));
    permits.update(held(2, { endsAt: instant(50) }));
    expect(overdue(permits, 50)).toEqual([2]);
    expect(overdue(permits, 199)).toEqual([]);
    expect(permits.nextDue()).toBe(200);
    expect(overdue(permits, 200)).toEqual([1]);
  });

  test("[PERMIT-8] long overdue, they still come in the order in which they fell due", () => {
    const permits = new Permits(3);
    permits.call(called(1, 10));
    permits.call(called(2, 20));
    permits.call(called(3, 30));
    permits.claim(held(1, { leaseUntil: instant(25) }));
    expect(overdue(permits, 99)).toEqual([2, 1, 3]);
  });

  test("[PERMIT-8] of several at one instant the lowest number comes first, whatever came in between", () => {
    const permits = new Permits(6);
    const lease = { leaseUntil: instant(50) };
    for (const number of [5, 2, 6, 1, 4, 3]) permits.admit(held(number, lease));
    permits.update(held(2, { leaseUntil: instant(60) }));
    permits.takeBack(ticketNumber(6));
    expect(overdue(permits, 60)).toEqual([1, 3, 4, 5, 2]);
  });

  test("[PERMIT-8] a slot that was freed and used again is not due for what it carried", () => {
    const permits = new Permits(1);
    permits.call(called(1, 100));
    permits.takeBack(ticketNumber(1));
    expect(permits.nextDue()).toBe(null);
    expect(overdue(permits, 100)).toEqual([]);
    permits.call(called(2, 300));
    expect(overdue(permits, 299)).toEqual([]);
    expect(overdue(permits, 300)).toEqual([2]);
  });

  test("[PERMIT-8] overtime, lease and claim time: the earlier one counts", () => {
    expect(dueAt(called(1, 7))).toBe(7);
    expect(dueAt(held(1, { leaseUntil: instant(5) }))).toBe(5);
    expect(dueAt(held(1, { leaseUntil: instant(5), endsAt: instant(4) }))).toBe(4);
    expect(dueAt(held(1, { leaseUntil: instant(5), endsAt: instant(6) }))).toBe(5);
  });
});

describe("provisional permits", () => {
  const door = (number: number, startedAt: number) =>
    held(number, { startedAt: instant(startedAt), provisionalUntil: instant(startedAt + 60) });

  test("[DOOR-4] one of another kind that ends changes nothing about their order", () => {
    const permits = new Permits(3);
    permits.admit(door(1, 0));
    permits.admit(held(2));
    permits.admit(door(3, 10));
    permits.takeBack(ticketNumber(2));
    permits.admit(held(4));
    permits.update(held(4, { leaseUntil: instant(200) }));
    expect([permits.provisional, permits.oldestProvisional()?.number]).toEqual([2, 1]);
    permits.takeBack(ticketNumber(1));
    expect([permits.provisional, permits.oldestProvisional()?.number]).toEqual([1, 3]);
  });

  test("[DOOR-4] it is told as it is now", () => {
    const permits = new Permits(1);
    permits.admit(door(1, 0));
    permits.update({ ...door(1, 0), endsAt: instant(90) });
    expect(permits.oldestProvisional()).toMatchObject({ number: 1, endsAt: 90 });
  });

  test("[DOOR-4] the oldest is the one that entered first, also after a restart", () => {
    const permits = new Permits(3, [
      { slot: slotIndex(0), permit: door(9, 30) },
      { slot: slotIndex(1), permit: door(5, 10) },
      { slot: slotIndex(2), permit: door(7, 20) },
    ]);
    permits.update({ ...door(5, 10), endsAt: instant(90) });
    expect([permits.provisional, permits.oldestProvisional()?.number]).toEqual([3, 5]);
    permits.update({ ...door(5, 10), provisionalUntil: null });
    expect([permits.provisional, permits.oldestProvisional()?.number]).toEqual([2, 7]);
    permits.takeBack(ticketNumber(7));
    permits.takeBack(ticketNumber(9));
    expect([permits.provisional, permits.oldestProvisional()]).toEqual([0, null]);
  });
});
