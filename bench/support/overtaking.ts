/** One start at the origin. Instants are `Date.now()` of the machine that all run on. */
export interface Start {
  readonly sentAt: number;
  readonly startedAt: number;
}

/** Sent so much later than another that starting before it is no accident of two sockets. */
const SLACK_MS = 10;

/** How many started before one that had been sent clearly earlier. */
export const overtakings = (starts: readonly Start[]): number => {
  let earliestLeft = Infinity;
  let count = 0;
  for (let at = starts.length - 1; at >= 0; at -= 1) {
    const { sentAt } = starts[at]!;
    if (sentAt > earliestLeft + SLACK_MS) count += 1;
    earliestLeft = Math.min(earliestLeft, sentAt);
  }
  return count;
};
