import { expect, test } from "vitest";
import { historyColumns } from "../../../static/dashboard/live/history-columns.ts";
import { meaningOf, waitBefore } from "../../../static/dashboard/live/link.ts";
import {
  columnsOf,
  GAP_MS,
  POINTS_MAX,
  withPoint,
  type LivePoint,
} from "../../../static/dashboard/live/series.ts";
import { minuteResource } from "../../../src/api/rooms/history.ts";
import { emptyRow } from "../../../src/core/room/history.ts";
import { instant } from "../../../src/core/time.ts";

const point = (at: number, waiting = 0): LivePoint => ({
  at,
  waiting,
  called: 0,
  visiting: 0,
  permits: 1,
  perSecond: 0,
  perMinute: 0,
  head: null,
  middle: null,
  end: null,
});

test("[DASH-5] a point that is not later than the last changes nothing", () => {
  const points = withPoint([], point(1_000, 3));
  expect(withPoint(points, point(1_000, 4))).toBe(points);
  expect(withPoint(points, point(999))).toBe(points);
  expect(withPoint(points, point(Number.NaN))).toBe(points);
  expect(withPoint(points, point(1_001, 4)).map(({ waiting }) => waiting)).toEqual([3, 4]);
});

test("[DASH-5] ten minutes are kept, and the oldest go", () => {
  let points: readonly LivePoint[] = [];
  for (let at = 1; at <= POINTS_MAX + 5; at += 1) points = withPoint(points, point(at));
  expect([points.length, points[0]?.at]).toEqual([POINTS_MAX, 6]);
});

test.each([
  [GAP_MS, [0, GAP_MS / 1_000]],
  [GAP_MS + 1, [0, 0.001, (GAP_MS + 1) / 1_000]],
])("[DASH-5] a silence of %i ms breaks the line where it is long", (silence, times) => {
  const columns = columnsOf([point(0, 1), point(silence, 2)], ["waiting"]);
  expect(columns.times).toEqual(times);
  expect(columns.columns[0]).toEqual(times.length === 2 ? [1, 2] : [1, null, 2]);
});

test("[DASH-9] minutes without a row are zero, and the last is the one that runs", () => {
  const row = minuteResource({ ...emptyRow(instant(60_000)), waitingMax: 7 });
  const { times, people, waits } = historyColumns([row], 3, "minute", 185_000);
  expect(times).toEqual([60, 120, 180]);
  expect(people[0]).toEqual([7, 0, 0]);
  expect(waits[2]).toEqual([null, null, null]);
});

test("[DASH-9] of a day by the hour there are 24 values, whole hours apart", () => {
  const { times } = historyColumns([], 1_440, "hour", 90_000_000);
  expect([times.length, times[0], times.at(-1)]).toEqual([24, 7_200, 90_000]);
});

test("[DASH-5] a lost socket is tried again, ever more seldom up to 15 s, and never all at once", () => {
  expect([0, 1, 2].map((tries) => waitBefore(tries, 1))).toEqual([500, 1_000, 2_000]);
  expect(waitBefore(30, 1)).toBe(15_000);
  expect(waitBefore(30, 0)).toBe(7_500);
});

test("[DASH-5] what a close means: sign in again, gone for good, or try again", () => {
  expect([4401, 4403, 4404, 4410, 4429, 1006, 1013].map(meaningOf)).toEqual([
    ...["token", "forbidden", "gone", "gone", "later", "again", "again"],
  ]);
});
