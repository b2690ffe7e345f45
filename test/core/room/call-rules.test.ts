import { describe, expect, test } from "vitest";
import { JOIN, World } from "./world.ts";

describe("called", () => {
  test("[CALL-1] a free permit is offered in the step in which somebody stands in line", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    expect(w.justCalled).toEqual([1]);
    w.away(1);
    w.crowd(1);
    w.away(2);
    w.leave(1);
    expect(w.justCalled).toEqual([]);
    w.present(2);
    expect(w.justCalled).toEqual([2]);
  });

  test.each([
    [59_999, "visit"],
    [60_000, "not-yet"],
  ])("[CALL-2] a claim %i ms after the call: %s", (ms, kind) => {
    const w = new World({ permitsMax: 1, claimWithinMs: 60_000 });
    w.join();
    w.now += ms;
    expect(w.claim(1).kind).toBe(kind);
  });

  test("[CALL-2] the answer says until when the turn can be claimed", () => {
    const w = new World({ claimWithinMs: 60_000 });
    expect(w.one(JOIN)).toMatchObject({ place: { state: "called", claimBy: w.now + 60_000 } });
  });

  test("[CALL-3] a missed call passes on in the same step, and its number is away", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.tick(60_000);
    expect([w.justCalled, w.standing(1)]).toEqual([[2], "away"]);
    w.tick(60_000);
    expect([w.justCalled, w.standing(2)]).toEqual([[], "away"]);
    w.present(1);
    expect(w.justCalled).toEqual([1]);
  });

  test("[CALL-4] the third miss spends a number, also if a crash lies between", () => {
    const w = new World({ permitsMax: 1 });
    w.join();
    for (const standing of ["away", "away", "ended"]) {
      w.present(1);
      w.tick(60_000);
      expect(w.standing(1)).toBe(standing);
      w.crash();
      w.report([]);
    }
    expect(w.claim(1)).toEqual({ kind: "ended" });
  });

  test("[CALL-4] the misses of a spent number are forgotten", () => {
    const w = new World({ permitsMax: 1 });
    w.join();
    w.tick(60_000);
    expect(w.state.misses.size).toBe(1);
    w.back(1, 0);
    w.visit(1);
    w.crash();
    expect(w.state.misses.size).toBe(0);
  });
});

describe("claims that come to nothing", () => {
  test("[CALL-5] before its turn a claim is told to come again in 2 s", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    expect(w.claim(2)).toMatchObject({
      kind: "not-yet",
      place: { state: "waiting", ahead: 0 },
      retryAt: w.now + 2_000,
    });
  });

  test("[CALL-5] a claim is a sign of life: an away number stands in line again", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.away(2);
    expect(w.claim(2)).toMatchObject({ place: { state: "waiting" } });
  });

  test("[CALL-5] when the claim itself brought the turn, it may come again at once", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    w.tick(60_000);
    expect(w.claim(1)).toMatchObject({ place: { state: "called" }, retryAt: w.now });
    expect(w.claim(1)).toMatchObject({ kind: "visit" });
  });

  test("[CALL-6] in a full second it stays called, and the claim time begins anew", () => {
    const w = new World({ permitsMax: 3, startsPerSecondMax: 1, ringGuardMs: 0 });
    const callBoth = () => {
      w.crowd(2);
      w.tick(1_000);
    };
    callBoth();
    w.now += 58_900;
    w.visit(1);
    const { now } = w;
    const nextSecond = (Math.floor(now / 1_000) + 1) * 1_000;
    expect(w.claim(2)).toMatchObject({
      kind: "not-yet",
      place: { number: 2, state: "called", claimBy: nextSecond + 60_000 },
      retryAt: nextSecond,
    });
    w.crash();
    w.tick(60_000);
    expect(w.standing(2)).toBe("called");
    expect(w.claim(2)).toMatchObject({ kind: "visit" });
  });

  test("[CALL-6] a claim time is never shortened", () => {
    const w = new World({ permitsMax: 2, startsPerSecondMax: 1, claimWithinMs: 600_000 });
    w.crowd(2);
    w.tick(1_000);
    const claimBy = w.place(2)?.claimBy;
    w.visit(1);
    w.configure({ claimWithinMs: 5_000 });
    expect(w.claim(2)).toMatchObject({ kind: "not-yet", place: { claimBy } });
    expect(w.written("permit")).toEqual([]);
    expect(w.place(2)).toMatchObject({ claimBy });
  });

  test("[CALL-7] claiming again gives the same visit", () => {
    const w = new World();
    w.join();
    const first = w.visit(1);
    w.now += 10;
    expect(w.claim(1)).toMatchObject({
      kind: "visit",
      isNew: false,
      visit: { visit: first.visit },
    });
    expect(w.visiting).toBe(1);
  });
});

describe("when nobody is called", () => {
  test.each([[{ paused: true }], [{ closed: "sold out" }], [{ suspended: true }]])(
    "[CALL-8] with %o nobody is called or enters, and afterwards those in line are, in one step",
    (limits) => {
      const w = new World({ permitsMax: 2 });
      w.crowd(4);
      w.visit(1);
      w.configure(limits);
      w.end(1);
      w.tick(1_000);
      expect([w.justCalled, w.state.permits.free]).toEqual([[], 1]);
      expect(w.enter()).toEqual({ kind: "queue" });
      w.configure({ paused: false, closed: null, suspended: false });
      expect(w.justCalled).toEqual([3]);
    },
  );

  test("[CALL-9] a held room lets no called visitor in, but loses none who comes", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(2);
    w.configure({ paused: true });
    w.now += 59_000;
    const retryAt = w.now + 5_000;
    expect(w.claim(1)).toMatchObject({ kind: "not-yet", place: { state: "called" }, retryAt });
    w.tick(60_000);
    expect([w.standing(1), w.standing(2)]).toEqual(["called", "away"]);
    w.configure({ paused: false });
    expect(w.claim(1)).toMatchObject({ kind: "visit" });
  });

  test("[CALL-9] a closed room lets those in whom it has called", () => {
    const w = new World({ permitsMax: 2 });
    w.join();
    w.configure({ closed: "sold out" });
    expect(w.claim(1)).toMatchObject({ kind: "visit" });
  });
});
