import fc from "fast-check";
import { expect, test } from "vitest";
import { startsAhead } from "../../../src/core/estimate/starts.ts";
import { callsLeft } from "../../../src/core/ring/call-rate.ts";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import { instant } from "../../../src/core/time.ts";

const T0 = 1_800_000_000_000;

test("[ETA-8] the starts forecast are those that the usher would make, second by second", () => {
  const limits = fc.record({
    perMinuteMax: fc.integer({ min: 1, max: 600 }),
    perSecondMax: fc.option(fc.integer({ min: 1, max: 20 })),
    before: fc.array(fc.nat(5), { maxLength: 70 }),
  });
  fc.assert(
    fc.property(limits, ({ perMinuteMax, perSecondMax, before }) => {
      const limiter = new StartLimiter({
        perSecondMax,
        perMinuteMax,
        ring: "calendar",
        guardMs: 0,
      });
      const callAll = (now: number, most: number): number => {
        let called = 0;
        for (; called < most && callsLeft(limiter, perMinuteMax, instant(now)) > 0; called += 1)
          limiter.tryStart(instant(now));
        return called;
      };
      before.forEach((count, second) => callAll(T0 + second * 1_000, count));
      const now = T0 + before.length * 1_000;
      const ahead = startsAhead({
        lastMinute: limiter.lastMinute(instant(now)),
        perMinuteMax,
        perSecondMax: perSecondMax ?? Infinity,
        perSecondWindowMs: 1_000,
        owed: 0,
      });
      let called = 0;
      for (let second = 0; second < 300; second += 1) {
        called += callAll(now + second * 1_000, Infinity);
        // Shares of a second are whole for the usher.
        expect(Math.abs(ahead.within(second * 1_000) - called)).toBeLessThanOrEqual(
          2 + perMinuteMax / 20,
        );
      }
    }),
    { numRuns: 60 },
  );
});

test("[ETA-8] when so many have started is the moment from which so many may have", () => {
  const ahead = startsAhead({
    lastMinute: new Array<number>(60).fill(0),
    perMinuteMax: 60,
    perSecondMax: Infinity,
    perSecondWindowMs: 1_000,
    owed: 0,
  });
  expect(ahead.untilMs(1)).toBe(0);
  expect(ahead.untilMs(30)).toBe(0);
  for (const count of [31, 45, 100, 1_000]) {
    const ms = ahead.untilMs(count);
    expect(ahead.within(ms)).toBeGreaterThanOrEqual(count - 1e-6);
    expect(ahead.within(ms - 1_000)).toBeLessThan(count);
  }
});
