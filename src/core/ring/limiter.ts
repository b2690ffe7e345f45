/**
 * Counts and limits starts by second and minute. When whole lines of starts may begin is in
 * outlook.ts; which number starts is the usher's choice.
 */
import { instant, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import { soonestOf } from "./outlook.ts";
import type { Outlook, Returning } from "./outlook.ts";
import { Ring, RING_SECONDS, secondOf } from "./ring.ts";
import type { RingState } from "./ring.ts";
import { RecentStarts } from "./window.ts";

/** A guard above this would leave less than a tenth of each second to start in. */
export const GUARD_MAX_MS = 900;

/** How many may start, and when. Maxima are whole and at least 1; null is no limit. */
export interface StartLimits {
  readonly perSecondMax: number | null;
  /** In any 60 consecutive seconds of the Room's clock, in both kinds of ring. */
  readonly perMinuteMax: number | null;
  readonly ring: "calendar" | "sliding";
  /**
   * calendar: no start in the last `guardMs` of a second, so that one that is under way for less
   * lands in the same second of the origin's clock. sliding: the window is so much longer.
   */
  readonly guardMs: number;
}

export type StartReply =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAt: InstantMs };

/**
 * Lets at most so many things start a second and a minute. Time is passed in and must not fall
 * (`RoomClock` sees to that); the limits may change between any two calls.
 */
export class StartLimiter {
  #limits: StartLimits;
  readonly #ring: Ring;
  /** Kept for the longest window there can be, so that a guard or a ring may change at any time. */
  readonly #recent = new RecentStarts(SECOND_MS + GUARD_MAX_MS);

  constructor(limits: StartLimits, written: RingState = []) {
    this.#limits = checked(limits);
    this.#ring = new Ring(written);
  }

  /**
   * Only counts per second are kept, at most 60 of them. A sliding window needs the milliseconds,
   * so each start is taken to have been as late in its second as it can have been: a restart may
   * delay starts by up to a second, and never lets one too many through.
   */
  static restore(limits: StartLimits, state: RingState | null, now: InstantMs): StartLimiter {
    const limiter = new StartLimiter(limits, state ?? []);
    const newest = secondOf(now);
    for (let second = newest - 2; second <= newest; second++) {
      const count = limiter.#ring.countIn(second);
      const latest = Math.min((second + 1) * SECOND_MS - 1, now);
      if (count > 0) limiter.#recent.add(instant(latest), count);
    }
    return limiter;
  }

  toJSON(): RingState {
    return this.#ring.toJSON();
  }

  /** Takes effect at once, both ways. What has started already counts against the new limits. */
  setLimits(limits: StartLimits): void {
    this.#limits = checked(limits);
  }

  /** Starts one now, or says from when on one may start if nobody else does. */
  tryStart(now: InstantMs): StartReply {
    const at = this.nextAt(now);
    if (at > now) return { ok: false, retryAt: at };
    this.count(now);
    return { ok: true };
  }

  /** Counts one that starts whatever these limits say: another limiter let it. */
  count(now: InstantMs): void {
    this.#ring.add(now);
    this.#recent.add(now);
  }

  /**
   * Undoes the start of instant `at`, as for a call that was missed. The caller does it once for
   * each.
   */
  giveBack(at: InstantMs): void {
    this.#ring.remove(at);
    this.#recent.remove(at);
  }

