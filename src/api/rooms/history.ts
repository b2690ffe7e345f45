/**
 * The room's history: its query, and its rows as JSON or CSV. Runs in the Worker and on the command
 * line.
 */
import { LogHistogram } from "../../core/collections/log-histogram.ts";
import type { Refusal } from "../../core/room/commands.ts";
import { emptyRow, HISTORY_KEPT_MS, type HistoryRow } from "../../core/room/history.ts";
import {
  HISTORY_STEP_MS,
  HISTORY_STEPS,
  stepStart,
  type HistoryStep,
} from "../../core/room/history-steps.ts";
import { after, instant, MINUTE_MS, rfc3339, type InstantMs } from "../../core/time.ts";

/** How many minutes one answer tells at most: a week of them, or all that are kept by hours or days. */
export const HISTORY_MINUTES_MAX: Readonly<Record<HistoryStep, number>> = {
  minute: 7 * 24 * 60,
  hour: HISTORY_KEPT_MS / MINUTE_MS,
  day: HISTORY_KEPT_MS / MINUTE_MS,
};
const HISTORY_MINUTES_DEFAULT = 60;

export interface QueryError {
  readonly parameter: string;
  readonly detail: string;
}

/** So many minutes, the last of them the one before `until`; null: up to now. */
export interface HistorySpan {
  readonly minutes: number;
  readonly until: InstantMs | null;
}

export interface HistoryQuery extends HistorySpan {
  readonly step: HistoryStep;
  readonly format: "json" | "csv";
}

/**
 * Either `minutes`, or `from` and `to` (RFC 3339; without `to`, up to now). A minute, an hour or a
 * day is in the answer when any part of it lies in the span.
 */
export const historyQuery = (
  query: (name: string) => string | undefined,
  now: number,
): HistoryQuery | readonly QueryError[] => {
  const errors: QueryError[] = [];
  const format = query("format") ?? "json";
  if (format !== "json" && format !== "csv")
    errors.push({ parameter: "format", detail: "must be json or csv" });
  const step = HISTORY_STEPS.find((known) => known === (query("step") ?? "minute"));
  if (step === undefined)
    errors.push({ parameter: "step", detail: `must be one of ${HISTORY_STEPS.join(", ")}` });
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
  const most = HISTORY_MINUTES_MAX[step ?? "minute"];
  if (minutes < 1)
    errors.push({ parameter: "from", detail: "must be earlier than to, and than now" });
  if (from !== null && minutes > most) errors.push({ parameter: "from", detail: tooLong(most) });
  if (errors.length > 0 || step === undefined) return errors;
  return {
    minutes: Math.min(minutes, most),
    until: to === null ? null : instant(Math.ceil(to / MINUTE_MS) * MINUTE_MS),
    step,
    format: format === "csv" ? "csv" : "json",
  };
};

const tooLong = (most: number): string =>
  most === HISTORY_MINUTES_MAX.minute
    ? "must lie at most a week before to; step=hour and step=day tell 45 days"
    : "must lie at most 45 days before to";

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

const minutesOf = (given: string | undefined): number => {
  const asked = Number(given ?? HISTORY_MINUTES_DEFAULT);
  return Number.isInteger(asked) && asked >= 1 ? asked : HISTORY_MINUTES_DEFAULT;
};

const DAY_MINUTES = HISTORY_STEP_MS.day / MINUTE_MS;

/**
 * What the Room is asked for, one call after the other: a day at a time, so that a month's answer
 * never keeps it from its visitors for longer than a day's.
 */
