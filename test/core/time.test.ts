import { expect, test } from "vitest";
import { after, earliest, instant, isOver, rfc3339 } from "../../src/core/time.ts";

test.each([
  [999, false],
  [1_000, true],
  [1_001, true],
])("[TIME-1] what expires at 1,000 is over at %i: %s", (now, over) => {
  expect(isOver(instant(1_000), instant(now))).toBe(over);
});

test.each([
  [[], null],
  [[null, null], null],
  [[null, 5], 5],
  [[5, null], 5],
  [[5, 7], 5],
  [[7, 5, null, 6], 5],
  [[0, 3], 0],
])("[TIME-2] of %j the earliest is %s", (moments, first) => {
  expect(earliest(...moments.map((at) => (at === null ? null : instant(at))))).toBe(first);
});

test("[TIME-2] instants are whole milliseconds, and leave us as RFC 3339 in UTC", () => {
  expect([instant(1.6), after(instant(1_000), -0.4)]).toEqual([2, 1_000]);
  expect(rfc3339(instant(1_800_000_000_123))).toBe("2027-01-15T08:00:00.123Z");
});
