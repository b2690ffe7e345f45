import type { InstantMs } from "../time.ts";

/** How many ends the mean is taken of: a change shows within so many. */
const ENDS_MAX = 64;
/** From so many on, one span that is much longer than the others moves the mean by little. */
const GROWN_ENDS = 8;
const OUTLIER_FACTOR = 8;

/** The mean of the last spans. */
class RecentMean {
  readonly #spansMs: number[] = [];
  #next = 0;
  #totalMs = 0;

  add(spanMs: number): void {
    const count = this.#spansMs.length;
    const mean = this.#totalMs / count;
    const most = count < GROWN_ENDS ? Infinity : OUTLIER_FACTOR * Math.max(1, mean);
    const ms = Math.round(Math.min(Math.max(0, spanMs), most));
    this.#totalMs += ms - (this.#spansMs[this.#next] ?? 0);
    this.#spansMs[this.#next] = ms;
    this.#next = (this.#next + 1) % ENDS_MAX;
  }

  /** The mean less its likely error; Infinity before the first span. */
  get surelyMs(): number {
    const count = this.#spansMs.length;
    return count === 0 ? Infinity : this.#totalMs / (count + Math.sqrt(count));
  }
}

/**
 * How long a turn takes at the least: from one request of a permit to the next, by those that ended last.
 * Two ways, as each is right where the other is not:
 * by how long each has lasted, which first visits before a cold origin spoil; and, while all permits
 * are out, by how soon one ends after the other, which pauses between them spoil.
 */
export class TurnSpan {
  readonly #lasted = new RecentMean();
  readonly #between = new RecentMean();
  #endedAt: InstantMs | null = null;

  /** `permitsOut`: where all are out, how many that is. */
  ended(startedAt: InstantMs, permitsOut: number | null, now: InstantMs): void {
    this.#lasted.add(now - startedAt);
    if (this.#endedAt !== null && permitsOut !== null)
      this.#between.add((now - this.#endedAt) * permitsOut);
    this.#endedAt = now;
  }

  /**
   * Rather too short than too long: a request that is early can wait. Null before the first end.
   */
  get surelyMs(): number | null {
    const ms = Math.min(this.#lasted.surelyMs, this.#between.surelyMs);
    return ms === Infinity ? null : ms;
  }
}
