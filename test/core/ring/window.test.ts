import { expect, test } from "vitest";
import { RecentStarts } from "../../../src/core/ring/window.ts";
import { instant } from "../../../src/core/time.ts";

const startsAt = (...moments: number[]): RecentStarts => {
  const recent = new RecentStarts(1_000);
  for (const at of moments) recent.add(instant(at));
  return recent;
};

test.each([
  [1_099, 3],
  [1_100, 2],
  [1_199, 2],
  [1_200, 0],
])("[RING-4] started at 100, 200 and 200: at %i a window of 1,000 ms holds %i", (now, count) => {
  expect(startsAt(100, 200, 200).within(1_000, instant(now))).toBe(count);
});

test("[RING-4] the latest starts are known one by one, also those of one instant", () => {
  const recent = startsAt(100, 200, 200, 300);
  expect([1, 2, 3, 4, 5].map((back) => recent.latest(back))).toEqual([300, 200, 200, 100, null]);
});

test("[RING-8] one that is given back is taken from its own instant, and from no other", () => {
  const recent = startsAt(100, 200, 200, 300);
  recent.remove(instant(200));
  recent.remove(instant(250));
  expect([1, 2, 3, 4].map((back) => recent.latest(back))).toEqual([300, 200, 100, null]);
  recent.remove(instant(200));
  recent.remove(instant(200));
  expect([1, 2, 3].map((back) => recent.latest(back))).toEqual([300, 100, null]);
  expect(recent.within(1_000, instant(300))).toBe(2);
});

test("[RING-4] what lies before every window is forgotten, so that memory stays bounded", () => {
  const recent = startsAt(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1_005);
  expect([5, 6].map((back) => recent.latest(back))).toEqual([6, null]);
  recent.add(instant(2_005));
  expect([1, 2].map((back) => recent.latest(back))).toEqual([2_005, null]);
});