export const spansOf = ({ minutes, until, step }: HistoryQuery, now: number): HistorySpan[] => {
  if (step === "minute" && minutes <= DAY_MINUTES) return [{ minutes, until }];
  const endsAt = until ?? after(stepStart(instant(now), "minute"), MINUTE_MS);
  const from = stepStart(after(endsAt, -minutes * MINUTE_MS), step);
  const last =
    step === "minute" ? endsAt : after(stepStart(after(endsAt, -1), step), HISTORY_STEP_MS[step]);
  const spans: HistorySpan[] = [];
  for (let start = from; start < last;) {
    const dayEnd = after(stepStart(start, "day"), HISTORY_STEP_MS.day);
    const end = dayEnd < last ? dayEnd : last;
    spans.push({ minutes: (end - start) / MINUTE_MS, until: end });
    start = end;
  }
  return spans;
};

/** A minute, an hour or a day as the API tells it. Those in which nothing happened have none. */
export type MinuteResource = ReturnType<typeof minuteResource>;

export const minuteResource = (row: HistoryRow) => ({
  minute: rfc3339(row.minute),
  arrivals: row.arrivals ?? 0,
  joined: row.joined ?? 0,
  issued: row.issued,
  calls: row.calls,
  entries_by_usher: row.entriesByUsher,
  entries_by_baton: row.entriesByBaton,
  entries_by_door: row.entriesByDoor,
  left: row.left ?? 0,
  removed: row.removed ?? 0,
  missed: row.missed,
  finished: row.finished,
  expired: row.expired,
  revoked: row.revoked,
  refused: row.refused,
  ...refusalsOf(row),
  waiting_max: row.waitingMax,
  out_max: row.outMax,
  ...waitsOf(row),
  waits_checked: row.etaChecked ?? 0,
  waits_within_range: row.etaHeld ?? 0,
  waits_error_percent_sum: row.etaErrorPercent ?? 0,
  ...forecastOf(row),
  bypassed: row.bypassed ?? 0,
  origin_answers: row.originAnswers ?? 0,
  origin_errors: row.originErrors ?? 0,
});

const refusalsOf = ({ refusedBy = {} }: HistoryRow) => {
  const by = (refusal: Refusal): number => refusedBy[refusal] ?? 0;
  return {
    refused_line_full: by("line-full"),
    refused_lobby_full: by("lobby-full"),
    refused_room_closed: by("room-closed"),
    refused_room_suspended: by("room-suspended"),
    refused_too_many_joins: by("too-many-joins"),
  };
};

/** Null where nobody's wait ended. */
const waitsOf = ({ waits }: HistoryRow) => {
  const all = LogHistogram.from(waits?.counts ?? []);
  const longestMs = waits?.longestMs ?? 0;
  const at = (share: number): number | null => {
    const ms = all.quantile(share);
    return ms === null ? null : secondsOf(Math.min(ms, longestMs));
  };
  return {
    waits: all.total,
    wait_p50_seconds: at(0.5),
    wait_p90_seconds: at(0.9),
    wait_p99_seconds: at(0.99),
    wait_max_seconds: all.total === 0 ? null : secondsOf(longestMs),
  };
};

/** How well waits were foretold; null where none that was foretold ended. */
const forecastOf = ({ etaChecked = 0, etaHeld = 0, etaErrorPercent = 0 }: HistoryRow) => ({
  waits_within_range_percent: shareOf(100 * etaHeld, etaChecked),
  waits_error_percent_mean: shareOf(etaErrorPercent, etaChecked),
});

const shareOf = (sum: number, count: number): number | null =>
  count === 0 ? null : Math.round((10 * sum) / count) / 10;

const secondsOf = (ms: number): number => Math.round(ms) / 1_000;

/** One for each figure, in the same order. */
const columns = (): (keyof MinuteResource)[] =>
  Object.keys(minuteResource(emptyRow(instant(0)))) as (keyof MinuteResource)[];

/** RFC 4180, with a header. Nothing in it needs quotes: an instant, numbers, and nothing. */
export const historyCsv = (minutes: readonly MinuteResource[]): string => {
  const names = columns();
  return [names, ...minutes.map((minute) => names.map((column) => minute[column] ?? ""))]
    .map((cells) => `${cells.join(",")}\r\n`)
    .join("");
};
