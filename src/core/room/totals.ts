/**
 * What a room has counted since it was made: the sum of all its minutes, those that are dropped
 * among them. It is written with the head of the room in nearly every step, so it is small.
 */
import { BUCKETS_PER_DOUBLING, type LogCounts } from "../collections/log-histogram.ts";
import type { Refusal } from "./commands.ts";
import type { HistoryCount, HistoryRow } from "./history.ts";

/** Sums only ever grow. Those of a room that was made before it kept any begin there. */
export type HistoryTotals = Readonly<Partial<Record<HistoryCount, number>>> & {
  readonly refusedBy?: Partial<Readonly<Record<Refusal, number>>>;
  /** Of those who entered with a ticket: how many waited for less than each of `WAIT_BOUNDS_MS`, and not less than the one before; the last for longer. */
  readonly waits?: readonly number[];
};

/** From about a second to more than four hours, doubling: bounds that the history's buckets have too. */
export const WAIT_BOUNDS_MS: readonly number[] = Array.from(
  { length: 15 },
  (_, index) => 2 ** (10 + index),
);

/** The sums with one more minute. */
export const withMinute = (totals: HistoryTotals, row: HistoryRow | null): HistoryTotals => {
  if (row === null) return totals;
  const { minute: _minute, waitingMax: _waitingMax, outMax: _outMax, ...more } = row;
  const { refusedBy, waits, ...counts } = more;
  const { refusedBy: refusedBefore, waits: waitsBefore, ...before } = totals;
  const reasons = refusedBy ?? refusedBefore;
  const waited = waits === undefined ? waitsBefore : withWaits(waitsBefore, waits.counts);
  return {
    ...summed(before, counts),
    ...(reasons === undefined ? {} : { refusedBy: summed(refusedBefore ?? {}, refusedBy ?? {}) }),
    ...(waited === undefined ? {} : { waits: waited }),
  };
};

type Sums<Name extends string> = Readonly<Partial<Record<Name, number>>>;

const summed = <Name extends string>(before: Sums<Name>, more: Sums<Name>): Sums<Name> => {
  const sums: Partial<Record<Name, number>> = { ...before };
  for (const name of Object.keys(more) as Name[]) {
    const by = more[name] ?? 0;
    if (by > 0) sums[name] = (sums[name] ?? 0) + by;
  }
  return sums;
};

const withWaits = (before: readonly number[] | undefined, counts: LogCounts): readonly number[] => {
  const sums = Array.from(
    { length: WAIT_BOUNDS_MS.length + 1 },
    (_, index) => before?.[index] ?? 0,
  );
  for (const [bucket, count] of counts) {
    const doubling = Math.ceil(bucket / BUCKETS_PER_DOUBLING);
    const index = Math.min(Math.max(0, doubling - 10), WAIT_BOUNDS_MS.length);
    sums[index] = (sums[index] ?? 0) + count;
  }
  return sums;
};
