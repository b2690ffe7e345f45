/**
 * How a line will move, from how visits have lasted so far. wait-table.ts makes of it what people
 * are told.
 */
import type { StartsAhead } from "./starts.ts";
import type { Survival } from "./visit-lengths.ts";

/** Into how many slices the length of nearly all visits is cut. */
const SLICES = 64;
/** The forecast goes through so many slices; from there on the line moves on as it did in the end. */
const STEPS = 4 * SLICES;
/** The share of visits that outlast the slices: they end at a constant rate. */
const TAIL = 0.03;
const SLICE_LEAST_MS = 25;
/** Nothing is forecast beyond this. */
export const FORECAST_MAX_MS = 24 * 3_600_000;

/** A room as it stands, and what is known of it: all that a forecast depends on. */
export interface ForecastInput {
  readonly permitsMax: number;
  /** How long each visit that runs has lasted. */
  readonly agesMs: readonly number[];
  /** Visits whose end is known beforehand: in how many milliseconds each ends. */
  readonly endsInMs: readonly number[];
  /** How long ago each number that is called now was called. */
  readonly calledForMs: readonly number[];
  readonly survival: Survival;
  /** How long a permit lies with those who are called, on average, for each that enters. */
  readonly claimMs: number;
  /** Numbers that are called for each that enters: some never come. */
  readonly callsPerEntry: number;
  /** The share of those in line that leaves it, per millisecond. */
  readonly leavingPerMs: number;
  readonly starts: StartsAhead;
}

/**
 * How the line moves: at `atMs[i]` from now the place of rank `turns[i]` (from 1) has its turn, both
 * rising. Beyond the last entry the line moves on at `perMs`.
 */
export interface ForecastCourse {
  readonly atMs: Float64Array;
  readonly turns: Float64Array;
  readonly perMs: number;
  readonly leavingPerMs: number;
  /** The share of turns that waited for a permit and not for a limit of starts. */
  readonly byPermit: number;
}

/**
 * Lets the room live on as a mean: visits age and end as `survival` says, what they leave goes to the
 * head of the line as the limits allow, and begins to age in turn. `stretch` makes all visits longer
 * (or, below 1, shorter) than was learned.
 */
export const forecast = (outset: ForecastInput, stretch: number): ForecastCourse => {
  const { survival } = outset;
  const coveredMs = coveredBy((ms) => survival.at(ms / stretch));
  const sliceMs = Math.max(SLICE_LEAST_MS, (coveredMs + outset.claimMs) / SLICES);
  const claimSlices = Math.min(SLICES * 4, Math.round(outset.claimMs / sliceMs));
  const ending = endingShares(survival, stretch, sliceMs, claimSlices);
  const permits = new AgingPermits(ending);
  for (const ms of outset.calledForMs) permits.add(Math.min(claimSlices, ms / sliceMs), 1);
  for (const ms of outset.agesMs) permits.add(claimSlices + ms / sliceMs, 1);
  const scheduled = scheduledEnds(outset.endsInMs, sliceMs);
  return courseOf(outset, sliceMs, permits, scheduled);
};

const courseOf = (
  outset: ForecastInput,
  sliceMs: number,
  permits: AgingPermits,
  scheduled: Float64Array,
): ForecastCourse => {
  const { permitsMax, callsPerEntry, leavingPerMs, starts } = outset;
  const atMs = new Float64Array(STEPS + 2);
  const turns = new Float64Array(STEPS + 2);
  let mayStart = starts.within(0);
  let leftToEnd = scheduled.reduce((sum, ends) => sum + ends, 0);
  let limited = 0;
  let began = 0;
  for (let step = 0; step <= STEPS; step += 1) {
    const free = Math.max(0, permitsMax - permits.out - leftToEnd);
    const begins = Math.min(free, mayStart);
    if (mayStart < free) limited += begins;
    began += begins;
    permits.add(0, begins);
    const more = starts.within((step + 1) * sliceMs) - starts.within(step * sliceMs);
    mayStart = Math.min(starts.atOnceMax, mayStart - begins) + more;
    const remaining = Math.exp(leavingPerMs * step * sliceMs);
    atMs[step + 1] = step * sliceMs;
    turns[step + 1] = (turns[step] ?? 0) + begins * callsPerEntry * remaining;
    permits.age();
    leftToEnd -= scheduled[step] ?? 0;
  }
  // The rate of the last stretch, without the growth that those who leave lend it.
  const since = STEPS + 1 - SLICES;
  const grown = (turns[STEPS + 1] ?? 0) - (turns[since] ?? 0);
  const middle = Math.exp(leavingPerMs * (STEPS - SLICES / 2) * sliceMs);
  const perMs = grown / middle / (SLICES * sliceMs);
  return { atMs, turns, perMs, leavingPerMs, byPermit: began === 0 ? 1 : 1 - limited / began };
};

