/** What the work takes, in milliseconds. */
export const millisecondsOf = (work: () => void): number => {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
};
