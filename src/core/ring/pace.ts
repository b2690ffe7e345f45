import type { InstantMs } from "../time.ts";
import type { StartLimiter } from "./limiter.ts";
import { RING_SECONDS, secondOf } from "./ring.ts";

/** The share of `perMinuteMax` that falls to this second when a minute's calls come evenly. */
const shareOf = (second: number, perMinuteMax: number): number => {
  const place = second % RING_SECONDS;
  const before = Math.floor((place * perMinuteMax) / RING_SECONDS);
  return Math.floor(((place + 1) * perMinuteMax) / RING_SECONDS) - before;
};

/**
 * How many more may be called now. The first half of a minute's number goes as fast as permits are
 * free, so that a small crowd meets no delay; the rest comes evenly, so that a large one does not
 * reach the origin in one lump a minute.
 */
export const callsLeft = (calls: StartLimiter, perMinuteMax: number, now: InstantMs): number => {
  const room = calls.room(now);
  if (room === 0) return 0;
  const lastMinute = calls.lastMinute(now);
  const called = lastMinute.reduce((sum, count) => sum + count, 0);
  const atOnce = Math.ceil(perMinuteMax / 2) - called;
  if (atOnce > 0) return Math.min(room, atOnce);
  return Math.max(
    0,
    Math.min(room, shareOf(secondOf(now), perMinuteMax) - (lastMinute.at(-1) ?? 0)),
  );
};
