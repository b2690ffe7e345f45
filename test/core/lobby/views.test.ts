import { expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { FollowedSnapshot } from "../../../src/core/lobby/followed-snapshot.ts";
import {
  etaFor,
  missedPlace,
  nextPositionMs,
  placeFrom,
  pollAfterSeconds,
} from "../../../src/core/lobby/ticket-view.ts";
import type { EndedVisit, RoomSnapshot } from "../../../src/core/snapshot.ts";
import type { Place } from "../../../src/core/room/commands.ts";
import type { WaitTable } from "../../../src/core/estimate/eta.ts";
import { instant } from "../../../src/core/time.ts";

test.each([
  ["waiting", { known: false, reason: "no-ends" }, 6],
  ["waiting", { known: true, seconds: 10, low: 5, high: 20 }, 2],
  ["waiting", { known: true, seconds: 100, low: 80, high: 120 }, 8],
  ["waiting", { known: true, seconds: 9_000, low: 8_000, high: 10_000 }, 15],
  ["called", { known: false, reason: "unheard" }, 2],
] as const)("[POLL-1] %s with %j: again in %i s", (state, eta, seconds) => {
  expect(pollAfterSeconds(state, eta)).toBe(seconds);
});

test.each([
  [3_600_000, 15],
  [60_000, 15],
  [59_999, 14],
  [20_000, 5],
  [8_000, 2],
  [1_000, 2],
])("[POLL-1] with a return window of %i ms: at the latest in %i s", (windowMs, seconds) => {
  const eta = { known: true, seconds: 9_000, low: 8_000, high: 10_000 } as const;
  expect(pollAfterSeconds("waiting", eta, windowMs)).toBe(seconds);
});

const placeWith = (number: number, ahead: number): Place => ({
  number: ticketNumber(number),
  state: "waiting",
  ahead,
  claimBy: null,
});

test("[POLL-2] positions: each tick for the first 50, every 5 to 15 s further back", () => {
  expect(nextPositionMs(placeWith(60, 49))).toBe(0);
  for (const ahead of [50, 999, 1_000, 9_999, 10_000, 1_000_000]) {
    for (let number = 1; number < 200; number += 1) {
      const ms = nextPositionMs(placeWith(number, ahead));
      expect(ms).toBeGreaterThanOrEqual(5_000);
      expect(ms).toBeLessThanOrEqual(15_000);
    }
  }
});

test.each([
  [50, 5_000],
  [999, 5_000],
  [1_000, 9_000],
  [9_999, 9_000],
  [10_000, 12_000],
])(
  "[POLL-2] with %i ahead the next position comes after %i ms and up to 3 s of spread",
  (ahead, base) => {
    const spread = Array.from(
      { length: 300 },
      (_, index) => nextPositionMs(placeWith(index + 1, ahead)) - base,
    );
    expect(Math.min(...spread)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...spread)).toBeLessThan(3_000);
    expect(new Set(spread).size).toBe(300);
    expect(spread.every(Number.isInteger)).toBe(true);
  },
);

const waits: WaitTable = {
  at: instant(0),
  ranks: Float64Array.of(1, 100),
  lowMs: Float64Array.of(1_000, 100_000),
  ms: Float64Array.of(1_000, 100_000),
  highMs: Float64Array.of(1_000, 100_000),
  unknown: null,
  beyond: "no-ends",
  outlook: {
    at: instant(0),
    nextAt: instant(0),
    lastMinute: new Array(60).fill(0),
    perMinuteMax: null,
    perSecondMax: null,
    windowMs: null,
    left: null,
  },
};
const place = (state: Place["state"]): Place => ({
  number: ticketNumber(12),
  state,
  ahead: 59,
  claimBy: null,
});

test.each([
  ["waiting", true],
  ["away", true],
  ["called", false],
  ["visiting", false],
] as const)("[ETA-6] %s: a wait is told: %s", (state, known) => {
  expect(etaFor(waits, place(state), instant(0))).toMatchObject(
    known ? { known, seconds: 60 } : { known },
  );
  expect(etaFor(null, place(state), instant(0))).toEqual({ known: false, reason: "unheard" });
});

test("[POLL-3] between two questions to the Room a number stands where the last table puts it", () => {
  const positions = { spots: Float64Array.of(3, 7, 12), ahead: Uint32Array.of(0, 1, 2) };
  expect(placeFrom({ positions, nearUntil: 0 }, ticketNumber(12))).toEqual({
    number: 12,
    state: "waiting",
    ahead: 2,
    claimBy: null,
  });
});

