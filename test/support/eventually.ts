/**
 * How long a busy machine may take where no rule names a time, in milliseconds. Only a test that
 * fails waits as long.
 */
export const PATIENCE_MS = 60_000;

export interface EventuallyOptions {
  /** Milliseconds until the last failure is thrown; `PATIENCE_MS` by default. A rule's own time. */
  readonly within?: number;
  readonly every?: number;
}

/**
 * Repeats until `attempt` neither throws nor returns `false`, and returns its value. The last error
 * is the one that is thrown.
 */
export const eventually = async <T>(
  attempt: () => T | Promise<T>,
  { within = PATIENCE_MS, every = 25 }: EventuallyOptions = {},
): Promise<T> => {
  const giveUpAt = performance.now() + within;
  for (;;) {
    try {
      const value = await attempt();
      if (value !== false) return value;
      if (performance.now() >= giveUpAt) throw new Error(`still false after ${within} ms`);
    } catch (thrown) {
      if (performance.now() >= giveUpAt) throw thrown;
    }
    // In Node and in workerd.
    await new Promise((later) => setTimeout(later, every));
  }
};
