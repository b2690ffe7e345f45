/**
 * What a room has counted since it was made: the sum of all its minutes, those that are dropped
 * among them.
 */
import type { HistoryCount, HistoryRow } from "./history.ts";

/** Sums only ever grow. Those of a room that was made before it kept any begin there. */
export type HistoryTotals = Readonly<Partial<Record<HistoryCount, number>>>;

/** The sums with one more minute. */
export const withMinute = (totals: HistoryTotals, row: HistoryRow | null): HistoryTotals => {
  if (row === null) return totals;
  const { minute: _minute, waitingMax: _waitingMax, outMax: _outMax, ...more } = row;
  const { refusedBy: _refusedBy, waits: _waits, ...counts } = more;
  const sums: Partial<Record<HistoryCount, number>> = { ...totals };
  for (const count of Object.keys(counts) as HistoryCount[]) {
    const by = counts[count] ?? 0;
    if (by > 0) sums[count] = (sums[count] ?? 0) + by;
  }
  return sums;
};
