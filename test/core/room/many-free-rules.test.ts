import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import type { Op } from "../../../src/core/room/commands.ts";
import { World } from "./world.ts";

const WAITING = 1_000;
const P = 400;

/** Visits that all began at one moment fill the room, and so many more wait. */
const full = (limits: Partial<RoomLimits>): World => {
  const w = new World({ permitsMax: P, startsPerMinuteMax: 1_000_000 });
  w.crowd(P).forEach((number) => w.visit(number));
  w.crowd(WAITING);
  w.configure(limits);
  w.now += 61_000;
  return w;
};

/** Everybody waits while nobody is called. */
const standing = (limits: Partial<RoomLimits>, still: Partial<RoomLimits>): World => {
  const w = new World({ permitsMax: P, ...limits, paused: true });
  w.crowd(WAITING);
  w.configure({ paused: false, ...still });
  expect(w.called).toBe(0);
  return w;
};

type Way = readonly [string, (limits: Partial<RoomLimits>) => World, (w: World) => void];

/** The ways in which many permits fall free in one step, beside a crowd that waits. */
const WAYS: readonly Way[] = [
  [
    "P is raised",
    (limits) => full({ ...limits, permitsMax: P }),
    (w) => w.configure({ permitsMax: 2 * P }),
  ],
  [
    "the room goes on",
    (limits) => standing(limits, { paused: true }),
    (w) => w.configure({ paused: false }),
  ],
  [
    "it opens again",
    (limits) => standing(limits, { closed: "sold out" }),
    (w) => w.configure({ closed: null }),
  ],
  [
    "it is suspended no longer",
    (limits) => standing(limits, { suspended: true }),
    (w) => w.configure({ suspended: false }),
  ],
  ["a crowd's visits expire", full, (w) => w.tick(240_000)],
  ["all visits are revoked", full, (w) => void w.run({ type: "revoke-all" })],
  [
    "a crowd's visits are finished in one batch",
    full,
    (w) => {
      const ops = [...w.state.permits.all()].map(({ permit }): Op => ({
        op: "end",
        visit: permit.number,
        afterMs: 0,
      }));
      w.batch(ops);
    },
  ],
];

/** Named limits, and how many of the line a second may call. */
const LIMITS: readonly (readonly [string, Partial<RoomLimits>, number])[] = [
  ["600 a minute", { startsPerMinuteMax: 600 }, 20],
  ["601 a minute", { startsPerMinuteMax: 601 }, 21],
  ["600 a minute and 7 a second", { startsPerMinuteMax: 600, startsPerSecondMax: 7 }, 7],
  ["600 a minute and 90 a second", { startsPerMinuteMax: 600, startsPerSecondMax: 90 }, 90],
  ["600 a minute, in any 1,000 ms", { startsPerMinuteMax: 600, ring: "sliding" }, 20],
];

describe.each(LIMITS)("%s", (_, limits, most) => {
  test.each(WAYS)("[CALL-12] when %s a second calls at most its own", (__, before, free) => {
    const w = before(limits);
    w.now = Math.ceil(w.now / 1_000) * 1_000;
    free(w);
    const called = [...w.justCalled];
    expect(called).toHaveLength(most);
    w.tick(999);
    expect(w.justCalled).toEqual([]);
    expect(w.enter()).toEqual({ kind: "queue" });
    w.tick(1);
    called.push(...w.justCalled);
    expect(called).toHaveLength(2 * most);
    // In order, and nobody is passed over.
    expect(called).toEqual(called.map((_number, index) => (called[0] ?? 0) + index));
  });
});

test("[CALL-12] 5,000 wait, P is raised from 10 to 5,000: half a minute's number takes 15 s", () => {
  const w = new World({ permitsMax: 10, startsPerMinuteMax: 5_000 });
  w.crowd(10).forEach((number) => w.visit(number));
  w.crowd(5_000);
  w.now = Math.ceil((w.now + 61_000) / 60_000) * 60_000;
  w.configure({ permitsMax: 5_000 });
  const seconds = [w.justCalled.length];
  for (let second = 1; second < 60; second += 1) {
    w.tick(1_000);
    seconds.push(w.justCalled.length);
  }
  expect(seconds.slice(0, 14)).toEqual(new Array<number>(14).fill(167));
  expect(Math.max(...seconds)).toBe(167);
  expect(seconds.slice(15, 44).every((count) => count === 83 || count === 84)).toBe(true);
  expect(w.called).toBe(4_990);
});

test("[CALL-13] claims of those who were called are not held up by the default", () => {
  const w = new World({ permitsMax: 100, startsPerMinuteMax: 300, paused: true });
  w.crowd(100);
  w.configure({ paused: false });
  for (let second = 0; second < 5; second += 1) w.tick(1_000);
  const called = [...w.state.permits.all()].map(({ permit }) => permit.number);
  expect(called.length).toBeGreaterThan(30);
  for (const number of called) expect(w.claim(number)).toMatchObject({ kind: "visit" });
});

test("[CALL-13] the door of a room without a line takes more than the default, and they count", () => {
  const w = new World({ permitsMax: 40, startsPerMinuteMax: 300 });
  for (let entry = 1; entry <= 20; entry += 1) w.entered(true);
  w.crowd(1);
  expect(w.called).toBe(0);
  w.tick(1_000);
  expect(w.called).toBe(1);
});

test("[CALL-14] requests that wait start as fast as P allows", () => {
  const w = new World({ permit: "request", permitsMax: 2, startsPerMinuteMax: 300 });
  const ask: Op = { op: "request", ticket: null, holdMs: 20_000, address: null };
  w.batch(Array.from({ length: 80 }, () => ask));
  w.configure({ permitsMax: 60 });
  expect(w.visiting).toBe(60);
});
