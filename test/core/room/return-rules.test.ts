import { describe, expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { JOIN, World } from "./world.ts";

const HOUR_MS = 3_600_000;

/** Number 7 is away, and others stand before and behind it. */
const sevenAway = () => {
  const w = new World({ permitsMax: 1, returnWindowMs: HOUR_MS });
  w.crowd(9);
  w.visit(1);
  w.away(7);
  return w;
};

const numberAfter = (w: World, ms: number, exact: boolean): number => {
  const reply = w.back(7, ms, exact);
  return reply.kind === "place" ? reply.place.number : w.join();
};

describe("the return window", () => {
  test.each([
    [HOUR_MS - 1, 7],
    [HOUR_MS, 10],
  ])("[RETURN-1] back %i ms after it was heard last: number %i", (ms, number) => {
    expect(numberAfter(sevenAway(), ms, true)).toBe(number);
  });

  test.each([
    [1.25 * HOUR_MS - 1, 7],
    [1.25 * HOUR_MS, 10],
  ])("[RETURN-2] with only a token heard %i ms ago: number %i", (ms, number) => {
    expect(numberAfter(sevenAway(), ms, false)).toBe(number);
  });

  test("[RETURN-1] who comes back stands where the number stands", () => {
    const w = sevenAway();
    w.join();
    expect(w.back(7, HOUR_MS - 1)).toMatchObject({
      place: { number: 7, state: "waiting", ahead: 5 },
    });
    expect(w.place(8)).toMatchObject({ ahead: 6 });
  });

  test("[RETURN-3] who comes too late has ended for good", () => {
    const w = sevenAway();
    expect(w.back(7, HOUR_MS)).toEqual({ kind: "ended" });
    expect(w.back(7, 0)).toEqual({ kind: "ended" });
    expect(w.claim(7)).toEqual({ kind: "ended" });
    w.crash();
    expect(w.back(7, 0)).toEqual({ kind: "ended" });
  });

  test("[RETURN-4] a number that is called or visits is told so, however old its ticket is", () => {
    const w = sevenAway();
    expect(w.back(1, 9 * HOUR_MS, false)).toMatchObject({ place: { state: "visiting" } });
    w.end(1);
    expect(w.back(2, 9 * HOUR_MS, false)).toMatchObject({ place: { state: "called" } });
  });

  test("[RETURN-5] an old token does not end a number that stands in line", () => {
    const w = sevenAway();
    expect(w.back(8, 9 * HOUR_MS, false)).toMatchObject({ place: { number: 8, state: "waiting" } });
  });

  test("[RETURN-1] a changed window holds from the next return on", () => {
    const w = sevenAway();
    w.configure({ returnWindowMs: 60_000 });
    expect(w.back(7, 60_000)).toEqual({ kind: "ended" });
  });
});

describe("giving up", () => {
  test("[RETURN-6] a number that gives up is spent", () => {
    const w = sevenAway();
    expect(w.leave(8)).toEqual({ kind: "done" });
    expect(w.standing(8)).toBe("ended");
    expect(w.leave(8)).toEqual({ kind: "done" });
    w.crash();
    expect(w.back(8, 0)).toEqual({ kind: "ended" });
  });

  test("[RETURN-6] given up while called: the permit goes to the next in the same step", () => {
    const w = sevenAway();
    w.end(1);
    expect(w.justCalled).toEqual([2]);
    w.leave(2);
    expect([w.justCalled, w.called]).toEqual([[3], 1]);
    expect(w.claim(2)).toEqual({ kind: "ended" });
  });

  test("[RETURN-6] given up while called with nobody in line: the permit is free", () => {
    const w = new World({ permitsMax: 1 });
    w.join();
    w.leave(1);
    expect([w.state.permits.free, w.tally("missed")]).toEqual([1, 1]);
  });

  test("[RETURN-6] a visit that has begun is not given up with its ticket", () => {
    const w = sevenAway();
    w.leave(1);
    expect(w.standing(1)).toBe("visiting");
  });

  test("[RETURN-7] a number that was never issued has ended, and changes nothing", () => {
    const w = sevenAway();
    const number = ticketNumber(1_000_000);
    expect(w.back(number, 0)).toEqual({ kind: "ended" });
    expect(w.claim(number)).toEqual({ kind: "ended" });
    expect(w.back(number, 2 * HOUR_MS)).toEqual({ kind: "ended" });
    w.leave(number);
    w.answer([], { present: [number], away: [number], roster: [number] });
    expect(w.one(JOIN)).toMatchObject({ place: { number: 10 } });
  });
});
