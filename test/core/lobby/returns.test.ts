import { expect, test } from "vitest";
import { RETURNS_PER_SECOND, rankAmong, returnAfterMs } from "../../../src/core/lobby/returns.ts";
import { World } from "../room/world.ts";

/** What the page adds by chance, the same for each run. */
const chanceMs = (page: number): number => ((page * 7_919) % 2_003) * (2_000 / 2_003);

test.each([
  [0, 0, 0],
  [39, 3_999, 0],
  [40, 40, 100],
  [6_000, 6_000, 15_000],
  [16_383, 16_383, 40_900],
  [6_000, 1_000_000, 25_000],
])(
  "[LOBBY-16] with %i before it here and %i in all a page is back %i ms later",
  (before, ahead, ms) => {
    expect(returnAfterMs(before, ahead)).toBe(ms);
  },
);

test.each([
  [50, 0, 15_000],
  [20, 0, 10_000],
  [20, 9_000, 5_500],
  [5, 9_000, 0],
])(
  "[LOBBY-16] with %i s to wait at least, told up to %i ms ago, it is back after %i",
  (low, old, ms) => {
    const eta = { known: true, seconds: low + 5, low, high: low + 9 } as const;
    expect(returnAfterMs(6_000, 6_000, eta, old)).toBe(ms);
  },
);

test.each([500, 4_000, 16_384])(
  "[LOBBY-16] %i pages of one lobby come fewer than 1,000 a second",
  (pages) => {
    const comesAt = Float64Array.from({ length: pages }, (_, page) => {
      return returnAfterMs(page, page) + chanceMs(page);
    }).sort();
    const most = comesAt.reduce(
      (peak, at, page) => Math.max(peak, rankAmong(comesAt, at + 1_000) - page),
      0,
    );
    expect(most).toBeLessThan(1.2 * RETURNS_PER_SECOND);
  },
);

test("[LOBBY-16] a million pages of 122 lobbies come some 40,000 a second", () => {
  const comesAt = Float64Array.from({ length: 1_000_000 }, (_, page) => {
    return returnAfterMs(Math.floor(page / 122), page) + chanceMs(page);
  }).sort();
  const within = (ms: number): number => rankAmong(comesAt, ms + 1_000) - rankAmong(comesAt, ms);
  for (let ms = 0; ms < 27_000; ms += 500) expect(within(ms)).toBeLessThan(45_000);
});

test("where a spot stands among others", () => {
  const spots = Float64Array.of(3, 7, 12);
  expect([1, 3, 4, 7, 12, 13].map((spot) => rankAmong(spots, spot))).toEqual([0, 0, 1, 1, 2, 3]);
});

/** As many as one lobby can see through beside all else it does. */
const STARTS_PER_SECOND = 200;
/** What a page and its lobby need until the Room hears of a return. */
const LATENCY_MS = 600;

/** All pages of a lobby lose their sockets: the most that one is called later than the first behind it. */
const latestMs = (afterMs: (before: number) => number): number => {
  const w = new World({ permitsMax: 20_000, startsPerSecondMax: STARTS_PER_SECOND, paused: true });
  const line = w.crowd(6_000);
  w.configure({ paused: false });
  const back = line
    .map((number, before) => ({
      number,
      at: w.now + afterMs(before) + chanceMs(before) + LATENCY_MS,
    }))
    .toSorted((one, other) => one.at - other.at);
  const bornAgain = { instance: "b" };
  w.report([], bornAgain);
  const calledAt = new Map<number, number>();
  const note = (): void => w.justCalled.forEach((number) => calledAt.set(number, w.now));
  note();
  for (let at = 0; calledAt.size < 4_000; note()) {
    w.now += 100;
    const from = at;
    while ((back[at]?.at ?? Infinity) <= w.now) at += 1;
    w.answer([], { ...bornAgain, present: back.slice(from, at).map(({ number }) => number) });
  }
  let [firstBehind, latest] = [Infinity, 0];
  for (const number of line.toReversed()) {
    const at = calledAt.get(number) ?? Infinity;
    if (at < Infinity) latest = Math.max(latest, at - firstBehind);
    firstBehind = Math.min(firstBehind, at);
  }
  return latest;
};

test("[SETTLE-8] a long line comes back before its turns: nobody is later than the page's own chance", () => {
  expect(latestMs((before) => returnAfterMs(before, before))).toBeLessThanOrEqual(
    2_000 + LATENCY_MS + 100,
  );
});

test("[SETTLE-8] it would not, if its pages came evenly spread", () => {
  const spreadMs = returnAfterMs(6_000, 6_000);
  expect(latestMs((before) => ((before * 3_571) % 6_007) * (spreadMs / 6_007))).toBeGreaterThan(
    5_000,
  );
});
