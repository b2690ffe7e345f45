/** How long a busy machine may take where no rule names a time. Only a test that fails waits as long. */
const PATIENCE_MS = 60_000;

/** What fails is asked again, as clients do, until it is answered or the time is up. */
export const insistently = async <T>(ask: () => Promise<T>, withinMs = PATIENCE_MS): Promise<T> => {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (Date.now() > until) throw error;
      await scheduler.wait(10);
    }
  }
};
