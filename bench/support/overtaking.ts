/** One start at the origin. */
export interface Start {
  /** In which order the contender took its requests in: its own count. */
  readonly number: number;
  readonly startedAt: number;
}

/** Two that start within this time started together: they come over different sockets. */
const TOGETHER_MS = 10;

/** How many started clearly later than one that had been taken in after them. */
export const overtaken = (starts: readonly Start[]): number => {
  let highest = -Infinity;
  /** When a number at least this high had started first. */
  const risen: Start[] = [];
  let count = 0;
  for (const start of starts) {
    if (start.number > highest) {
      highest = start.number;
      risen.push(start);
      continue;
    }
    const first = risen.find(({ number }) => number > start.number);
    if (first !== undefined && start.startedAt - first.startedAt > TOGETHER_MS) count += 1;
  }
  return count;
};
