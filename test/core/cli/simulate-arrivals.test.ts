import { expect, test } from "vitest";
import { arrivalsIn } from "../../../cli/simulate/arrivals-file.ts";
import { cameAsTold, historySpanOf } from "../../../cli/simulate/came.ts";
import { minuteResource, type MinuteResource } from "../../../src/api/rooms/history.ts";
import { emptyRow } from "../../../src/core/room/history.ts";
import { instant } from "../../../src/core/time.ts";

const MINUTE = 60_000;

/** Lengths in minutes, and visitors. */
const partsIn = (text: string): readonly (readonly [number, number])[] => {
  const read = arrivalsIn(text);
  if (!read.ok) throw new Error(read.problems.join("; "));
  return read.arrivals.map(({ lengthMs, weight }) => [lengthMs / MINUTE, weight]);
};

const problemsIn = (text: string): readonly string[] => {
  const read = arrivalsIn(text);
  return read.ok ? [] : read.problems;
};

test.each([
  [
    "a CSV with its heading",
    "minute,visitors\r\n0,120\r\n1,80\r\n",
    [
      [1, 120],
      [1, 80],
    ],
  ],
  [
    "from each minute to the next",
    "0;100\n5;200\n20;50\n",
    [
      [5, 100],
      [15, 200],
      [15, 50],
    ],
  ],
  [
    "visitors alone, minute by minute",
    "10\n20\n\n30",
    [
      [1, 10],
      [1, 20],
      [1, 30],
    ],
  ],
  [
    "spaces, tabs, notes and thousands",
    "# Friday\n0\t1,200\n2.5 1_000 # doors\n",
    [
      [2.5, 1200],
      [2.5, 1000],
    ],
  ],
  [
    "values in quotes",
    '\uFEFF"0","1,200"\n"1","7"\n',
    [
      [1, 1200],
      [1, 7],
    ],
  ],
  [
    "a time before the first",
    "30 5",
    [
      [30, 0],
      [1, 5],
    ],
  ],
])("[SIMULATE-12] arrivals from a file: %s", (_, text, parts) => {
  expect(partsIn(text)).toEqual(parts);
});

test("[SIMULATE-12] every mistake is told with its line and what belongs there", () => {
  const text = "minute,visitors\n0,10\n0,12\nfive,10\n2,-4\n3\n4,5,6\n5,99999999\n20000,1\n6,1.5";
  expect(problemsIn(text)).toEqual([
    "line 3: minute 0 comes after minute 0: minutes rise from line to line",
    'line 4: "five" is no minute: minutes from 0 to 10,080, such as 5 or 7.5',
    'line 5: "-4": a whole number of visitors, at most 10,000,000',
    "line 6: visitors without a minute; the lines before have one, as in 5,1200",
    "line 7: 3 values; a minute and its visitors are two, as in 5,1200",
    'line 8: "99999999": a whole number of visitors, at most 10,000,000',
    'line 9: "20000" is no minute: minutes from 0 to 10,080, such as 5 or 7.5',
    'line 10: "1.5": a whole number of visitors, at most 10,000,000',
  ]);
  expect(problemsIn("5\n0,5")).toEqual([
    "line 2: a minute and visitors; the lines before have visitors alone",
  ]);
});

test.each([
  ["", "nobody comes"],
  ["minute,visitors\n", "nobody comes"],
  ["0,0\n1,0", "nobody comes"],
  ["0,9000000\n1,9000000", "18,000,000 visitors in all, at most 10,000,000"],
  ["1\n".repeat(10_081), "line 10081: later than a week after the first"],
])("[SIMULATE-12] a file is bounded, and has somebody in it (%#)", (text, said) => {
  expect(problemsIn(text).join("; ")).toContain(said);
});

test("[SIMULATE-12] of many mistakes twenty are told, and a shape may have any sum", () => {
  expect(problemsIn("x1\n".repeat(500))).toHaveLength(21);
  expect(problemsIn("x1\n".repeat(500)).at(-1)).toBe("and 480 more");
  expect(arrivalsIn("0,9000000\n1,9000000", true).ok).toBe(true);
});

const minuteAt = (minute: number, change: Partial<MinuteResource>): MinuteResource => ({
  ...minuteResource(emptyRow(instant(minute * MINUTE))),
  ...change,
});

test("[SIMULATE-13] of a history who took a number came, once, and minutes without anybody have passed", () => {
  const told = [
    minuteAt(99, { finished: 3 }),
    minuteAt(100, { issued: 46, entries_by_door: 11, waiting_max: 6, wait_max_seconds: 1.7 }),
    minuteAt(103, { issued: 74, entries_by_door: 18, waiting_max: 4, out_max: 5 }),
    minuteAt(104, { finished: 9 }),
  ];
  const { visitors, arrivals, really } = cameAsTold(told, "minute", "shop");
  expect(visitors).toBe(120);
  expect(arrivals.map(({ weight }) => weight)).toEqual([46, 0, 0, 74]);
  expect(arrivals.every(({ lengthMs }) => lengthMs === MINUTE)).toBe(true);
  expect(really).toMatchObject({ longestWaitMs: 1_700, waitingMost: 6, visitingMost: 5 });
  expect(really.course.map(({ atMs }) => atMs / MINUTE)).toEqual([0, 1, 2, 3, 4, 5]);
  expect(really.course.map(({ waiting }) => waiting)).toEqual([6, 0, 0, 4, 0, 0]);
  expect(really.course.map(({ visiting }) => visiting)).toEqual([0, 0, 0, 5, 0, 0]);
  expect(() => cameAsTold([minuteAt(1, { finished: 2 })], "minute", "shop")).toThrow(/nobody came/);
});

test("[SIMULATE-13] the first and the last minute are as busy as their neighbours, and as much shorter", () => {
  const lengths = (...issued: readonly number[]): readonly number[] =>
    cameAsTold(
      issued.map((count, at) => minuteAt(at, { issued: count })),
      "minute",
      "shop",
    ).arrivals.map(({ lengthMs }) => lengthMs / 1_000);
  expect(lengths(64, 128, 96)).toEqual([30, 60, 45]);
  expect(lengths(45, 90)).toEqual([30, 60]);
  expect(lengths(90, 50, 60)).toEqual([60, 60, 60]);
  expect(lengths(7)).toEqual([60]);
  expect(lengths(1, 1_000, 1)).toEqual([1, 60, 1]);
});

test("[SIMULATE-13] at most a week of a history is simulated", () => {
  const now = Date.parse("2026-11-23T12:00:00Z");
  expect(historySpanOf("2d", "1d", now)).toMatchObject({ to: now - 24 * 60 * MINUTE });
  expect(historySpanOf("6d", null, now)).toMatchObject({ to: now, step: "minute" });
  expect(() => historySpanOf("8d", null, now)).toThrow(/at most a week/);
  expect(() => historySpanOf("1d", "2d", now)).toThrow(/must lie before --until/);
});
