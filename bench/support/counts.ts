import { ask } from "../../test/support/http.ts";

export type Counts = ReadonlyMap<string, number>;

/** What the counted Worker (bench/instrument) has counted while `work` ran. */
export const countsOf = async <T>(
  url: string,
  work: () => Promise<T>,
): Promise<{ readonly value: T; readonly counts: Counts }> => {
  const before = await countsAt(url);
  const value = await work();
  const after = await countsAt(url);
  const names = Object.keys(after);
  return {
    value,
    counts: new Map(names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)])),
  };
};

const countsAt = async (url: string): Promise<Record<string, number>> =>
  (await ask(`${url}/.bench/counts`)).json();

/** The sum of all counts whose names begin so. */
export const sumOf = (counts: Counts, ...beginnings: readonly string[]): number =>
  [...counts]
    .filter(([name]) => beginnings.some((beginning) => name.startsWith(beginning)))
    .reduce((sum, [, count]) => sum + count, 0);
