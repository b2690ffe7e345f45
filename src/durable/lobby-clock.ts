import { after, instant, type InstantMs } from "../core/time.ts";

/** The Room's clock as a lobby knows it: the Room's last word, moved on by the lobby's own clock. */
export class HeardClock {
  #now: InstantMs | null = null;
  #heardAt = 0;

  hear(now: InstantMs, localNow: number): void {
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
