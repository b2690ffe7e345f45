import { expect, test } from "vitest";
import { instant } from "../../src/core/time.ts";
import { ClockEstimate } from "../../src/core/lobby/clock-estimate.ts";

test("[PRESENCE-10] a clock that is recalled after a sleep tells the time, and is no word of the Room", () => {
  const clock = new ClockEstimate();
  clock.recall(instant(5_000), 1_000);
  clock.recall(instant(4_000), 1_500);
  expect([clock.read(1_700), clock.fromLocal(1_200, 1_700)]).toEqual([5_700, 5_200]);
  expect(clock.firstHeard).toBeNull();
  clock.hear(instant(6_000), 1_900);
  expect([clock.firstHeard, clock.read(2_000)]).toEqual([6_000, 6_100]);
});
