/**
 * What one place in the line is told of its wait, read from the table of waits. wait-table.ts makes the
 * table.
 */
import { soonestOf } from "../ring/outlook.ts";
import type { Outlook } from "../ring/outlook.ts";
import { SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/**
 * Why nobody can say how long it takes: nobody enters (paused, closed), or not before an event starts
 * (prequeue) and its order is drawn (drawing); no visit has ended yet, so
 * nobody knows how long they last (no-ends); it takes more than a day (long); turns are drawn, so it
 * may be the next or the last (random); the lobby has not heard from the Room (unheard).
 */
export type EtaUnknown =
  | "paused"
  | "closed"
  | "prequeue"
  | "drawing"
  | "no-ends"
  | "long"
  | "random"
  | "unheard";

/** How long until the turn, in whole seconds. */
export type Eta =
  | { readonly known: false; readonly reason: EtaUnknown }
  | {
      readonly known: true;
      readonly seconds: number;
      readonly low: number;
      readonly high: number;
    };

/**
 * When the places of some ranks (from 1, rising) have their turn, in milliseconds from `at`: the best
 * guess, and a range around it. Infinity where it can't be known. Small, and plain data: lobbies
 * tell their visitors by it.
 */
export interface WaitTable {
  readonly at: InstantMs;
  readonly ranks: Float64Array;
  readonly lowMs: Float64Array;
  readonly ms: Float64Array;
  readonly highMs: Float64Array;
  /** Why all of it is unknown; null when it is not. */
  readonly unknown: EtaUnknown | null;
  /** Why it is unknown where it can't be known. */
  readonly beyond: EtaUnknown;
  readonly outlook: Outlook;
}

/** Also where only limits decide: calls go out with ticks, and somebody may have to be called again. */
const MARGIN_SECONDS = 2;
const MARGIN_SHARE = 0.03;

/**
 * For a ticket with `ahead` present numbers before it. Never before the second in which the ring
 * could let it start; low <= seconds <= high.
 */
export const etaOf = (table: WaitTable, ahead: number, now: InstantMs): Eta => {
  if (table.unknown !== null) return { known: false, reason: table.unknown };
  const rank = ahead + 1;
  const passed = now - table.at;
  const least = Math.max(0, Math.ceil((soonestOf(table.outlook, ahead) - now) / SECOND_MS));
  const seconds = (ms: number): number => Math.max(0, ms - passed) / SECOND_MS;
  const high = Math.ceil(seconds(valueAt(table.ranks, table.highMs, rank)));
  if (high === Infinity) return { known: false, reason: table.beyond };
  const guess = Math.max(least, Math.round(seconds(valueAt(table.ranks, table.ms, rank))));
  const low = Math.max(least, Math.floor(seconds(valueAt(table.ranks, table.lowMs, rank))));
  const margin = Math.max(MARGIN_SECONDS, Math.ceil(guess * MARGIN_SHARE));
  return {
    known: true,
    seconds: guess,
    low: Math.max(least, Math.min(low, guess - margin), 0),
    high: Math.max(high, guess + margin),
  };
};

/** Between two ranks evenly; beyond the last as the last stretch goes on. */
const valueAt = (ranks: Float64Array, values: Float64Array, rank: number): number => {
  const last = ranks.length - 1;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if ((ranks[middle] ?? 0) <= rank) low = middle;
    else high = middle;
  }
  const from = values[low] ?? Infinity;
  const to = values[high] ?? Infinity;
  if (rank <= (ranks[low] ?? 1)) return from;
  if (to === Infinity) return rank === ranks[low] ? from : Infinity;
  return (
    from + ((to - from) * (rank - (ranks[low] ?? 1))) / ((ranks[high] ?? 1) - (ranks[low] ?? 1))
  );
};
