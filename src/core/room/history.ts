/**
 * Counts what happens in each minute of a room. A figure added here is told by
 * api/rooms/history.ts; how minutes add up to hours and days is in history-steps.ts.
 */
import { LogHistogram, type LogCounts } from "../collections/log-histogram.ts";
import type { EdgeReport } from "../edge-report.ts";
import { after, instant, MINUTE_MS, type InstantMs } from "../time.ts";
import type { Refusal } from "./commands.ts";
import { withMinute, type HistoryTotals } from "./totals.ts";

/** How long they waited who entered in a minute. Rows of an older version have none. */
export interface WaitsRow {
  /** Milliseconds. */
  readonly counts: LogCounts;
  readonly longestMs: number;
}

/** What happened in one minute of the Room's clock. */
export interface HistoryRow {
  /** When the minute began. */
  readonly minute: InstantMs;
  /** Numbers: tickets, and those that visits through the open door get. */
  readonly issued: number;
  /** Tickets taken. */
  readonly joined?: number;
  readonly calls: number;
  readonly entriesByUsher: number;
  readonly entriesByBaton: number;
  readonly entriesByDoor: number;
  /** Places that their visitor gave up. A call among them is counted as missed, too. */
  readonly left?: number;
  /** Numbers that an operator took out of the line. */
  readonly removed?: number;
  readonly missed: number;
  /** Visits that their visitor or the origin ended. */
  readonly finished: number;
  /** Visits whose lease ran out. */
  readonly expired: number;
  /** Visits ended by overtime, by the operator, or taken back while provisional. */
  readonly revoked: number;
  readonly refused: number;
  /** `refused`, by why. */
  readonly refusedBy?: Partial<Readonly<Record<Refusal, number>>>;
  /** Of those who entered with a ticket, from taking it to entering. */
  readonly waits?: WaitsRow;
  /** Milliseconds, of all of them together. */
  readonly waitedMs?: number;
  /**
   * Waits that were forecast and are over: how many, and how many of them within the range told.
   */
  readonly etaChecked?: number;
  readonly etaHeld?: number;
  /** How far off they were, in percent of the wait, summed. */
  readonly etaErrorPercent?: number;
  /** Of what isolates have told of: requests that a rule let past the room, */
  readonly bypassed?: number;
  /** visitors at the gate whom nobody had met, */
  readonly arrivals?: number;
  /** and how the origin has answered those who were let in. */
  readonly originAnswers?: number;
  readonly originErrors?: number;
  readonly waitingMax: number;
  readonly outMax: number;
}

export type HistoryCount = Exclude<
  keyof HistoryRow,
  "minute" | "waitingMax" | "outMax" | "refusedBy" | "waits"
>;

/** Rows older than this are dropped: 45 days. */
export const HISTORY_KEPT_MS = 45 * 24 * 60 * MINUTE_MS;

/** No wait counts as longer: no ticket is older. */
const WAIT_MAX_MS = 30 * 24 * 60 * MINUTE_MS;

export const minuteOf = (now: InstantMs): InstantMs =>
  instant(Math.floor(now / MINUTE_MS) * MINUTE_MS);

export const emptyRow = (minute: InstantMs): HistoryRow => ({
  minute,
  issued: 0,
  joined: 0,
  calls: 0,
  entriesByUsher: 0,
  entriesByBaton: 0,
  entriesByDoor: 0,
  left: 0,
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

type Counted = { -readonly [Field in keyof HistoryRow]: HistoryRow[Field] };

/** Counts the minute that runs; quiet minutes leave no row. */
export class History {
  #row: Counted | null;
  readonly #waits = new LogHistogram();
  #longestMs: number;
  #isUnwritten = false;
  /** Of the minutes that are over. */
  #finished: HistoryTotals;

  constructor(row: HistoryRow | null = null, finished: HistoryTotals = {}) {
    this.#row = row === null ? null : { ...row };
    this.#waits.merge(row?.waits?.counts ?? []);
    this.#longestMs = row?.waits?.longestMs ?? 0;
    this.#finished = finished;
  }

  /** As it stands now: what is counted later does not change it. */
  get current(): HistoryRow | null {
    if (this.#row === null || this.#waits.total === 0) return this.#row && { ...this.#row };
    const waits = { counts: this.#waits.toJSON(), longestMs: this.#longestMs };
    return { ...this.#row, waits };
  }

  /** Of all minutes, the running one among them. */
  get totals(): HistoryTotals {
    return withMinute(this.#finished, this.current);
  }

  /** Was anything counted that a restart would forget? */
  get isUnwritten(): boolean {
    return this.#isUnwritten;
  }

  /** To be written together: of the minute that runs, and of those that are over. */
  write(): { readonly history: HistoryRow | null; readonly totals: HistoryTotals } {
    this.#isUnwritten = false;
    return { history: this.current, totals: this.#finished };
  }

  count(tally: HistoryCount, now: InstantMs, by = 1): void {
    const row = this.#at(now);
    row[tally] = (row[tally] ?? 0) + by;
  }

  refused(refusal: Refusal, now: InstantMs): void {
    const row = this.#at(now);
    row.refused += 1;
    row.refusedBy = { ...row.refusedBy, [refusal]: (row.refusedBy?.[refusal] ?? 0) + 1 };
  }

  /**
   * Somebody enters who has stood in line since `joinedAt`, as a lobby's clock read the Room's: a
   * lobby that is ahead of it makes no wait that is less than none.
   */
  waited(joinedAt: InstantMs, now: InstantMs): void {
    const ms = Math.min(WAIT_MAX_MS, Math.max(0, now - joinedAt));
    this.count("waitedMs", now, ms);
    this.#waits.add(ms);
    this.#longestMs = Math.max(ms, this.#longestMs);
  }

  /** What isolates have seen at the gate. */
  heard({ bypassed, arrivals, origin }: EdgeReport, now: InstantMs): void {
    if (bypassed > 0) this.count("bypassed", now, bypassed);
    if (arrivals > 0) this.count("arrivals", now, arrivals);
    if (origin === null) return;
    this.count("originAnswers", now, origin.answers);
    this.count("originErrors", now, origin.errors);
  }

  observe(waiting: number, out: number, now: InstantMs): void {
    if (waiting <= (this.#row?.waitingMax ?? 0) && out <= (this.#row?.outMax ?? 0)) return;
    const row = this.#at(now);
    row.waitingMax = Math.max(waiting, row.waitingMax);
    row.outMax = Math.max(out, row.outMax);
  }

  /** The finished minute, once; null while it still runs. */
  finished(now: InstantMs): HistoryRow | null {
    if (this.#row === null || minuteOf(now) === this.#row.minute) return null;
    const row = this.current;
    this.#row = null;
    this.#isUnwritten = true;
    this.#finished = withMinute(this.#finished, row);
    this.#waits.clear();
    this.#longestMs = 0;
    return row;
  }

  /** When the minute that runs is over; null when nothing was counted in it. */
  endsAt(): InstantMs | null {
    return this.#row === null ? null : after(this.#row.minute, MINUTE_MS);
  }

  #at(now: InstantMs): Counted {
    this.#isUnwritten = true;
    this.#row ??= { ...emptyRow(minuteOf(now)) };
    return this.#row;
  }
}
