import { soonestOf } from "../ring/outlook.ts";
import type { Outlook } from "../ring/outlook.ts";
import { secondOf } from "../ring/ring.ts";
import { MINUTE_MS, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** How long until the turn, in whole seconds; unknown while nobody has entered lately. */
export type Eta =
  | { readonly known: false }
  | {
      readonly known: true;
      readonly seconds: number;
      readonly low: number;
      readonly high: number;
    };

/** Entries of the last minute count most, or in slow rooms those of the last ten or so entries. */
const SMOOTH_SECONDS_MIN = 60;
const SMOOTH_SECONDS_MAX = 600;
const SMOOTH_ENTRIES = 10;
/** A young estimate is a plain mean, as if the line had been watched for this long at least. */
const YOUNG_SECONDS_MIN = 10;
const YOUNG_SECONDS = 60;
/** The most that the rate of a grown estimate moves from one second to the next. */
const CHANGE_FACTOR_MAX = 1.1;
/** Nobody has entered for so long: the rate says nothing any more. */
export const SILENCE_MAX_SECONDS = 900;

/** The rate at which the line moves, and what the ring allows: small, and plain data. */
export interface Pace {
  /** 0 while unknown. */
  readonly perSecond: number;
  /** From about how many entries the rate was taken. */
  readonly entries: number;
  readonly outlook: Outlook;
}

/**
 * For a ticket with `ahead` present numbers before it. No promise lies before the second in which
 * the ring could let it start, and low <= seconds <= high.
 */
export const etaOf = (pace: Pace, ahead: number, now: InstantMs): Eta => {
  if (pace.perSecond === 0) return { known: false };
  const turns = ahead + 1;
  const seconds = turns / pace.perSecond;
  // Turns that come at random scatter by a root; so do the entries that the rate was taken from.
  const scatter = Math.sqrt(1 / turns + 1 / Math.max(1, pace.entries));
  const least = Math.max(0, Math.ceil((soonestOf(pace.outlook, ahead) - now) / SECOND_MS));
  return {
    known: true,
    seconds: Math.max(least, Math.round(seconds)),
    low: Math.max(least, Math.floor(seconds / (1 + scatter))),
    high: Math.max(least, Math.ceil(seconds * (1 + scatter))),
  };
};

/** `[measured, perSecond, ageSeconds, second, entriesInSecond, lastEntrySecond]` */
export type EstimateState = readonly [number, number, number, number, number, number];

/**
 * The smoothed rate at which those who waited enter, and what it promises to those who wait.
 * Time must not fall. Seconds are folded in when they are over, so the order of calls within a
 * second does not matter.
 */
export class EntryRate {
  /** The mean as it is, which an entry may move by much. */
  #measured = 0;
  /** The same per second, as it is told: it follows at a bounded pace. */
  #perSecond = 0;
  #ageSeconds = 0;
  #second = 0;
  #entriesInSecond = 0;
  #lastEntrySecond = 0;

  /** Goes on from what was written, or with nothing known. */
  static restore(state: EstimateState | null): EntryRate {
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

  toJSON(): EstimateState {
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
  entered(now: InstantMs): void {
    this.#fold(now);
    this.#entriesInSecond += 1;
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

  /** What a lobby needs to tell each of its visitors how long it takes. */
  pace(outlook: Outlook, now: InstantMs): Pace {
    this.#fold(now);
    const watched = Math.max(YOUNG_SECONDS_MIN, this.#ageSeconds);
    const entries = this.#measured * Math.min(watched, this.#smoothSeconds);
    return { perSecond: this.#perSecond, entries, outlook };
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
