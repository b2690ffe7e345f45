/** What clients of one key saw, and whether any single order of holders explains it. */

/** One hold as its holder saw it. Instants are of one monotonic clock. */
export interface SeenHold {
  readonly key: string;
  readonly owner: string;
  readonly fence: number;
  readonly askedAt: number;
  readonly grantedAt: number;
  /** When the holder began to give it back or was lost to us; Infinity if it never did. */
  readonly overAt: number;
}

/**
 * The problems of a history; none means that it is linearizable. Fences name the order: so a later
 * fence's holder may not have had the lock for certain while an earlier one's still had it, and who
 * had its lock before another even asked has the lower fence.
 */
export const problemsOf = (holds: readonly SeenHold[]): string[] => {
  const problems: string[] = [];
  const keys = new Set(holds.map(({ key }) => key));
  for (const key of keys) {
    const order = holds.filter((hold) => hold.key === key).sort((a, b) => a.fence - b.fence);
    for (const [at, hold] of order.entries()) {
      const before = order[at - 1];
      if (before === undefined) continue;
      if (before.fence === hold.fence && before.owner !== hold.owner)
        problems.push(`${key}: fence ${hold.fence} has two owners`);
      if (before.owner !== hold.owner && hold.grantedAt < before.overAt)
        problems.push(
          `${key}: ${hold.owner} got fence ${hold.fence} while ${before.owner} held ${before.fence}`,
        );
      if (hold.grantedAt < before.askedAt)
        problems.push(`${key}: fence ${hold.fence} was there before ${before.fence} was asked for`);
    }
  }
  return problems;
};
