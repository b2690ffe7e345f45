/**
 * Learns from a room's events what share of called and waiting visitors never enters. The forecast
 * uses it.
 */
import { SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** About so many calls are remembered, each older one a little less. */
const CALLS_MEMORY = 200;
/** How long a number that left the line is remembered. */
const LEAVING_MEMORY_MS = 300 * SECOND_MS;
/** As if so many calls had been answered: a few missed ones at the start then say little. */
const CALLS_PRIOR = 5;
/**
 * As if the line had been watched for so long without a loss: then a few early losses say little.
 */
const WATCHED_PRIOR = 20 * 60 * SECOND_MS;

/** `[calls, entries, calledMs, left, watchedMs]` */
export type LineFlowState = readonly [number, number, number, number, number];

/**
 * What becomes of those who are called and of those who wait: how many calls one entry takes, how
 * long permits lie with those who are called, and how many leave the line.
 */
export class LineFlow {
  #calls = 0;
  #entries = 0;
  #calledMs = 0;
  #left = 0;
  /** Summed over all who waited. */
  #watchedMs = 0;
  /** The line when it was looked at last; null when nobody can say who has left since. */
  #seen: { readonly at: InstantMs; readonly waiting: number } | null = null;
  #joinedSince = 0;
  #calledSince = 0;

  static restore(state: LineFlowState | null): LineFlow {
    const flow = new LineFlow();
    if (state === null) return flow;
    [flow.#calls, flow.#entries, flow.#calledMs, flow.#left, flow.#watchedMs] = state;
    return flow;
  }

  toJSON(): LineFlowState {
    const round = (value: number): number => Math.round(value * 1e3) / 1e3;
    return [
      round(this.#calls),
      round(this.#entries),
      Math.round(this.#calledMs),
      round(this.#left),
      Math.round(this.#watchedMs),
    ];
  }

  /** Somebody joined the line, or came back to it from a call that was missed. */
  joined(): void {
    this.#joinedSince += 1;
  }

  called(): void {
    this.#calledSince += 1;
  }

  /** A call has come to its end after so long, with a visit or without one. */
  answered(afterMs: number, entered: boolean): void {
    const kept = 1 - 1 / CALLS_MEMORY;
    this.#calls = this.#calls * kept + 1;
    this.#entries = this.#entries * kept + (entered ? 1 : 0);
    this.#calledMs = this.#calledMs * kept + afterMs;
  }

  /** The line as it is; `isSure` is false while nobody knows who is in it. */
  observe(waiting: number, isSure: boolean, now: InstantMs): void {
    const seen = this.#seen;
    if (seen !== null && isSure && now - seen.at < SECOND_MS) return;
    if (seen !== null && isSure) {
      const watchedMs = seen.waiting * (now - seen.at);
      const left = seen.waiting + this.#joinedSince - this.#calledSince - waiting;
      const kept = Math.exp(-(now - seen.at) / LEAVING_MEMORY_MS);
      this.#left = this.#left * kept + left;
      this.#watchedMs = this.#watchedMs * kept + watchedMs;
    }
    this.#seen = isSure ? { at: now, waiting } : null;
    this.#joinedSince = 0;
    this.#calledSince = 0;
  }

  /** Calls for each entry, at least 1. */
  get callsPerEntry(): number {
    return (this.#calls + CALLS_PRIOR) / Math.max(1, this.#entries + CALLS_PRIOR);
  }

  /** How long a permit lies with those who are called, for each of them that enters. */
  get claimMs(): number {
    return this.#entries < 1 ? 0 : this.#calledMs / (this.#entries + 1);
  }

  /** The share of those in line that leaves, per millisecond. */
  get leavingPerMs(): number {
    return Math.max(0, this.#left) / (this.#watchedMs + WATCHED_PRIOR);
  }
}
