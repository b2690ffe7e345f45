/** One lock that was granted. */
export interface Grant {
  readonly askedAt: number;
}

/** Two that ask within this time ask together: they come over different connections. */
const TOGETHER_MS = 10;

/** How many of these, in the order of their grants, came after one who had clearly asked later. */
export const overtaken = (grants: readonly Grant[]): number => {
  let latestAt = -Infinity;
  let count = 0;
  for (const { askedAt } of grants) {
    if (askedAt < latestAt - TOGETHER_MS) count += 1;
    latestAt = Math.max(latestAt, askedAt);
  }
  return count;
};
