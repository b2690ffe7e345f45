import type { RoomLimits } from "../definition.ts";
import type { InstantMs } from "../time.ts";
import type { StartLimiter } from "./limiter.ts";
import { RING_SECONDS, secondOf } from "./ring.ts";

/** Where the operator names no limit for a second, it is the minute's number divided by this. */
const DEFAULT_SECONDS = RING_SECONDS / 2;

/**
 * How many may be called in one second; null: as many as are free. Where the operator names no
 * limit, twice the even share of a minute's number: so many permits that fall free at once (P was
 * raised, the room goes on, a crowd's visits expire together) do not meet the origin in one lump,
 * while batons, which come at less than the even share, seldom notice. Requests take permits for
 * milliseconds, so theirs fall free in crowds all the time, and P alone is their default.
 */
export const callsPerSecondMax = (
  limits: Pick<RoomLimits, "permit" | "startsPerMinuteMax" | "startsPerSecondMax">,
): number | null => {
  const { permit, startsPerMinuteMax, startsPerSecondMax } = limits;
  if (startsPerSecondMax !== null || permit === "request") return startsPerSecondMax;
  return Math.ceil(startsPerMinuteMax / DEFAULT_SECONDS);
};

/** The share of `perMinuteMax` that falls to this second when a minute's calls come evenly. */
const shareOf = (second: number, perMinuteMax: number): number => {
  const place = second % RING_SECONDS;
  const before = Math.floor((place * perMinuteMax) / RING_SECONDS);
  return Math.floor(((place + 1) * perMinuteMax) / RING_SECONDS) - before;
};

/**
 * How many more may be called now. The first half of a minute's number goes as fast as permits are
 * free and the limit of a second allows, so that a small crowd meets little delay; the rest comes evenly, so that a large one does not
 * reach the origin in one lump a minute.
 */
export const callsLeft = (calls: StartLimiter, perMinuteMax: number, now: InstantMs): number => {
  const room = calls.room(now);
  if (room === 0) return 0;
  const { inSecond, inMinute } = calls.counted(now);
  const atOnce = Math.ceil(perMinuteMax / 2) - inMinute;
  if (atOnce > 0) return Math.min(room, atOnce);
  return Math.max(0, Math.min(room, shareOf(secondOf(now), perMinuteMax) - inSecond));
};
