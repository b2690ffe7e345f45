import { describe, expect, test } from "vitest";
import { NOTED_ALERTS_MAX } from "../../../src/core/alerts/alert.ts";
import type { EventId } from "../../../src/core/events/event.ts";
import type { PlannedEvent } from "../../../src/core/events/planned.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "../room/world.ts";

const SECOND = 1_000;
const types = (w: World): string[] => (w.alerts ?? []).map(({ type }) => type);
const sequences = (w: World): number[] => (w.alerts ?? []).map(({ sequence }) => sequence);

const seconds = (w: World, count: number): void => {
  for (let second = 0; second < count; second += 1) w.tick(SECOND);
};

/** A room with one permit, taken, and a line. */
const queueing = (): World => {
  const w = new World({ permitsMax: 1, returnWindowMs: 60_000 });
  // Its cookie came back: nobody takes the permit for the line.
  w.renew(w.entered().visit);
  w.crowd(3);
  return w;
};

const minuteEvent = (digit: string, startsAt: number): PlannedEvent => ({
  id: digit.repeat(32) as EventId,
  name: digit,
  prequeueAt: null,
  startsAt: instant(startsAt),
  endsAt: instant(startsAt + 60_000),
  suspended: false,
  shuffle: false,
  draw: null,
  overrides: {
    permitsMax: null,
    startsPerMinuteMax: null,
    leaseMs: null,
    leaseRenews: null,
    queueingMethod: null,
  },
});

describe("what a room notes", () => {
  test("[ALERT-1] [ALERT-4] a line and what it waits for, once", () => {
    const w = queueing();
    for (let span = 0; span < 10; span += 1) {
      seconds(w, 20);
      w.answer([]);
    }
    expect(types(w)).toEqual(["line.began", "limit.reached"]);
    expect(w.alerts?.[1]?.data).toMatchObject({ limit: "total_active_users", waiting: 3 });
  });

  test("[ALERT-4] starts that are used up are named, and a paused room reaches nothing", () => {
    const w = new World({ permitsMax: 50, startsPerMinuteMax: 1 });
    w.entered();
    w.crowd(9);
    seconds(w, 90);
    expect(w.alerts?.find(({ type }) => type === "limit.reached")?.data).toMatchObject({
      limit: "starts",
    });
    const paused = new World({ paused: true });
    paused.crowd(3);
    seconds(paused, 90);
    expect(types(paused)).toEqual(["line.began"]);
  });

  test("[ALERT-1] the end of a line comes by itself, and then the room sleeps", () => {
    const w = queueing();
    seconds(w, 20);
    for (const number of [2, 3, 4]) w.leave(number);
    const before = w.now;
    w.sleep(20);
    expect(types(w)).toEqual(["line.began", "line.ended"]);
    expect((w.alerts?.[1]?.at ?? 0) - before).toBeLessThanOrEqual(61 * SECOND);
  });

  test("[ALERT-8] a crash tells nothing twice, and nothing before the room knows who is there", () => {
    const w = queueing();
    seconds(w, 100);
    expect(types(w)).toEqual(["line.began", "limit.reached"]);
    w.crash();
    seconds(w, 2);
    w.report([2, 3, 4], { instance: "b" });
    seconds(w, 100);
    expect(types(w)).toEqual(["line.began", "limit.reached"]);
    w.crash();
    w.report([], { instance: "c" });
    seconds(w, 100);
    expect(types(w)).toEqual(["line.began", "limit.reached", "line.ended", "limit.eased"]);
    expect(sequences(w)).toEqual([1, 2, 3, 4]);
  });

  test("[ALERT-7] events by the room's own clock, over a crash", () => {
    const w = new World();
    const at = w.now + 60_000;
    w.configure({}, [minuteEvent("a", at), minuteEvent("b", at + 120_000)]);
    for (let second = 0; second < 300; second += 7) {
      w.tick(7 * SECOND);
      w.crash();
    }
    expect(types(w)).toEqual(["event.running", "event.ended", "event.running", "event.ended"]);
    expect(sequences(w)).toEqual([1, 2, 3, 4]);
  });

  test("[ALERT-3] a wait beyond the bound, by the table that those who wait are told by", () => {
    const alerts = { waitMinutes: 2, originErrorPercent: null, noShowPercent: null };
    const w = new World({ permitsMax: 1, alerts });
    for (const number of w.crowd(12)) {
      if (number > 4) break;
      w.visit(number);
      w.now += 60_000;
      w.end(number);
    }
    for (let second = 0; second < 40; second += 1) {
      w.tick(SECOND);
      w.answer([]);
      w.snapshot();
    }
    const high = w.alerts?.find(({ type }) => type === "wait.high");
    expect(high?.data).toMatchObject({ bound_minutes: 2 });
    expect(high?.data["wait_seconds"]).toBeGreaterThanOrEqual(120);
  });

  test("[ALERT-11] a signal that lowers the limits, and one that says that nothing is left", () => {
    const w = new World({ permitsMax: 50 });
    const said = {
      startsPerSecond: null,
      startsPerMinute: null,
      ttlSeconds: 3_600,
      reason: "rain",
    };
    w.run({ type: "signal", ask: { ...said, permits: 40, stockLeft: null } });
    seconds(w, 30);
    expect(
      w.alerts?.map(({ type, data }) => [type, data["reason"], data["total_active_users"]]),
    ).toEqual([["pace.lowered", "rain", 40]]);
    w.run({ type: "signal", ask: { ...said, permits: null, stockLeft: 0 } });
    w.run({ type: "signal", ask: "taken-back" });
    const until = w.now + 70_000;
    while (w.wakeAt !== null && w.wakeAt < until) w.sleep(1);
    expect(types(w)).toEqual(["pace.lowered", "room.closed", "room.opened", "pace.restored"]);
    expect(w.alerts?.at(-1)?.data).toMatchObject({ total_active_users: 50 });
  });

  test("[ALERT-6] what isolates tell of the origin", () => {
    const w = new World();
    const origin = { answers: 10, errors: 10, latencyMs: [] as never };
    const report = { bypassed: 0, arrivals: 0, origin };
    w.run({ type: "snapshot", since: null, report });
    expect(types(w)).toEqual(["origin.failing"]);
    w.run({ type: "snapshot", since: null, report });
    expect(types(w)).toEqual(["origin.failing"]);
  });
});

