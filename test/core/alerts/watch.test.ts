import { describe, expect, test } from "vitest";
import type { Alert } from "../../../src/core/alerts/alert.ts";
import { ALERT_BOUNDS, type AlertBounds } from "../../../src/core/alerts/bounds.ts";
import { Watch, type Sight } from "../../../src/core/alerts/watch.ts";
import type { EventId } from "../../../src/core/events/event.ts";
import { instant } from "../../../src/core/time.ts";

const AT = 1_800_000_000_000;
const QUIET: Sight = {
  waiting: 0,
  heldBy: null,
  limits: { total_active_users: 5, new_users_per_minute: 60 },
  waitSeconds: () => null,
  event: null,
  pace: null,
  closedBy: null,
};

/** A watch on a clock of the test's own, restarted before each look where the test says so. */
class Post {
  now = AT;
  watch = Watch.restore(null, null);
  alerts: Alert[] = [];
  readonly bounds: AlertBounds;
  readonly restarts: boolean;

  constructor(bounds: AlertBounds = ALERT_BOUNDS, restarts = false) {
    this.bounds = bounds;
    this.restarts = restarts;
  }

  look(sight: Partial<Sight>, ms = 1_000): string[] {
    this.now += ms;
    if (this.restarts) this.watch = Watch.restore(JSON.parse(JSON.stringify(this.watch)), null);
    const found = this.watch.look({ ...QUIET, ...sight }, this.bounds, instant(this.now));
    this.alerts.push(...found);
    return found.map(({ type }) => type);
  }

  seconds(count: number, sight: Partial<Sight>): string[] {
    return Array.from({ length: count }, () => this.look(sight)).flat();
  }

  minute(missed: number, came: number): string[] {
    const minute = instant(Math.floor(this.now / 60_000) * 60_000);
    this.now += 60_000;
    this.watch.minute({ minute, missed, came });
    return this.look({}, 0);
  }

  answers(answers: number, errors: number): string[] {
    this.watch.origin.add(answers, errors, instant(this.now));
    return this.look({});
  }
}

describe.each([false, true])("restarted before each look: %s", (restarts) => {
  test("[ALERT-2] [ALERT-8] a line begins and ends, with what it was", () => {
    const post = new Post(ALERT_BOUNDS, restarts);
    expect(post.seconds(100, { waiting: 3 })).toEqual(["line.began"]);
    post.seconds(5, { waiting: 70 });
    expect(post.seconds(5, { waiting: null })).toEqual([]);
    expect(post.seconds(100, {})).toEqual(["line.ended"]);
    const [began, ended] = post.alerts;
    expect(began?.data).toEqual({ since: new Date(AT + 1_000).toISOString(), waiting: 3 });
    expect(ended?.data).toMatchObject({ lasted_seconds: 109, waiting_max: 70 });
  });

  test("[ALERT-3] a wait is high from its bound on, and normal well below it", () => {
    const post = new Post(ALERT_BOUNDS, restarts);
    const waits = (seconds: number | null) => ({ waiting: 9, waitSeconds: () => seconds });
    post.seconds(20, waits(1_799));
    expect(post.seconds(100, waits(1_799))).toEqual([]);
    expect(post.seconds(31, waits(1_800))).toEqual(["wait.high"]);
    expect(post.alerts.at(-1)?.data).toMatchObject({ wait_seconds: 1_800, bound_minutes: 30 });
    expect(post.seconds(100, waits(1_440))).toEqual([]);
    expect(post.seconds(100, waits(null))).toEqual([]);
    expect(post.seconds(59, waits(1_439))).toEqual([]);
    expect(post.seconds(2, waits(1_439))).toEqual(["wait.normal"]);
    expect(post.seconds(300, waits(1_439))).toEqual([]);
  });

  test("[ALERT-4] a limit that holds people up for a minute is named", () => {
    const post = new Post(ALERT_BOUNDS, restarts);
    const held = { waiting: 4, heldBy: "total_active_users" } as const;
    expect(post.seconds(60, held)).toEqual(["line.began"]);
    expect(post.look(held)).toEqual(["limit.reached"]);
    expect(post.alerts.at(-1)?.data).toMatchObject({
      limit: "total_active_users",
      total_active_users: 5,
      waiting: 4,
    });
    expect(post.seconds(61, { waiting: 4 })).toEqual(["limit.eased"]);
  });

  test("[ALERT-5] no-shows are judged by the last five minutes, and not by a few", () => {
    const post = new Post(ALERT_BOUNDS, restarts);
    expect(post.minute(19, 0)).toEqual([]);
    expect(post.minute(0, 1)).toEqual(["no_shows.high"]);
    expect(post.alerts[0]?.data).toMatchObject({ percent: 95, bound_percent: 50 });
    expect(post.minute(0, 42)).toEqual([]);
    expect(post.minute(0, 3)).toEqual(["no_shows.normal"]);
    expect([post.minute(10, 0), post.minute(0, 0), post.minute(9, 0)].flat()).toEqual([]);
  });

  test("[ALERT-7] each phase of an event is told once, and its end", () => {
    const post = new Post(ALERT_BOUNDS, restarts);
    const event = (phase: "prequeue" | "drawing" | "running", digit = "a") => ({
      event: { id: digit.repeat(32) as EventId, name: "sale", phase },
    });
    expect(post.seconds(9, event("prequeue"))).toEqual(["event.prequeue"]);
    expect(post.seconds(9, event("drawing"))).toEqual(["event.drawing"]);
    expect(post.seconds(9, event("running"))).toEqual(["event.running"]);
    expect(post.seconds(9, event("running", "b"))).toEqual(["event.ended", "event.running"]);
    expect(post.seconds(9, {})).toEqual(["event.ended"]);
    expect(post.alerts.map(({ data }) => data["event_id"])).toEqual(
      ["a", "a", "a", "a", "b", "b"].map((digit) => digit.repeat(32)),
    );
  });
});

