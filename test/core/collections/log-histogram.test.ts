import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LogHistogram } from "../../../src/core/collections/log-histogram.ts";

const histogramOf = (values: readonly number[]): LogHistogram => {
  const histogram = new LogHistogram();
  for (const value of values) histogram.add(value);
  return histogram;
};

const sizes = fc.array(fc.double({ min: 1, max: 1e9, noNaN: true }), {
  minLength: 1,
  maxLength: 300,
});

describe("quantiles", () => {
  test("are within 5 % of those of the sorted values", () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(sizes, share, (values, wanted) => {
        const sorted = values.toSorted((one, other) => one - other);
        const rank = Math.min(sorted.length, Math.max(1, Math.ceil(wanted * sorted.length)));
        const truth = sorted[rank - 1] ?? 0;
        const told = histogramOf(values).quantile(wanted) ?? 0;
        expect(Math.abs(told - truth) / truth).toBeLessThan(0.05);
      }),
    );
  });

  test("there is none of nothing, and 0 where all is below 1", () => {
    expect(new LogHistogram().quantile(0.5)).toBeNull();
    expect(histogramOf([0, 0.4, Number.NaN, -3]).quantile(1)).toBe(0);
  });
});

test("two that are merged are the one of all values, also by way of JSON", () => {
  fc.assert(
    fc.property(sizes, sizes, (one, other) => {
      const merged = LogHistogram.from(JSON.parse(JSON.stringify(histogramOf(one))));
      merged.merge(histogramOf(other).toJSON());
      expect(merged.toJSON()).toEqual(histogramOf([...one, ...other]).toJSON());
      expect(merged.total).toBe(one.length + other.length);
    }),
  );
});

test("its list is bounded whatever comes, and takes in nothing that is no bucket", () => {
  const histogram = histogramOf([Infinity, 2 ** 60]);
  for (let power = 0; power < 40; power += 0.01) histogram.add(2 ** power);
  expect(histogram.toJSON().length).toBeLessThan(260);
  const before = histogram.toJSON();
  histogram.merge([
    [-1, 5],
    [1e6, 5],
    [0.5, 5],
    [7, -2],
  ]);
  expect(histogram.toJSON()).toEqual(before);
});