  /** How many more may start at `now`; Infinity without limits. */
  room(now: InstantMs): number {
    return Math.max(0, Math.min(this.#roomInSecond(now), this.#roomInMinute(now)));
  }

  /** The earliest instant, `now` or later, at which one more may start. */
  nextAt(now: InstantMs): InstantMs {
    let at = now;
    for (;;) {
      const next = this.#afterMinute(this.#afterSecond(at));
      if (next === at) return at;
      at = next;
    }
  }

  /**
   * When the `rank`-th (from 0) of those that wait can start, if all before it start as soon as
   * they can, and those who return take their places before it. With a sliding ring and a minute's
   * limit together it may be too early, never too late.
   */
  rankToStart(rank: number, now: InstantMs, returning?: Returning): InstantMs {
    const { perSecondMax, ring } = this.#limits;
    const isNobodyBack = returning === undefined || returning.lastSecond === -Infinity;
    // Nothing holds it back: most ranks are asked for like this, and need no outlook.
    if (perSecondMax === null && isNobodyBack && rank < this.#roomInMinute(now)) return now;
    const outlook = this.outlook(now);
    if (ring === "calendar" || perSecondMax === null) return soonestOf(outlook, rank, returning);
    let at = now;
    let before = rank;
    for (let second = secondOf(now); ;) {
      const soonest = soonestOf(outlook, before);
      at = instant(Math.max(soonest, this.#slidingRank(before, perSecondMax, now)));
      let more = 0;
      const last = Math.min(secondOf(at), returning?.lastSecond ?? -Infinity);
      for (; second <= last; second += 1) more += returning?.inSecond(second) ?? 0;
      if (more === 0) return at;
      before += more;
    }
  }

  /** What `rankToStart` needs to know, as data for another program. */
  outlook(now: InstantMs): Outlook {
    const { perSecondMax, perMinuteMax, ring } = this.#limits;
    return {
      at: now,
      nextAt: this.nextAt(now),
      lastMinute: this.#ring.lastMinute(now),
      perMinuteMax,
      perSecondMax,
      windowMs: ring === "sliding" ? this.#windowMs : null,
      left: perSecondMax === null ? null : Math.max(0, this.#roomInSecond(now)),
    };
  }

  /** How many were counted in the second of `now`, and in the minute that ends with it. */
  counted(now: InstantMs): { readonly inSecond: number; readonly inMinute: number } {
    return { inSecond: this.#ring.count(now), inMinute: this.#ring.minuteCount(now) };
  }

  /** Counts for a graph, oldest first. */
  lastMinute(now: InstantMs): number[] {
    return this.#ring.lastMinute(now);
  }

  get #windowMs(): number {
    return SECOND_MS + this.#limits.guardMs;
  }

  #roomInSecond(now: InstantMs): number {
    const { perSecondMax, ring, guardMs } = this.#limits;
    if (perSecondMax === null) return Infinity;
    if (ring === "sliding") return perSecondMax - this.#recent.within(this.#windowMs, now);
    const isGuarded = now % SECOND_MS >= SECOND_MS - guardMs;
    return isGuarded ? 0 : perSecondMax - this.#ring.count(now);
  }

  #roomInMinute(now: InstantMs): number {
    const { perMinuteMax } = this.#limits;
    return perMinuteMax === null ? Infinity : perMinuteMax - this.#ring.minuteCount(now);
  }

  #afterSecond(at: InstantMs): InstantMs {
    const { perSecondMax, ring } = this.#limits;
    if (perSecondMax === null || this.#roomInSecond(at) > 0) return at;
    if (ring === "calendar") return instant((secondOf(at) + 1) * SECOND_MS);
    return instant(Math.max(at, (this.#recent.latest(perSecondMax) ?? at) + this.#windowMs));
  }

  #afterMinute(at: InstantMs): InstantMs {
    let room = this.#roomInMinute(at);
    let second = secondOf(at);
    while (room <= 0) {
      second += 1;
      room += this.#ring.countIn(second - RING_SECONDS);
    }
    return second === secondOf(at) ? at : instant(second * SECOND_MS);
  }

  /** Each start waits for the one `perSecondMax` before it; so the ranks fall into rounds. */
  #slidingRank(rank: number, perSecondMax: number, now: InstantMs): InstantMs {
    const round = Math.floor(rank / perSecondMax);
    const before = this.#recent.latest((round + 1) * perSecondMax - rank);
    const first = before === null ? now : Math.max(now, before + this.#windowMs);
    return instant(first + round * this.#windowMs);
  }
}

const checked = (limits: StartLimits): StartLimits => {
  for (const most of [limits.perSecondMax, limits.perMinuteMax]) {
    if (most !== null && !(Number.isInteger(most) && most >= 1)) {
      throw new RangeError(`a start limit is whole and at least 1, not ${most}`);
    }
  }
  if (!(limits.guardMs >= 0 && limits.guardMs <= GUARD_MAX_MS)) {
    throw new RangeError(`a guard is 0 to ${GUARD_MAX_MS} ms, not ${limits.guardMs}`);
  }
  return limits;
};
