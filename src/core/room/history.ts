/**
 * Counts what happens in each minute of a room. To add a figure, add it here and in
 * durable/room/store.ts.
 */
import { instant, MINUTE_MS, type InstantMs } from "../time.ts";
import { withMinute, type HistoryTotals } from "./totals.ts";

/** What happened in one minute of the Room's clock. */
export interface HistoryRow {
  /** When the minute began. */
  readonly minute: InstantMs;
  readonly issued: number;
  readonly calls: number;
  readonly entriesByUsher: number;
  readonly entriesByBaton: number;
  readonly entriesByDoor: number;
  readonly missed: number;
  /** Visits that their visitor or the origin ended. */
  readonly finished: number;
  /** Visits whose lease ran out. */
  readonly expired: number;
  /** Visits ended by overtime, by the operator, or taken back while provisional. */
  readonly revoked: number;
  readonly refused: number;
  /**
   * Waits that were forecast and are over: how many, and how many of them within the range told.
   */
  readonly etaChecked?: number;
  readonly etaHeld?: number;
  /** How far off they were, in percent of the wait, summed. */
  readonly etaErrorPercent?: number;
  /** Requests that a rule let past the room: as many as isolates have told of. */
  readonly bypassed?: number;
  readonly waitingMax: number;
  readonly outMax: number;
}

export type HistoryCount = Exclude<keyof HistoryRow, "minute" | "waitingMax" | "outMax">;

/** Rows older than this are dropped: 45 days. */
export const HISTORY_KEPT_MS = 45 * 24 * 60 * MINUTE_MS;

const minuteOf = (now: InstantMs): InstantMs => instant(Math.floor(now / MINUTE_MS) * MINUTE_MS);

export const emptyRow = (minute: InstantMs): HistoryRow => ({
  minute,
  issued: 0,
  calls: 0,
  entriesByUsher: 0,
  entriesByBaton: 0,
  entriesByDoor: 0,
  missed: 0,
  finished: 0,
  expired: 0,
  revoked: 0,
  refused: 0,
  etaChecked: 0,
  etaHeld: 0,
  etaErrorPercent: 0,
  waitingMax: 0,
  outMax: 0,
});

/** Counts the minute that runs; quiet minutes leave no row. */
export class History {
  #row: HistoryRow | null;
  #written: HistoryRow | null;
  /** Of the minutes that are over. */
  #finished: HistoryTotals;

  constructor(row: HistoryRow | null = null, finished: HistoryTotals = {}) {
    this.#row = row;
    this.#written = row;
    this.#finished = finished;
  }

  get current(): HistoryRow | null {
    return this.#row;
  }

  /** Of all minutes, the running one among them. */
  get totals(): HistoryTotals {
    return withMinute(this.#finished, this.#row);
  }

  /** Was anything counted that a restart would forget? */
  get isUnwritten(): boolean {
    return this.#row !== this.#written;
  }

  /** To be written together: of the minute that runs, and of those that are over. */
  write(): { readonly history: HistoryRow | null; readonly totals: HistoryTotals } {
    this.#written = this.#row;
    return { history: this.#row, totals: this.#finished };
  }

  count(tally: HistoryCount, now: InstantMs, by = 1): void {
    const row = this.#row ?? emptyRow(minuteOf(now));
    this.#row = { ...row, [tally]: (row[tally] ?? 0) + by };
  }

  observe(waiting: number, out: number, now: InstantMs): void {
    const row = this.#row ?? emptyRow(minuteOf(now));
    if (waiting <= row.waitingMax && out <= row.outMax) return;
    this.#row = {
      ...row,
      waitingMax: Math.max(waiting, row.waitingMax),
      outMax: Math.max(out, row.outMax),
    };
  }

  /** The finished minute, once; null while it still runs. */
  finished(now: InstantMs): HistoryRow | null {
    const row = this.#row;
    if (row === null || minuteOf(now) === row.minute) return null;
    this.#row = null;
    this.#finished = withMinute(this.#finished, row);
    return row;
  }

  /** When the minute that runs is over; null when nothing was counted in it. */
  endsAt(): InstantMs | null {
    return this.#row === null ? null : instant(this.#row.minute + MINUTE_MS);
  }
}
