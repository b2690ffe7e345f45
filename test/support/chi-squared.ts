/** Pearson's statistic: how far counts lie from what was expected of each. */
export const chiSquared = (counts: readonly number[], expected: number): number =>
  counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);

/** In a thousand honest runs one lies below the first and one above the second (Wilson and Hilferty). */
export const chiSquaredBounds = (degrees: number): readonly [number, number] => {
  const boundAt = (deviations: number): number =>
    degrees * (1 - 2 / (9 * degrees) + deviations * Math.sqrt(2 / (9 * degrees))) ** 3;
  return [boundAt(-3.09), boundAt(3.09)];
};
