import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { EntryRate, SILENCE_MAX_SECONDS } from "../../../src/core/estimate/entry-rate.ts";
import { instant } from "../../../src/core/time.ts";

const T0 = 1_700_000_040_000;
const at = (seconds: number) => instant(T0 + seconds * 1_000);

/** `perSecond` entries in each of the seconds `from` up to `to`. */
const enter = (rate: EntryRate, from: number, to: number, perSecond: number): void => {
  for (let second = from; second < to; second++) {
    for (let i = 0; i < perSecond; i++) rate.entered(at(second));
  }
};

describe("the rate", () => {
  test("[ETA-1] nobody has entered: nothing is known", () => {
    const rate = new EntryRate();
    expect(rate.perMinute(at(0))).toBe(0);
  });

  test.each([
    [SILENCE_MAX_SECONDS, true],
    [SILENCE_MAX_SECONDS + 1, false],
  ])("[ETA-1] %i s after the last entry something is known: %s", (silence, expected) => {
    const rate = new EntryRate();
    enter(rate, 0, 60, 2);
    expect(rate.perMinute(at(59 + silence)) > 0).toBe(expected);
  });

  test.each([1, 2, 10, 200])("[ETA-2] %i a second for a minute is told as such", (perSecond) => {
    const rate = new EntryRate();
    enter(rate, 0, 60, perSecond);
    expect(rate.perMinute(at(60))).toBeCloseTo(perSecond * 60, 6);
  });

  test("[ETA-2] a slow room, one in three minutes, is not forgotten between two entries", () => {
    const rate = new EntryRate();
    for (let second = 0; second <= 7_200; second += 180) rate.entered(at(second));
    for (let second = 7_201; second < 7_380; second += 20) {
      const perMinute = rate.perMinute(at(second));
      expect(perMinute).toBeGreaterThan(0.22);
      expect(perMinute).toBeLessThan(0.5);
    }
  });

  test("[ETA-2] a steady change is followed within a few minutes", () => {
    const rate = new EntryRate();
    enter(rate, 0, 300, 10);
    enter(rate, 300, 600, 1);
    expect(rate.perMinute(at(600))).toBeLessThan(90);
    enter(rate, 600, 900, 10);
    expect(rate.perMinute(at(900))).toBeGreaterThan(500);
  });

  test("[ETA-3] after a minute the rate moves by a tenth a second at most, whatever comes", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.nat(3), fc.constantFrom(0, 0, 1_000)), {
          minLength: 70,
          maxLength: 200,
        }),
        (counts) => {
          const rate = new EntryRate();
          enter(rate, 0, 60, 1);
          let before = rate.perMinute(at(60));
          counts.forEach((count, i) => {
            enter(rate, 60 + i, 61 + i, count);
            const next = rate.perMinute(at(61 + i));
            expect(next).toBeLessThanOrEqual(before * 1.1 + 1e-9);
            expect(next).toBeGreaterThanOrEqual(before / 1.1 - 1e-9);
            before = next;
          });
        },
      ),
      { numRuns: 50 },
    );
  });

  test("[ETA-3] when limits change it may move at once", () => {
    const rate = new EntryRate();
    enter(rate, 0, 120, 1);
    rate.limitsChanged(at(120));
    enter(rate, 120, 140, 20);
    expect(rate.perMinute(at(140))).toBeGreaterThan(600);
    const unmoved = new EntryRate();
    enter(unmoved, 0, 120, 1);
    enter(unmoved, 120, 140, 20);
    expect(unmoved.perMinute(at(140))).toBeLessThan(440);
  });

  test("[ETA-3] what came before the limits changed counts by the old measure", () => {
    const rate = new EntryRate();
    enter(rate, 0, 120, 1);
    enter(rate, 120, 121, 50);
    rate.limitsChanged(at(121));
    expect(rate.perMinute(at(121))).toBeCloseTo(66, 6);
  });

  test("[ETA-2] the first minute is a plain mean, and a moving one begins at its end", () => {
    const rate = new EntryRate();
    enter(rate, 0, 59, 1);
    rate.perMinute(at(60));
    expect(rate.toJSON()[0]).toBeCloseTo(59 / 60, 9);
    const grown = new EntryRate();
    enter(grown, 0, 60, 1);
    grown.perMinute(at(61));
    expect(grown.toJSON()[0]).toBeCloseTo(59 / 60, 9);
  });

  test("[ETA-5] a restart changes nothing of the rate", () => {
    const rate = new EntryRate();
    enter(rate, 0, 45, 3);
    const next = EntryRate.restore(
      JSON.parse(JSON.stringify(rate)) as ReturnType<EntryRate["toJSON"]>,
    );
    for (const both of [rate, next]) enter(both, 45, 50, 2);
    expect(next.perMinute(at(60))).toBe(rate.perMinute(at(60)));
    expect(EntryRate.restore(null).perMinute(at(0))).toBe(0);
  });
});
