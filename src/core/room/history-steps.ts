/** Minutes of the history added up to hours and days. */
import { LogHistogram } from "../collections/log-histogram.ts";
import { instant, MINUTE_MS, type InstantMs } from "../time.ts";
import type { Refusal } from "./commands.ts";
import { emptyRow, type HistoryCount, type HistoryRow, type WaitsRow } from "./history.ts";

/** Over how long a row of an answer goes. Hours and days are UTC's. */
export const HISTORY_STEPS = ["minute", "hour", "day"] as const;
export type HistoryStep = (typeof HISTORY_STEPS)[number];

export const HISTORY_STEP_MS: Readonly<Record<HistoryStep, number>> = {
  minute: MINUTE_MS,
  hour: 60 * MINUTE_MS,
  day: 24 * 60 * MINUTE_MS,
};

/** When the step began that this instant lies in. */
export const stepStart = (at: InstantMs, step: HistoryStep): InstantMs =>
  instant(Math.floor(at / HISTORY_STEP_MS[step]) * HISTORY_STEP_MS[step]);

/**
 * One row for each step in which anything happened, named after its beginning: counts added, peaks
 * the highest, percentiles those of all waits together. `rows` are in order of time.
 */
export const addedUp = (rows: readonly HistoryRow[], step: HistoryStep): readonly HistoryRow[] => {
  if (step === "minute") return rows;
  const steps = new Map<InstantMs, HistoryRow[]>();
  for (const row of rows) {
    const start = stepStart(row.minute, step);
    const others = steps.get(start);
    if (others === undefined) steps.set(start, [row]);
    else others.push(row);
  }
  return [...steps].map(([start, those]) => sumOf(start, those));
};

const sumOf = (start: InstantMs, rows: readonly HistoryRow[]): HistoryRow => {
  const sum: { -readonly [Field in keyof HistoryRow]: HistoryRow[Field] } = emptyRow(start);
  const reasons: Partial<Record<Refusal, number>> = {};
  for (const row of rows) {
    const { minute: _minute, refusedBy, waits: _waits, waitingMax, outMax, ...counts } = row;
    for (const [name, count] of Object.entries(counts) as [HistoryCount, number][])
      sum[name] = (sum[name] ?? 0) + count;
    for (const [reason, count] of Object.entries(refusedBy ?? {}) as [Refusal, number][])
      reasons[reason] = (reasons[reason] ?? 0) + count;
    sum.waitingMax = Math.max(sum.waitingMax, waitingMax);
    sum.outMax = Math.max(sum.outMax, outMax);
  }
  const waits = allWaits(rows);
  return { ...sum, refusedBy: reasons, ...(waits === null ? {} : { waits }) };
};

const allWaits = (rows: readonly HistoryRow[]): WaitsRow | null => {
  const all = new LogHistogram();
  let longestMs = 0;
  for (const { waits } of rows) {
    all.merge(waits?.counts ?? []);
    longestMs = Math.max(longestMs, waits?.longestMs ?? 0);
  }
  return all.total === 0 ? null : { counts: all.toJSON(), longestMs };
};
