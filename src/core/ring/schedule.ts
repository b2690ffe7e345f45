/**
 * Gives each admitted visitor's request a moment to begin. Entering the room is limited in
 * limiter.ts.
 */
import { instant, SECOND_MS, type InstantMs } from "../time.ts";
import { secondOf } from "./ring.ts";

/** How many may begin in a second, and what a second is. */
export interface ScheduleLimits {
  readonly perSecondMax: number;
  readonly ring: "calendar" | "sliding";
  readonly guardMs: number;
}

export type Scheduled =
  | { readonly ok: true; readonly startAt: InstantMs }
  | { readonly ok: false; readonly retryAt: InstantMs };

/**
 * Gives out starting moments ahead of time, in order of asking. Each start looks at the one that was
 * given `perSecondMax` starts before it: a calendar second is full when both would lie in it, a
 * sliding window when they would be less than a window apart. So nothing is stored but those moments.
 */
export class StartSchedule {
  readonly #limits: ScheduleLimits;
  /** The last `perSecondMax` moments, in a ring; 0, long ago, where none was given yet. */
  readonly #given: Float64Array;
  #next = 0;
  #last: InstantMs;

  /** After a restart nothing starts before `notBefore`, when all that may be under way is over. */
  constructor(limits: ScheduleLimits, last: InstantMs | null = null) {
    this.#limits = limits;
    this.#last = last ?? instant(0);
    this.#given = new Float64Array(limits.perSecondMax).fill(this.#last);
  }

  get limits(): ScheduleLimits {
    return this.#limits;
  }

  /** The latest moment given out: all that has to be written. */
  get last(): InstantMs {
    return this.#last;
  }

  /** How many more may still be given the second, or the window, that `at` lies in. */
  leftAt(at: InstantMs): number {
    // The moments rise, so those that are out of its way are the oldest ones.
    let low = 0;
    let high = this.#given.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const given = this.#given[(this.#next + middle) % this.#given.length] ?? 0;
      if (this.#isPast(instant(given), at)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The moment for one more start; it is taken only if it is not after `until`. */
  take(now: InstantMs, until: InstantMs): Scheduled {
    const startAt = this.#soonest(now);
    if (startAt > until) return { ok: false, retryAt: startAt };
    this.#given[this.#next] = startAt;
    this.#next = (this.#next + 1) % this.#given.length;
    this.#last = startAt;
    return { ok: true, startAt };
  }

  /** A schedule with new limits. Every moment that was given counts as the latest of them. */
  changed(limits: ScheduleLimits): StartSchedule {
    return new StartSchedule(limits, this.#last);
  }

  #isPast(given: InstantMs, at: InstantMs): boolean {
    const { ring, guardMs } = this.#limits;
    if (ring === "calendar") return secondOf(given) < secondOf(at);
    return given + SECOND_MS + guardMs <= at;
  }

  #soonest(now: InstantMs): InstantMs {
    const { ring, guardMs } = this.#limits;
    const asked = Math.max(now, this.#last);
    const before = this.#given[this.#next] ?? 0;
    if (ring === "sliding") return instant(Math.max(asked, before + SECOND_MS + guardMs));
    const isFull = secondOf(instant(asked)) <= secondOf(instant(before));
    const at = isFull ? (secondOf(instant(before)) + 1) * SECOND_MS : asked;
    const isGuarded = at % SECOND_MS >= SECOND_MS - guardMs;
    return instant(isGuarded ? (secondOf(instant(at)) + 1) * SECOND_MS : at);
  }
}