test.each([false, true])(
  "[ALERT-11] limits that something else keeps down, and a room that it closes (restarted: %s)",
  (restarts) => {
    const post = new Post(ALERT_BOUNDS, restarts);
    const pace = (reason: string) => ({ pace: { source: "adaptive", reason } });
    expect(post.seconds(10, pace("slower"))).toEqual([]);
    expect(post.seconds(100, pace("slower still"))).toEqual(["pace.lowered"]);
    expect(post.alerts[0]?.data).toMatchObject({
      source: "adaptive",
      reason: "slower still",
      total_active_users: 5,
    });
    // A try whether it bears more is no end.
    expect([post.seconds(50, {}), post.seconds(50, pace("back"))].flat()).toEqual([]);
    expect(post.seconds(61, {})).toEqual(["pace.restored"]);
    expect(post.seconds(3, { closedBy: "api" })).toEqual(["room.closed"]);
    expect(post.alerts.at(-1)?.data).toEqual({ source: "api" });
    expect(post.seconds(3, { closedBy: "origin" })).toEqual([]);
    expect(post.seconds(3, {})).toEqual(["room.opened"]);
  },
);

test("[ALERT-6] the origin fails by its share of errors, and recovers after a good minute", () => {
  const post = new Post();
  expect(post.answers(19, 19)).toEqual([]);
  expect(post.answers(76, 0)).toEqual(["origin.failing"]);
  expect(post.alerts[0]?.data).toMatchObject({ percent: 20, bound_percent: 20 });
  // Half of the bound is not below it, and nothing at all says nothing.
  expect(Array.from({ length: 90 }, () => post.answers(10, 1)).flat()).toEqual([]);
  expect(post.seconds(300, {})).toEqual([]);
  expect(Array.from({ length: 59 }, () => post.answers(20, 1)).flat()).toEqual([]);
  expect(post.answers(20, 1)).toEqual(["origin.recovered"]);
});

test("[ALERT-10] without bounds nothing is told of what they bound", () => {
  const post = new Post({ waitMinutes: null, originErrorPercent: null, noShowPercent: null });
  post.answers(1_000, 1_000);
  post.minute(1_000, 0);
  const asked: Partial<Sight> = {
    waiting: 9,
    waitSeconds: () => {
      throw new Error("nobody asks how long it takes");
    },
  };
  expect(post.seconds(100, asked)).toEqual(["line.began"]);
});

test("[ALERT-7] an event that was on before there was a watch is not told", () => {
  const event = { id: "a".repeat(32) as EventId, name: "sale", phase: "running" } as const;
  const watch = Watch.restore(null, event);
  expect(watch.look({ ...QUIET, event }, ALERT_BOUNDS, instant(AT))).toEqual([]);
  expect(watch.look(QUIET, ALERT_BOUNDS, instant(AT)).map(({ type }) => type)).toEqual([
    "event.ended",
  ]);
});
