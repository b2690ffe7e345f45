/** The value below which the given share (0 to 1) of all values lies, by nearest rank. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
};

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** Three digits are all that a noisy machine can tell. */
export const rounded = (value: number): string =>
  Number(value.toPrecision(3)).toLocaleString("en", { maximumSignificantDigits: 3 });
