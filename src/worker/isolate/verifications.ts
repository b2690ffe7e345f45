/** Questions to a verifier that may run at once: more would hold memory and sockets for nothing. */
const RUNNING_MAX = 64;

export class Verifications {
  #running = 0;

  /** Null, and nothing was begun, where too many are running. */
  async run<T>(ask: () => Promise<T>): Promise<T | null> {
    if (this.#running >= RUNNING_MAX) return null;
    this.#running += 1;
    try {
      return await ask();
    } finally {
      this.#running -= 1;
    }
  }
}
