import { expect, test } from "vitest";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import { instant } from "../../../src/core/time.ts";

/** A whole minute of the clock. */
const T0 = 1_700_000_040_000;
const at = (ms: number) => instant(T0 + ms);

test("[RING-4] 100,000 a second are counted to the last one", () => {
  const limiter = new StartLimiter({
    perSecondMax: 100_000,
    perMinuteMax: null,
    ring: "sliding",
    guardMs: 0,
  });
  let started = 0;
  for (let ms = 0; ms < 1_000; ms += 1) {
    for (let i = 0; i < 101; i += 1) if (limiter.tryStart(at(ms)).ok) started += 1;
  }
  expect(started).toBe(100_000);
  expect(limiter.room(at(999))).toBe(0);
  expect(limiter.room(at(1_000))).toBe(101);
});
