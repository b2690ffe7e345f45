import { RING_SECONDS } from "../ring/ring.ts";
import { SECOND_MS } from "../time.ts";

/** After so long each minute of starts is like the one before it. */
const SETTLED_SECONDS = 3 * RING_SECONDS;

/** What limits the starts of a room. */
export interface StartFigures {
  /** Calls of the last sixty seconds, oldest first, the running second last. */
  readonly lastMinute: readonly number[];
  readonly perMinuteMax: number;
  /** Infinity without one. */
  readonly perSecondMax: number;
  /** The span in which at most `perSecondMax` start: a second, plus a sliding ring's guard. */
  readonly perSecondWindowMs: number;
  /** Numbers that are called already and start before all others. */
  readonly owed: number;
}

/** How many may start within a time, while as many as may do. */
export interface StartsAhead {
  /** Within so many milliseconds from now. */
  within(ms: number): number;
  /** The soonest at which so many can have started. */
  untilMs(count: number): number;
  /** Allowances that nobody used do not add up beyond this. */
  readonly atOnceMax: number;
}

/**
 * Walks through the seconds to come, as the usher does: half of a minute's number as soon as it may,
 * the rest evenly (ring/call-rate.ts), and never more than the limits.
 */
export const startsAhead = (figures: StartFigures): StartsAhead => {
  const { perMinuteMax, perSecondMax, perSecondWindowMs, owed } = figures;
  const half = Math.ceil(perMinuteMax / 2);
  const perSecond = (perSecondMax * SECOND_MS) / perSecondWindowMs;
  const evenly = perMinuteMax / RING_SECONDS;
  const counts = [...figures.lastMinute];
  const started = [0];
  let inMinute = counts.reduce((sum, count) => sum + count, 0);
  for (let second = 0; second < SETTLED_SECONDS; second += 1) {
    const now = RING_SECONDS - 1 + second;
    if (second > 0) inMinute -= counts[second - 1] ?? 0;
    const already = counts[now] ?? 0;
    const room = Math.max(0, Math.min(perSecond - already, perMinuteMax - inMinute));
    const atOnce = half - inMinute;
    const starts = Math.min(room, atOnce > 0 ? atOnce : Math.max(0, evenly - already));
    counts[now] = already + starts;
    inMinute += starts;
    started.push((started.at(-1) ?? 0) + starts);
  }
  const slope = Math.min(perSecond, evenly) / SECOND_MS;
  const settled = started.at(-1) ?? 0;
  const settledMs = SETTLED_SECONDS * SECOND_MS;
  return {
    // The first second's are there at once.
    within: (ms) => {
      const second = Math.floor(ms / SECOND_MS) + 1;
      const evenlyOn = settled + (ms - settledMs) * slope;
      return Math.max(0, (started[second] ?? evenlyOn) - owed);
    },
    untilMs: (count) => {
      const sum = count + owed;
      if (sum > settled) return settledMs + (sum - settled) / slope;
      return Math.max(0, started.findIndex((by) => by >= sum) - 1) * SECOND_MS;
    },
    atOnceMax: Math.min(half, perSecond),
  };
};
