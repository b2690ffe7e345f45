import { afterEach, beforeEach, expect, test, vi } from "vitest";
import {
  AGAIN_AFTER_MS,
  keepForeseeing,
} from "../../../static/dashboard/changes/keep-foreseeing.ts";
import type { Courses } from "../../../static/dashboard/changes/foresee.ts";
import type { ForecastPoint } from "../../../src/core/forecast/course.ts";
import { instant } from "../../../src/core/time.ts";

const exactly = (value: number) => ({ value, low: value, high: value });
const unknown = { known: false, reason: "paused" } as const;

const point = (waiting: number): ForecastPoint => ({
  at: instant(0),
  waiting: exactly(waiting),
  visiting: exactly(0),
  entered: exactly(0),
  head: unknown,
  middle: unknown,
  end: unknown,
});

interface Outset {
  readonly waiting: number;
}

let told: number[][];
let runs: number[];
let outset: Outset;
let stop: () => void;

/** Each point takes as long as a slice, so that a run is many slices. */
const slowly = function* (waiting: number): Generator<ForecastPoint> {
  for (const ahead of [0, 1, 2]) {
    elapsed += 20;
    yield point(waiting + ahead);
  }
};
let elapsed = 0;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.spyOn(performance, "now").mockImplementation(() => elapsed);
  [told, runs, outset] = [[], [], { waiting: 10 }];
  stop = keepForeseeing(
    () => outset,
    ({ waiting }: Outset) => {
      runs.push(waiting);
      return [slowly(waiting), slowly(waiting)];
    },
    ({ present }: Courses) => told.push(present.map((each) => each.waiting.value)),
  );
});

afterEach(() => {
  stop();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

test("[DASH-8] the first forecast is told as it comes", () => {
  vi.advanceTimersByTime(100);
  expect(told).toEqual([[10], [10, 11], [10, 11, 12], [10, 11, 12]]);
});

test("[DASH-8] a newer message makes the forecast anew, seconds after the last one was whole, and it is told whole", () => {
  vi.advanceTimersByTime(100);
  told = [];
  for (outset of [{ waiting: 20 }, { waiting: 30 }, { waiting: 40 }])
    vi.advanceTimersByTime(AGAIN_AFTER_MS / 4);
  expect(runs).toEqual([10]);
  vi.advanceTimersByTime(AGAIN_AFTER_MS / 4 + 100);
  expect(runs).toEqual([10, 40]);
  expect(told).toEqual([[40, 41, 42]]);
});

test("[DASH-8] without a newer message nothing runs, and after the end nothing at all", () => {
  vi.advanceTimersByTime(10 * AGAIN_AFTER_MS);
  expect(runs).toEqual([10]);
  stop();
  outset = { waiting: 20 };
  vi.advanceTimersByTime(10 * AGAIN_AFTER_MS);
  expect(runs).toEqual([10]);
});
