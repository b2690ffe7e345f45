/**
 * Makes a table of waits by rank, each with a range, from the forecast. eta.ts reads one place out
 * of it.
 */
import type { Outlook } from "../ring/outlook.ts";
import type { InstantMs } from "../time.ts";
import type { EtaUnknown, WaitTable } from "./eta.ts";
import { forecast, turnInMs } from "./forecast.ts";
import type { ForecastInput } from "./forecast.ts";

/** The first ranks are told one by one, those further back by ever larger steps. */
const RANKS_EXACT = 16;
const RANKS_RATIO = 1.2;
/** Two thirds of all waits would lie within one of these, were nothing but chance at work. */
const DEVIATIONS = 1.5;
/** Widens the range by what no count of past visits shows: the next ones may differ. */
const DRIFT = 0.1;
/** While more than this share of visits outlasts all that have ended, nobody knows how long they last. */
const UNSEEN_MAX = 0.3;
/** The visits of whose end nothing is known may end much sooner or later than supposed. */
const UNSEEN_DEVIATION = 0.8;

/** The ranks that a line of so many needs, and the next number to join it. */
const ranksFor = (waiting: number): Float64Array => {
  const ranks: number[] = [];
  for (let rank = 1; rank <= RANKS_EXACT; rank += 1) ranks.push(rank);
  while ((ranks.at(-1) ?? 0) < waiting + 1)
    ranks.push(Math.ceil((ranks.at(-1) ?? 0) * RANKS_RATIO));
  return Float64Array.from(ranks);
};

const nothingKnown = (at: InstantMs, reason: EtaUnknown, outlook: Outlook): WaitTable => {
  const none = new Float64Array(0);
  const unknown = { unknown: reason, beyond: reason };
  return { at, ranks: none, lowMs: none, ms: none, highMs: none, outlook, ...unknown };
};

/** When everybody in a line of so many has their turn, and between which bounds. */
export const waitTable = (
  outset: ForecastInput,
  waiting: number,
  unknown: EtaUnknown | null,
  outlook: Outlook,
): WaitTable => {
  if (unknown !== null) return nothingKnown(outlook.at, unknown, outlook);
  const { learnedFrom, unseen } = outset.survival;
  if (unseen > UNSEEN_MAX) return byLimitsAlone(outset, waiting, outlook);
  const scatter = scatterOf(outset);
  const deviation = Math.hypot(
    DRIFT,
    scatter / Math.sqrt(Math.max(1, learnedFrom)),
    UNSEEN_DEVIATION * unseen,
  );
  const stretch = 1 + DEVIATIONS * deviation;
  const course = forecast(outset, 1);
  const sooner = forecast(outset, 1 / stretch);
  const later = forecast(outset, stretch);
  const ranks = ranksFor(waiting);
  const chance = (rank: number): number => {
    return DEVIATIONS * scatter * Math.sqrt(rank * course.byPermit);
  };
  return {
    at: outlook.at,
    ranks,
    lowMs: ranks.map((rank) => turnInMs(sooner, Math.max(0.5, rank - chance(rank)))),
    ms: ranks.map((rank) => turnInMs(course, rank)),
    highMs: ranks.map((rank) => turnInMs(later, rank + chance(rank))),
    unknown: null,
    beyond: "long",
    outlook,
  };
};

/** No visit has ended yet: who gets a permit that is free now is known, and nothing of the others. */
const byLimitsAlone = (outset: ForecastInput, waiting: number, outlook: Outlook): WaitTable => {
  const { permitsMax, agesMs, calledForMs, starts } = outset;
  const free = permitsMax - agesMs.length - calledForMs.length;
  const ranks = ranksFor(waiting);
  const ms = ranks.map((rank) => (rank > free ? Infinity : starts.untilMs(rank)));
  const beyond = "no-ends";
  return { at: outlook.at, ranks, lowMs: ms, ms, highMs: ms, unknown: null, beyond, outlook };
};

/** The coefficient of variation of how long visits last: 0 when all are alike, 1 at random. */
const scatterOf = ({ survival, claimMs }: ForecastInput): number => {
  let mean = 0;
  let square = 0;
  let before = 0;
  for (let ms = 50; before < 1e9 && survival.at(before) > 0.005; ms *= 1.1) {
    const lasts = (survival.at(before) + survival.at(ms)) / 2;
    mean += lasts * (ms - before);
    square += lasts * (ms * ms - before * before);
    before = ms;
  }
  const occupied = mean + claimMs;
  return occupied === 0 ? 0 : Math.sqrt(Math.max(0, square - mean * mean)) / occupied;
};