describe("[ALERT-9] the way to the Registry", () => {
  test("the row is written with the step, and goes when it was heard", () => {
    const w = queueing();
    w.alerts = null;
    seconds(w, 11);
    expect([...w.store.load().alerts].map(({ sequence, type }) => [sequence, type])).toEqual([
      [1, "line.began"],
    ]);
    w.run({ type: "alerts-heard", upTo: 1 });
    expect([...w.store.load().alerts]).toEqual([]);
    seconds(w, 3);
    expect(w.last?.alertsDue).toEqual([]);
  });

  test("it is handed over again, later each time, and at once after a crash", () => {
    const w = new World();
    w.alerts = null;
    w.configure({}, [minuteEvent("a", w.now)]);
    const asked: number[] = w.last?.alertsDue.length === 1 ? [0] : [];
    for (let second = 1; second <= 130; second += 1) {
      w.tick(SECOND);
      if (w.last?.alertsDue.some(({ sequence }) => sequence === 1)) asked.push(second);
    }
    expect(asked).toEqual([0, 1, 3, 7, 15, 31, 63, 123]);
    w.crash();
    w.tick(SECOND);
    expect(w.last?.alertsDue.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test("what was noted meanwhile stays when an older one was heard", () => {
    const w = new World();
    w.alerts = null;
    w.configure({}, [minuteEvent("a", w.now), minuteEvent("b", w.now + 60_000)]);
    w.tick(60_000);
    w.run({ type: "alerts-heard", upTo: 1 });
    expect(w.last?.alertsDue.map(({ sequence }) => sequence)).toEqual([2, 3]);
    w.run({ type: "alerts-heard", upTo: 1 });
    expect([...w.store.load().alerts].map(({ sequence }) => sequence)).toEqual([2, 3]);
  });

  test("of too many the oldest goes, and numbers go on rising", () => {
    const w = new World();
    w.alerts = null;
    const at = w.now;
    for (let turn = 0; turn < NOTED_ALERTS_MAX; turn += 1) {
      w.configure({}, [minuteEvent(turn % 2 === 0 ? "a" : "b", at)]);
    }
    const kept = [...w.store.load().alerts].map(({ sequence }) => sequence);
    expect([kept.length, kept[0], kept.at(-1)]).toEqual([100, 100, 199]);
    w.crash();
    w.run({ type: "alerts-heard", upTo: 199 });
    w.crash();
    w.configure({}, []);
    expect([...w.store.load().alerts].map(({ sequence }) => sequence)).toEqual([200]);
  });
});
