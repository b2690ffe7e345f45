/**
 * Learns how long visits of a room last. What follows from it for those who wait is in forecast.ts.
 */
import type { TicketNumber } from "../ids.ts";

/** The upper bound of the first bin, and by how much each bin is longer than the one before. */
const LEAST_MS = 50;
const RATIO = 1.04;
/** Up to about three days; whatever is longer falls into the last bin. */
const BINS = 390;
/** About how many visits are remembered: this many, or this many times P if that is more. */
const MEMORY = 400;
const MEMORY_PERMITS = 3;
/** Weights are brought back to scale before they outgrow a number. */
const WEIGHT_MAX = 1e9;

/** Visits that are much alike and outlast all others last longer by about this share. */
const RESIDUAL_SHARE = 0.5;

const LOG_RATIO = Math.log(RATIO);
const binOf = (ms: number): number =>
  ms <= LEAST_MS
    ? 0
    : Math.min(BINS - 1, 1 + Math.floor(Math.log(ms / LEAST_MS) / LOG_RATIO + 1e-9));
const lowerEdgeMs = (bin: number): number => (bin === 0 ? 0 : LEAST_MS * RATIO ** (bin - 1));

/** `[bin, weight, bin, weight, …]`, of the visits that have ended; one that begins now weighs 1. */
export type VisitLengthsState = readonly number[];

/** How probably a visit lasts longer than a length. */
export interface Survival {
  /** The share that lasts longer than so many milliseconds: 1 at 0, never rising. */
  at(ms: number): number;
  /** About how many ended visits this was learned from. */
  readonly learnedFrom: number;
  /** The share of visits of whose end nothing is known yet: they outlast all that have ended. */
  readonly unseen: number;
}

/**
 * How long visits last: learned from those that have ended and from those that still run, which have
 * lasted at least as long as they run (the product-limit estimator of Kaplan and Meier, 1958). So
 * the short visits that end first after an opening are not taken for all.
 */
export class VisitLengths {
  readonly #weights = new Float64Array(BINS);
  /** What a visit that begins now weighs: it grows, so that older ones count less. */
  #unit = 1;
  /**
   * What each visit that runs weighs. By its beginning, not by its end: else those that still run, all
   * of them new, would count more than those like them that have ended.
   */
  readonly #running = new Map<TicketNumber, number>();

  /** Goes on from what was written, or with nothing known. */
  static restore(state: VisitLengthsState | null): VisitLengths {
    const lengths = new VisitLengths();
    if (state === null) return lengths;
    for (let i = 0; i + 1 < state.length; i += 2)
      lengths.#weights[state[i] ?? 0] = state[i + 1] ?? 0;
    return lengths;
  }

  toJSON(): VisitLengthsState {
    const written: number[] = [];
    this.#weights.forEach((weight, bin) => {
      const rounded = Math.round((weight / this.#unit) * 1e3) / 1e3;
      if (rounded > 0) written.push(bin, rounded);
    });
    return written;
  }

  /** A visit begins in a room of so many permits. */
  began(visit: TicketNumber, permitsMax: number): void {
    const memory = Math.max(MEMORY, MEMORY_PERMITS * permitsMax);
    this.#unit *= memory / (memory - 1);
    this.#running.set(visit, this.#unit);
    if (this.#unit > WEIGHT_MAX) this.#rescale();
  }

  /** The visit has ended after so long. */
  ended(visit: TicketNumber, lengthMs: number): void {
    const bin = binOf(lengthMs);
    this.#weights[bin] = (this.#weights[bin] ?? 0) + this.#weightOf(visit);
    this.#running.delete(visit);
  }

  /** The visit has ended in a way that says nothing of how long others last. */
  cut(visit: TicketNumber): void {
    this.#running.delete(visit);
  }

  /** A visit that began before the Room restarted counts as if it began now. */
  #weightOf(visit: TicketNumber): number {
    return this.#running.get(visit) ?? this.#unit;
  }

  #rescale(): void {
    for (let i = 0; i < BINS; i += 1) this.#weights[i] = (this.#weights[i] ?? 0) / this.#unit;
    for (const [visit, weight] of this.#running) this.#running.set(visit, weight / this.#unit);
    this.#unit = 1;
  }

  /**
   * What is known now, with the visits that run and their ages. No visit outlasts `longestMs`. Those
   * of whose end nothing is known are taken to end as often as visits have ended so far.
   */
  survival(
    visits: Iterable<{ readonly visit: TicketNumber; readonly ageMs: number }>,
    longestMs: number,
  ): Survival {
    const running = new Float64Array(BINS);
    for (const { visit, ageMs } of visits) {
      const bin = binOf(ageMs);
      running[bin] = (running[bin] ?? 0) + this.#weightOf(visit) / this.#unit;
    }
    const ended = this.#weights.map((weight) => weight / this.#unit);
    return survivalOf(ended, running, longestMs);
  }
}

const survivalOf = (ended: Float64Array, running: Float64Array, longestMs: number): Survival => {
  let atRisk = 0;
  let learnedFrom = 0;
  let livedMs = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    const here = (ended[bin] ?? 0) + (running[bin] ?? 0);
    atRisk += here;
    learnedFrom += ended[bin] ?? 0;
    livedMs += (here * (lowerEdgeMs(bin) + lowerEdgeMs(bin + 1))) / 2;
  }
  /** The share that reaches a bin's lower edge. */
  const reaching = new Float64Array(BINS + 1);
  reaching[0] = 1;
  let last = 0;
  for (let bin = 0; bin < BINS; bin += 1) {
    const ends = ended[bin] ?? 0;
    // Those that run in this bin have seen half of it.
    const seen = atRisk - (running[bin] ?? 0) / 2;
    const share = ends > 0 && seen > 0 ? Math.min(1, ends / seen) : 0;
    reaching[bin + 1] = (reaching[bin] ?? 0) * (1 - share);
    if (ends > 0) last = bin + 1;
    atRisk -= ends + (running[bin] ?? 0);
  }
  const knownMs = last === 0 ? 0 : lowerEdgeMs(last);
  const unseen = reaching[last] ?? 1;
  // As if they ended as often as visits have so far, or soon, as those do that are alike: between both.
  const residualMs = Math.sqrt((livedMs / learnedFrom) * (knownMs * RESIDUAL_SHARE));
  const at = (ms: number): number => {
    if (ms >= longestMs) return 0;
    if (learnedFrom === 0) return 1;
    if (ms >= knownMs) return unseen * Math.exp(-(ms - knownMs) / residualMs);
    const bin = binOf(ms);
    const from = lowerEdgeMs(bin);
    const within = (ms - from) / (lowerEdgeMs(bin + 1) - from);
    const above = reaching[bin] ?? 0;
    return above - (above - (reaching[bin + 1] ?? 0)) * within;
  };
  return { at, learnedFrom, unseen };
};
