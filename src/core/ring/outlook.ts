/**
 * When starts of the future may be, by what a limiter allows. Pure data, so that lobbies can use
 * it.
 */
import { instant, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import { RING_SECONDS, secondOf } from "./ring.ts";

/** What a limiter allows from `at` on: plain data, so that a lobby can reckon with it too. */
export interface Outlook {
  readonly at: InstantMs;
  /** When one more may start. */
  readonly nextAt: InstantMs;
  /** Starts of the last sixty seconds, oldest first, the running second last. */
  readonly lastMinute: readonly number[];
  readonly perMinuteMax: number | null;
  readonly perSecondMax: number | null;
  /** A sliding ring's window, or null with a calendar ring. */
  readonly windowMs: number | null;
  /** How many more the limit per second lets start at `at`; null without one. */
  readonly left: number | null;
}

/**
 * Numbers that will come back into the line ahead of the rank in question, each in its own second.
 */
export interface Returning {
  inSecond(second: number): number;
  /** The last second in which any does. */
  readonly lastSecond: number;
}

const NOBODY: Returning = { inSecond: () => 0, lastSecond: -Infinity };

/**
 * When the `rank`-th (from 0) waiting start can begin, if all before it begin as soon as they can.
 * Exact with a calendar ring; with a sliding one up to a window too early, never too late.
 */
export const soonestOf = (
  outlook: Outlook,
  rank: number,
  returning: Returning = NOBODY,
): InstantMs => {
  const { at, nextAt, perSecondMax, windowMs } = outlook;
  const step = stepOfRank(outlook, rank, returning);
  const bySecond = step === 0 ? at : instant((secondOf(at) + step) * SECOND_MS);
  const rounds =
    windowMs === null || perSecondMax === null ? 0 : Math.floor(rank / perSecondMax) * windowMs;
  return instant(Math.max(bySecond, nextAt + rounds));
};

/** After two minutes of starting as soon as possible each minute is like the one before it. */
const SETTLED_AFTER = 2 * RING_SECONDS;

/**
 * In how many seconds from the running one (0) the `rank`-th (from 0) waiting start has its turn.
 *
 * Walks second by second while starts of the past still matter, then by whole minutes: from step
 * 61 on the minute behind a step holds only starts of this walk, its sum only rises, and within
 * sixty steps it meets a limit; from then on each step repeats the one a minute before it.
 */
const stepOfRank = (outlook: Outlook, rank: number, returning: Returning): number => {
  const perMinuteMax = outlook.perMinuteMax ?? Infinity;
  const perSecondMax = outlook.windowMs === null ? (outlook.perSecondMax ?? Infinity) : Infinity;
  if (perSecondMax === Infinity && perMinuteMax === Infinity) return 0;
  // Whether the limits or the guard forbid it: nothing more starts in the running second.
  const firstIsOver = secondOf(outlook.nextAt) > secondOf(outlook.at);
  const starts = [...outlook.lastMinute];
  const now = starts.length - 1;
  let left = rank;
  let inMinute = starts.reduce((total, count) => total + count, 0);
  const second = secondOf(outlook.at);
  const settledAfter = SETTLED_AFTER + Math.max(0, returning.lastSecond - second);
  for (let step = 0; step <= settledAfter; step++) {
    left += returning.inSecond(second + step);
    if (step > 0) inMinute -= starts[now + step - RING_SECONDS] ?? 0;
    const already = starts[now + step] ?? 0;
    const may = Math.max(0, Math.min(perSecondMax - already, perMinuteMax - inMinute));
    const here = step === 0 && firstIsOver ? 0 : may;
    if (left < here) return step;
    left -= here;
    inMinute += here;
    starts[now + step] = already + here;
  }
  const minute = starts.slice(-RING_SECONDS);
  const perMinute = minute.reduce((total, count) => total + count, 0);
  const minutes = Math.floor(left / perMinute);
  left -= minutes * perMinute;
  let step = settledAfter + 1 + minutes * RING_SECONDS;
  for (const count of minute) {
    if (left < count) break;
    left -= count;
    step += 1;
  }
  return step;
};
