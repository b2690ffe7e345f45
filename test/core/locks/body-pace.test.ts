import { expect, test } from "vitest";
import { patienceMs } from "../../../src/core/locks/body-pace.ts";

const MINUTE = 60_000;

test.each([
  [0, 0, 15_000],
  [15_000, 0, 15_000],
  [15_001, 0, 14_999],
  [29_999, 0, 1],
  [30_000, 0, 0],
  [30_000, 1_023, 0],
  [30_000, 1_024, 1_000],
  [30_000, 15 * 1_024, 15_000],
  [299_999, 1_048_576, 1],
  [300_000, 1_048_576, 0],
])("[RULE-40] after %i ms and %i bytes the next piece has %i ms", (waited, bytes, left) => {
  expect(patienceMs(waited, bytes, 5 * MINUTE)).toBe(left);
});

test("[RULE-40] a rule may give less", () => {
  expect(patienceMs(0, 1_048_576, 1_000)).toBe(1_000);
  expect(patienceMs(1_000, 1_048_576, 1_000)).toBe(0);
});
