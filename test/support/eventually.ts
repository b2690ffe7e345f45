import { setTimeout as sleep } from "node:timers/promises";

export interface EventuallyOptions {
  /** Milliseconds until the last failure is thrown; 5,000 by default. */
  readonly within?: number;
  readonly every?: number;
}

/**
 * Repeats until `attempt` neither throws nor returns `false`, and returns its value. The last error
 * is the one that is thrown.
 */
export const eventually = async <T>(
  attempt: () => T | Promise<T>,
  { within = 5_000, every = 25 }: EventuallyOptions = {},
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
    await sleep(every);
  }
};
