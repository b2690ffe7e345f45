import { describe, expect, test } from "vitest";
import { etaOf } from "../../../src/core/estimate/eta.ts";
import { waitTableOf } from "../../../src/core/room/view.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const SECOND = 1_000;

/** One permit, visits of ten seconds each: so many come and go before `waiting` stand in line. */
const busyRoom = (visits: number, waiting: number): World => {
  const w = new World({ permitsMax: 1 });
  w.crowd(visits + waiting + 1);
  for (let number = 1; number <= visits; number += 1) {
    w.visit(number);
    for (let second = 0; second < 10; second += 1) w.tick(SECOND);
    w.end(number);
  }
  w.visit(visits + 1);
  return w;
};

const told = (w: World, ahead: number) =>
  etaOf(waitTableOf(w.state, instant(w.now)), ahead, instant(w.now));

describe("what the room tells of waits", () => {
  test("[ETA-7] [ETA-8] it has learned how long visits last", () => {
    const w = busyRoom(12, 30);
    expect(told(w, 9)).toMatchObject({ known: true });
    const eta = told(w, 9);
    if (!eta.known) throw new Error("it is known");
    expect(eta.seconds).toBeGreaterThan(90);
    expect(eta.seconds).toBeLessThan(110);
    expect(w.snapshot().newcomer).toMatchObject({ known: true });
  });

  test("[ETA-5] a restart costs at most what was learned in the last ten seconds", () => {
    const w = busyRoom(12, 30);
    const before = told(w, 9);
    w.crash();
    w.report(Array.from({ length: 30 }, (_, i) => 14 + i));
    const after = told(w, 9);
    if (!before.known || !after.known) throw new Error("both are known");
    expect(Math.abs(after.seconds - before.seconds)).toBeLessThan(15);
  });

  test("[ETA-9] paused or closed it says so, and goes on when it is open again", () => {
    const w = busyRoom(12, 30);
    w.configure({ paused: true });
    expect(told(w, 3)).toEqual({ known: false, reason: "paused" });
    w.configure({ paused: false, closed: "Sold out" });
    expect(told(w, 3)).toEqual({ known: false, reason: "closed" });
    w.configure({ closed: null });
    expect(told(w, 3).known).toBe(true);
  });

  test("[ETA-9] before any visit has ended it says so", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(5);
    w.visit(1);
    w.visit(2);
    w.tick(30 * SECOND);
    expect(told(w, 0)).toEqual({ known: false, reason: "no-ends" });
  });

  test("[ETA-7] what the operator ends, and entries by the door that never came back, teach nothing", () => {
    const w = new World({ permitsMax: 10 });
    for (let i = 0; i < 5; i += 1) w.renew(w.entered().visit);
    w.tick(SECOND);
    w.run({ type: "revoke-all" });
    const before = w.state.estimator.lengths.toJSON();
    expect(before).toEqual([]);
    w.renew(w.entered().visit);
    w.tick(5 * SECOND);
    w.end(6);
    expect(w.state.estimator.lengths.toJSON()).not.toEqual([]);
  });

  test("[ETA-12] the history tells how well waits were forecast", () => {
    const w = busyRoom(12, 30);
    // Each second a lobby hears what its visitors are told: somebody in the middle is followed.
    for (let number = 13; number <= 40; number += 1) {
      for (let second = 0; second < 10; second += 1) {
        w.tick(SECOND);
        told(w, 0);
      }
      w.end(number);
      w.visit(number + 1);
    }
    const checked = w.tally("etaChecked");
    expect(checked).toBeGreaterThanOrEqual(5);
    expect(w.tally("etaHeld")).toBeGreaterThanOrEqual(0.8 * checked);
    expect(w.tally("etaErrorPercent") / checked).toBeLessThan(20);
  });

  test("[ETA-12] what was forecast before the limits changed is not counted", () => {
    const w = busyRoom(12, 30);
    told(w, 0);
    w.configure({ permitsMax: 30 });
    for (let second = 0; second < 60; second += 1) w.tick(SECOND);
    expect(w.tally("etaChecked")).toBe(0);
  });
});
