import { after, instant, type InstantMs } from "../time.ts";

/** The Room's clock as a lobby knows it: the Room's last word, moved on by the lobby's own clock. */
export class ClockEstimate {
  #now: InstantMs | null = null;
  #heardAt = 0;
  #firstHeard: InstantMs | null = null;

  /** The Room's first word; null before. */
  get firstHeard(): InstantMs | null {
    return this.#firstHeard;
  }

  hear(now: InstantMs, localNow: number): void {
    this.#firstHeard ??= now;
    this.recall(now, localNow);
  }

  /**
   * Goes on from what an earlier life of the lobby knew. It does not count as heard from the Room.
   */
  recall(now: InstantMs, localNow: number): void {
    if (this.#now !== null && now < this.#now) return;
    this.#now = now;
    this.#heardAt = localNow;
  }

  read(localNow: number): InstantMs {
    if (this.#now === null) return instant(localNow);
    return after(this.#now, Math.max(0, localNow - this.#heardAt));
  }

  /** An instant of the lobby's own clock on the Room's. */
  fromLocal(local: number, localNow: number): InstantMs {
    return after(this.read(localNow), local - localNow);
  }
}
