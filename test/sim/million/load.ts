/** What one object has to do, second by second. */
export class Load {
  readonly #perSecond: number[] = [];
  /** Real milliseconds of this machine's processor, rests after `await`s of timers and answers apart. */
  busyMs = 0;
  #messages = 0;
  #requests = 0;

  /** A call, an upgrade, an alarm, or a socket's message or end that wakes the object. */
  request(now: number): void {
    const second = Math.floor(now / 1_000);
    this.#perSecond[second] = (this.#perSecond[second] ?? 0) + 1;
    this.#requests += 1;
  }

  message(now: number): void {
    this.request(now);
    this.#messages += 1;
  }

  get requests(): number {
    return this.#requests;
  }

  /** Of the requests, those that were messages of sockets. */
  get messages(): number {
    return this.#messages;
  }

  /** In the busiest second. */
  get peak(): number {
    return this.#perSecond.reduce((most, count) => Math.max(most, count ?? 0), 0);
  }

  /** Of the seconds up to this moment. */
  meanUntil(now: number): number {
    const seconds = Math.ceil(now / 1_000);
    const requests = this.#perSecond
      .slice(0, seconds)
      .reduce((sum, count) => sum + (count ?? 0), 0);
    return requests / Math.max(1, seconds);
  }
}
