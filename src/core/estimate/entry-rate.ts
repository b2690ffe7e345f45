/**
 * How fast those who waited enter, smoothed. How long a wait will be is not told from it: that is
 * wait-table.ts.
 */
import { secondOf } from "../ring/ring.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** Entries of the last minute count most, or in slow rooms those of the last ten or so entries. */
const SMOOTH_SECONDS_MIN = 60;
const SMOOTH_SECONDS_MAX = 600;
const SMOOTH_ENTRIES = 10;
/** A young estimate is a plain mean, as if the line had been watched for this long at least. */
const YOUNG_SECONDS_MIN = 10;
const YOUNG_SECONDS = 60;
/** The most that the rate of a grown estimate moves from one second to the next. */
const CHANGE_FACTOR_MAX = 1.1;
/** When nobody has entered for so long, the rate is unknown. */
export const SILENCE_MAX_SECONDS = 900;

/** `[measured, perSecond, ageSeconds, second, entriesInSecond, lastEntrySecond]` */
export type EntryRateState = readonly [number, number, number, number, number, number];

/**
 * The smoothed rate at which those who waited enter, as operators see it.
 * Time must not fall. Seconds are folded in when they are over, so the order of calls within a
 * second does not matter.
 */
export class EntryRate {
  /** The mean as measured, which one entry may move by much. */
  #measured = 0;
  /** The rate that operators see, per second: it follows the mean at a bounded speed. */
  #perSecond = 0;
  #ageSeconds = 0;
  #second = 0;
  #entriesInSecond = 0;
  #lastEntrySecond = 0;

  /** Goes on from what was written, or with nothing known. */
  static restore(state: EntryRateState | null): EntryRate {
    const rate = new EntryRate();
    if (state === null) return rate;
    [
      rate.#measured,
      rate.#perSecond,
      rate.#ageSeconds,
      rate.#second,
      rate.#entriesInSecond,
      rate.#lastEntrySecond,
    ] = state;
    return rate;
  }

  toJSON(): EntryRateState {
    return [
      this.#measured,
      this.#perSecond,
      this.#ageSeconds,
      this.#second,
      this.#entriesInSecond,
      this.#lastEntrySecond,
    ];
  }

  /** Somebody who waited has entered. */
  entered(now: InstantMs, count = 1): void {
    this.#fold(now);
    this.#entriesInSecond += count;
    this.#lastEntrySecond = this.#second;
  }

  /** New limits make the past a weaker guide: the rate may move freely again for a while. */
  limitsChanged(now: InstantMs): void {
    this.#fold(now);
    this.#ageSeconds = Math.min(this.#ageSeconds, YOUNG_SECONDS_MIN);
  }

  /** Visits a minute; 0 while unknown. */
  perMinute(now: InstantMs): number {
    this.#fold(now);
    return this.#perSecond * (MINUTE_MS / SECOND_MS);
  }

  get #smoothSeconds(): number {
    const wanted = SMOOTH_ENTRIES / this.#measured;
    return Math.min(SMOOTH_SECONDS_MAX, Math.max(SMOOTH_SECONDS_MIN, wanted));
  }

  #fold(now: InstantMs): void {
    const second = secondOf(now);
    if (second - this.#lastEntrySecond > SILENCE_MAX_SECONDS) {
      this.#measured = 0;
      this.#perSecond = 0;
      this.#ageSeconds = 0;
      this.#entriesInSecond = 0;
      this.#second = second;
    }
    for (; this.#second < second; this.#second += 1) {
      this.#measured = this.#folded(this.#entriesInSecond);
      this.#perSecond = this.#followed();
      if (this.#perSecond > 0) this.#ageSeconds += 1;
      this.#entriesInSecond = 0;
    }
  }

  #folded(entries: number): number {
    const before = this.#measured;
    if (this.#ageSeconds < YOUNG_SECONDS) {
      const watched = Math.max(YOUNG_SECONDS_MIN, this.#ageSeconds);
      const grown = Math.max(YOUNG_SECONDS_MIN, this.#ageSeconds + 1);
      return (before * watched + entries) / grown;
    }
    return before + (entries - before) / this.#smoothSeconds;
  }

  #followed(): number {
    if (this.#ageSeconds < YOUNG_SECONDS) return this.#measured;
    const most = this.#perSecond * CHANGE_FACTOR_MAX;
    return Math.min(most, Math.max(this.#perSecond / CHANGE_FACTOR_MAX, this.#measured));
  }
}
