/**
 * Makes a large or quick room so small and slow that a browser can live through an hour of it, and as
 * many times over as needed tells the same.
 */
import { SPREAD_STEPS } from "./outset.ts";
import { meanOf } from "./lengths.ts";
import type { ForecastLimits, ForecastOutset, Spread } from "./outset.ts";

/** What comes of visits that nobody has seen end: far beyond any horizon. */
const ENDLESS_MS = 10 * 24 * 3_600_000;
/** So many visits of a course are as good as all of them. */
const ENTRIES_MAX = 1_500;
const PERMITS_MAX = 1_000;
/** Shorter visits are made longer, with as many more permits: the same pass through. */
const LENGTH_LEAST_MS = 12_000;
/** A limit of a second that would become smaller than this is told as one of a minute. */
const PER_SECOND_LEAST = 4;

/** A room and those who come to it, each of whom stands for `times` others. */
export interface Scaled {
  readonly times: number;
  /** By how much every span of a visit is longer than in truth. */
  readonly slower: number;
  readonly limits: ForecastLimits;
  readonly lengthsMs: Spread;
  readonly claimMs: number;
}

const endless: Spread = Array.from({ length: SPREAD_STEPS + 1 }, () => ENDLESS_MS);

/** The most that may begin in a millisecond. */
const startsPerMs = ({ startsPerMinuteMax, startsPerSecondMax }: ForecastLimits): number =>
  Math.min(startsPerMinuteMax / 60_000, (startsPerSecondMax ?? Infinity) / 1_000);

export const scaled = (
  outset: ForecastOutset,
  lengths: Spread,
  horizonMs: number,
  events: readonly ForecastLimits[],
): Scaled => {
  const known = lengths.length === 0 ? endless : lengths;
  const { limits, learned } = outset;
  const isRequest = limits.permit === "request";
  // A request that waits begins with its call.
  const claimMs = isRequest ? 0 : learned.claimMs;
  const occupiedMs = Math.max(1, meanOf(known) + claimMs);
  const slower = Math.max(1, LENGTH_LEAST_MS / occupiedMs);
  const permits = Math.max(...[limits, ...events].map(({ permitsMax }) => permitsMax)) * slower;
  const fastest = Math.max(...[limits, ...events].map(startsPerMs));
  const entries = Math.min(permits / (occupiedMs * slower), fastest) * horizonMs;
  const wanted = Math.max(1, entries / ENTRIES_MAX, permits / PERMITS_MAX);
  const times = timesNear(wanted, limits);
  // What rounding does to the number of permits, lengths make good.
  const exact = (limits.permitsMax * slower) / times;
  const stretch = (slower * Math.max(1, Math.round(exact))) / exact;
  return {
    times,
    slower,
    limits: smaller(limits, times, slower),
    lengthsMs: known.map((ms) => Math.min(ENDLESS_MS, ms * stretch)),
    claimMs: claimMs * slower,
  };
};

/** So that the starts of a minute come out whole. */
const timesNear = (wanted: number, { startsPerMinuteMax }: ForecastLimits): number => {
  if (wanted === 1) return 1;
  const perMinute = Math.floor(startsPerMinuteMax / wanted);
  return perMinute < 1 ? wanted : startsPerMinuteMax / perMinute;
};

/** The limits of a room of so many times fewer visitors, whose visits last so many times longer. */
export const smaller = (limits: ForecastLimits, times: number, slower: number): ForecastLimits => {
  const perSecond = (limits.startsPerSecondMax ?? Infinity) / times;
  const isCoarse = perSecond < PER_SECOND_LEAST && times > 1;
  const perMinute = Math.min(
    limits.startsPerMinuteMax / times,
    isCoarse ? perSecond * 60 : Infinity,
  );
  return {
    ...limits,
    permit: "visit",
    permitsMax: Math.max(1, Math.round((limits.permitsMax * slower) / times)),
    startsPerMinuteMax: Math.max(1, Math.round(perMinute)),
    startsPerSecondMax: perSecond === Infinity || isCoarse ? null : Math.round(perSecond),
    claimWithinMs: limits.claimWithinMs * slower,
    visitMaxMs: limits.visitMaxMs === null ? null : limits.visitMaxMs * slower,
    lineMax: Math.max(1, Math.ceil(limits.lineMax / times)),
  };
};
