/** The minutes that the Room tells: those that are written, and the one that runs. */
import type { History, HistoryRow } from "../../core/room/history.ts";
import { addedUp, type HistoryStep } from "../../core/room/history-steps.ts";
import type { RoomStore } from "../../core/room/stored.ts";
import { after, MINUTE_MS, type InstantMs } from "../../core/time.ts";

/** A week. */
const HISTORY_ROWS_MAX = 10_080;

export interface MinutesAsked {
  readonly minutes: number;
  /** Null: up to now. */
  readonly until: InstantMs | null;
  readonly step: HistoryStep;
}

/** The minute that runs is told as far as it has come: an operator looks at what happens now. */
export const minutesTold = (
  store: Pick<RoomStore, "history">,
  { current: running }: Pick<History, "current">,
  { minutes, until, step }: MinutesAsked,
  now: InstantMs,
): readonly HistoryRow[] => {
  const rows = Math.min(minutes, HISTORY_ROWS_MAX);
  const since = after(until ?? now, -rows * MINUTE_MS);
  const before = until ?? after(now, MINUTE_MS);
  const finished = store.history(since, rows, before);
  const isAsked =
    running !== null && running.minute < before && after(running.minute, MINUTE_MS) > since;
  return addedUp(isAsked ? [...finished, running].slice(-rows) : finished, step);
};
