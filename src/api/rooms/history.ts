/**
 * The room's history: its query, and its minutes as JSON or CSV. Runs in the Worker and on the
 * command line.
 */
import { emptyRow, type HistoryRow } from "../../core/room/history.ts";
import { instant, MINUTE_MS, rfc3339, type InstantMs } from "../../core/time.ts";

/** One answer tells a week at most; rows are kept for 45 days. */
export const HISTORY_MINUTES_MAX = 7 * 24 * 60;
const HISTORY_MINUTES_DEFAULT = 60;

export interface QueryError {
  readonly parameter: string;
  readonly detail: string;
}

/** So many minutes, the last of them the one before `until`; null: up to now. */
export interface HistoryQuery {
  readonly minutes: number;
  readonly until: InstantMs | null;
  readonly format: "json" | "csv";
}

/**
 * Either `minutes`, or `from` and `to` (RFC 3339; without `to`, up to now). A minute is in the
 * answer when any part of it lies in the span.
 */
export const historyQuery = (
  query: (name: string) => string | undefined,
  now: number,
): HistoryQuery | readonly QueryError[] => {
  const errors: QueryError[] = [];
  const format = query("format") ?? "json";
  if (format !== "json" && format !== "csv")
    errors.push({ parameter: "format", detail: "must be json or csv" });
  const at = (name: string): number | null => {
    const given = query(name);
    if (given === undefined) return null;
    const parsed = INSTANT.test(given) ? Date.parse(given) : Number.NaN;
    if (!Number.isNaN(parsed)) return parsed;
    errors.push({ parameter: name, detail: "must be an instant such as 2026-11-20T09:00:00Z" });
    return null;
  };
  const [from, to] = [at("from"), at("to")];
  if (query("to") !== undefined && query("from") === undefined)
    errors.push({ parameter: "to", detail: "needs a from" });
  const until = to ?? now;
  const minutes =
    from === null
      ? minutesOf(query("minutes"))
      : Math.ceil(until / MINUTE_MS) - Math.floor(from / MINUTE_MS);
  if (minutes < 1)
    errors.push({ parameter: "from", detail: "must be earlier than to, and than now" });
  if (from !== null && minutes > HISTORY_MINUTES_MAX)
    errors.push({ parameter: "from", detail: "must lie at most a week before to" });
  if (errors.length > 0) return errors;
  return {
    minutes: Math.min(minutes, HISTORY_MINUTES_MAX),
    until: to === null ? null : instant(Math.ceil(to / MINUTE_MS) * MINUTE_MS),
    format: format === "csv" ? "csv" : "json",
  };
};

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const minutesOf = (given: string | undefined): number => {
  const asked = Number(given ?? HISTORY_MINUTES_DEFAULT);
  return Number.isInteger(asked) && asked >= 1 ? asked : HISTORY_MINUTES_DEFAULT;
};

/** A minute as the API tells it. Minutes in which nothing happened have none. */
export type MinuteResource = ReturnType<typeof minuteResource>;

export const minuteResource = (row: HistoryRow) => ({
  minute: rfc3339(row.minute),
  issued: row.issued,
  calls: row.calls,
  entries_by_usher: row.entriesByUsher,
  entries_by_baton: row.entriesByBaton,
  entries_by_door: row.entriesByDoor,
  missed: row.missed,
  finished: row.finished,
  expired: row.expired,
  revoked: row.revoked,
  refused: row.refused,
  waiting_max: row.waitingMax,
  out_max: row.outMax,
  waits_checked: row.etaChecked ?? 0,
  waits_within_range: row.etaHeld ?? 0,
  waits_error_percent_sum: row.etaErrorPercent ?? 0,
  bypassed: row.bypassed ?? 0,
});

/** One column for each field of a minute, in the same order. */
const COLUMNS = Object.keys(minuteResource(emptyRow(instant(0)))) as (keyof MinuteResource)[];

/** RFC 4180, with a header. Nothing in it needs quotes: an instant, and numbers. */
export const historyCsv = (minutes: readonly MinuteResource[]): string =>
  [COLUMNS, ...minutes.map((minute) => COLUMNS.map((column) => minute[column]))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("");
