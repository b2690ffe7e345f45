import { expect, test } from "vitest";
import { courseColumns, courseWords } from "../../../static/dashboard/changes/foresee.ts";
import type { Eta } from "../../../src/core/estimate/eta.ts";
import type { ForecastPoint } from "../../../src/core/forecast/course.ts";
import { instant } from "../../../src/core/time.ts";

const exactly = (value: number) => ({ value, low: value, high: value });
const unknown: Eta = { known: false, reason: "paused" };

const point = (minute: number, waiting: number, end: Eta = unknown): ForecastPoint => ({
  at: instant(minute * 60_000),
  waiting: { value: waiting, low: waiting - 1, high: waiting + 1 },
  visiting: exactly(5),
  entered: exactly(0),
  head: unknown,
  middle: unknown,
  end,
});

test("[DASH-8] what a change leads to is said beside what comes without it, with its range", () => {
  const seconds = (n: number): Eta => ({ known: true, seconds: n, low: n, high: n });
  const words = courseWords({
    present: [point(0, 40), point(30, 90)],
    changed: [point(0, 40), point(30, 10, seconds(60))],
  });
  expect(words).toEqual([
    "In 30 min: 10 (9 to 11) waiting; as it is set now, 90 (89 to 91).",
    "Who joins then waits 1 min; as it is set now, can't be told how long.",
    "On the site then: 5; as it is set now, 5.",
  ]);
});

test("[DASH-8] both courses are shown as far as both have come, and nothing is said of a start alone", () => {
  const courses = { present: [point(0, 40), point(1, 41)], changed: [point(0, 40)] };
  expect(courseColumns(courses)).toEqual({
    times: [0],
    waiting: [[40], [40]],
    wait: [[null], [null]],
  });
  expect(courseWords(courses)).toEqual([]);
});
