/** Rows of the record as plots take them. Minutes in which nothing happened have no row, and are zero. */
import type { MinuteResource } from "../../../src/api/rooms/history.ts";
import { HISTORY_STEP_MS, type HistoryStep } from "../../../src/core/room/history-steps.ts";

const MINUTE_MS = 60_000;

export interface HistoryColumns {
  readonly times: readonly number[];
  readonly people: readonly (readonly number[])[];
  readonly waits: readonly (readonly (number | null)[])[];
  readonly entries: readonly (readonly number[])[];
}

export const enteredIn = (row: MinuteResource): number =>
  row.entries_by_usher + row.entries_by_baton + row.entries_by_door;

/** The last `minutes` up to `now`, each step of them with a value. */
export const historyColumns = (
  rows: readonly MinuteResource[],
  minutes: number,
  step: HistoryStep,
  now: number,
): HistoryColumns => {
  const stepMs = HISTORY_STEP_MS[step];
  const steps = Math.ceil((minutes * MINUTE_MS) / stepMs);
  const byMinute = new Map(rows.map((row) => [Date.parse(row.minute), row]));
  const latest = Math.floor(Math.max(now, ...byMinute.keys()) / stepMs) * stepMs;
  const all = Array.from({ length: steps }, (_, index) => {
    const at = latest - (steps - 1 - index) * stepMs;
    return { at, row: byMinute.get(at) };
  });
  const column = <T>(of: (row: MinuteResource) => T, none: T): T[] =>
    all.map(({ row }) => (row === undefined ? none : of(row)));
  return {
    times: all.map(({ at }) => at / 1_000),
    people: [column((row) => row.waiting_max, 0), column((row) => row.out_max, 0)],
    waits: [
      column((row) => row.wait_p99_seconds, null),
      column((row) => row.wait_p90_seconds, null),
      column((row) => row.wait_p50_seconds, null),
    ],
    entries: [column(enteredIn, 0), column((row) => row.issued, 0), column((row) => row.missed, 0)],
  };
};
