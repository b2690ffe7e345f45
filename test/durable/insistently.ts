/** What fails is asked again, as clients do, until it is answered or the time is up. */
export const insistently = async <T>(ask: () => Promise<T>, withinMs = 20_000): Promise<T> => {
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