test.each([
  ["one that was not in line", 8],
  ["one that joined since", 13],
])("[POLL-3] of %s the table says nothing, and the Room is asked", (_, number) => {
  const positions = { spots: Float64Array.of(3, 7, 12), ahead: Uint32Array.of(0, 1, 2) };
  expect(placeFrom({ positions, nearUntil: 0 }, ticketNumber(number))).toBeNull();
});

const ended = (visit: number, version: number): EndedVisit => ({
  visit: ticketNumber(visit),
  version,
  passesUntil: instant(900_000),
});

const snapshot = (
  boot: string,
  since: number | null,
  list: readonly EndedVisit[],
): RoomSnapshot => ({
  version: { boot, ended: list.at(-1)?.version ?? since ?? 0 },
  at: instant(1_000),
  mode: "open",
  epoch: 1,
  message: null,
  closed: null,
  lobbiesOpen: [lobbyIndex(0)],
  waiting: 0,
  called: 0,
  visiting: 0,
  permitsMax: 1,
  issued: 0,
  entriesPerMinute: 0,
  newcomer: { known: false, reason: "no-ends" },
  endedSince: since,
  ended: list,
});

test("[SNAP-9] an edge hears what ended since its version, or everything from another boot", () => {
  const followed = new FollowedSnapshot();
  expect(followed.for(null, instant(0))).toBeNull();
  followed.follow(snapshot("a", null, [ended(1, 1), ended(2, 2)]), instant(0));
  followed.follow(snapshot("a", 2, [ended(3, 3)]), instant(1_000));
  const visits = (since: { boot: string; ended: number } | null) =>
    followed.for(since, instant(1_000))?.ended.map(({ visit }) => visit);
  expect(visits({ boot: "a", ended: 2 })).toEqual([3]);
  expect(visits({ boot: "a", ended: 3 })).toEqual([]);
  expect(visits({ boot: "b", ended: 2 })).toEqual([1, 2, 3]);
  expect(visits(null)).toEqual([1, 2, 3]);
  followed.follow(snapshot("b", null, [ended(9, 1)]), instant(2_000));
  expect(visits({ boot: "a", ended: 3 })).toEqual([9]);
});

test("[SNAP-9] it goes on from the version at hand, and tells everything to an edge that is ahead of it", () => {
  const followed = new FollowedSnapshot();
  expect(followed.version).toBeNull();
  followed.follow(snapshot("a", null, [ended(1, 1), ended(2, 2)]), instant(0));
  expect(followed.version).toEqual({ boot: "a", ended: 2 });
  const ahead = followed.for({ boot: "a", ended: 3 }, instant(0));
  expect(ahead).toMatchObject({ endedSince: null, ended: [{ visit: 1 }, { visit: 2 }] });
  const level = followed.for({ boot: "a", ended: 2 }, instant(0));
  expect(level).toMatchObject({ endedSince: 2, ended: [] });
});

test("[SNAP-9] a snapshot's age is counted from when the Room was asked", () => {
  const followed = new FollowedSnapshot();
  expect(followed.ageMs(instant(5))).toBe(Infinity);
  followed.follow(snapshot("a", null, []), instant(500));
  expect(followed.ageMs(instant(1_700))).toBe(1_200);
});

test("[RANDOM-5] where turns are drawn, lobbies tell among how many, and how long nobody knows", () => {
  const positions = { spots: Float64Array.of(10, 12), ahead: Uint32Array.of(0, 1) };
  const table = { positions, nearUntil: 0, among: 4_000 } as const;
  const drawn = { number: 12, state: "waiting", ahead: null, among: 4_000, claimBy: null };
  const told = placeFrom(table, ticketNumber(12))!;
  expect(told).toEqual(drawn);
  expect(placeFrom(table, ticketNumber(13))).toBeNull();
  expect(missedPlace(ticketNumber(12), table)).toEqual({ ...drawn, state: "away" });
  expect(etaFor(waits, told, instant(0))).toEqual({ known: false, reason: "random" });
  expect(nextPositionMs(told)).toBeGreaterThanOrEqual(9_000);
});

test("[POLL-2] a number that missed its call is told so with nobody ahead", () => {
  const positions = { spots: new Float64Array(0), ahead: new Uint32Array(0) };
  const place = { number: 7, state: "away", ahead: 0, claimBy: null };
  expect(missedPlace(ticketNumber(7), { positions, nearUntil: 0 })).toEqual(place);
});