/** When the place of this rank (from 1) has its turn, in milliseconds from now; Infinity beyond a day. */
export const turnInMs = (
  { atMs, turns, perMs, leavingPerMs }: ForecastCourse,
  rank: number,
): number => {
  const last = turns.length - 1;
  const reached = turns[last] ?? 0;
  if (rank > reached) {
    const from = atMs[last] ?? 0;
    if (perMs <= 0) return Infinity;
    const evenly = (rank - reached) / (perMs * Math.exp(leavingPerMs * from));
    const ms = leavingPerMs > 0 ? Math.log1p(leavingPerMs * evenly) / leavingPerMs : evenly;
    return from + ms > FORECAST_MAX_MS ? Infinity : from + ms;
  }
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((turns[middle] ?? 0) < rank) low = middle;
    else high = middle;
  }
  // The turns of one slice come evenly over it, but for those of the very first, which come now.
  const from = atMs[low] ?? 0;
  const share = (rank - (turns[low] ?? 0)) / ((turns[high] ?? 0) - (turns[low] ?? 0));
  const ms = high === 1 ? 0 : from + ((atMs[high] ?? 0) - from) * share;
  return ms > FORECAST_MAX_MS ? Infinity : ms;
};

/** Permits by how long they have been out, in slices; those of the last slice stay in it. */
class AgingPermits {
  readonly #count: Float64Array;
  readonly #ending: Float64Array;
  out = 0;

  /** `ending`: the share of each age that ends within one slice. */
  constructor(ending: Float64Array) {
    this.#ending = ending;
    this.#count = new Float64Array(ending.length);
  }

  /** An age between two slices is shared between them. */
  add(age: number, count: number): void {
    const last = this.#count.length - 1;
    const at = Math.min(last, Math.floor(age));
    const beyond = at === last ? 0 : age - at;
    this.#count[at] = (this.#count[at] ?? 0) + count * (1 - beyond);
    if (beyond > 0) this.#count[at + 1] = (this.#count[at + 1] ?? 0) + count * beyond;
    this.out += count;
  }

  age(): void {
    const last = this.#count.length - 1;
    this.out = 0;
    let oldest = this.#staying(last);
    for (let at = last; at > 0; at -= 1) {
      const staying = this.#staying(at - 1) + oldest;
      this.#count[at] = staying;
      this.out += staying;
      oldest = 0;
    }
    this.#count[0] = 0;
  }

  #staying(age: number): number {
    return (this.#count[age] ?? 0) * (1 - (this.#ending[age] ?? 1));
  }
}

/** The share of the permits of each age that ends within a slice; while called, none does. */
const endingShares = (
  survival: Survival,
  stretch: number,
  sliceMs: number,
  claimSlices: number,
): Float64Array => {
  const shares = new Float64Array(claimSlices + SLICES + 1);
  for (let at = claimSlices; at < shares.length; at += 1) {
    const ms = (at - claimSlices) * sliceMs;
    const before = survival.at(ms / stretch);
    const then = survival.at((ms + sliceMs) / stretch);
    shares[at] = before <= 1e-9 ? 1 : 1 - then / before;
  }
  return shares;
};

const scheduledEnds = (endsInMs: readonly number[], sliceMs: number): Float64Array => {
  const ends = new Float64Array(STEPS + 1);
  for (const ms of endsInMs) {
    const step = Math.min(STEPS, Math.max(0, Math.floor(ms / sliceMs)));
    ends[step] = (ends[step] ?? 0) + 1;
  }
  return ends;
};

/** The length that all but a few visits stay below. */
const coveredBy = (survives: (ms: number) => number): number => {
  let ms = 100;
  while (survives(ms) > TAIL && ms < FORECAST_MAX_MS) ms *= 1.1;
  return ms;
};
