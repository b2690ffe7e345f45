/** `history NAME`: which minutes are asked for, and how people read them. */
import type { MinuteResource } from "../../src/api/rooms/history.ts";
import { HISTORY_MINUTES_MAX } from "../../src/api/rooms/history.ts";
import { HISTORY_STEPS, type HistoryStep } from "../../src/core/room/history-steps.ts";
import { quoted, usageFailure } from "../launch/failure.ts";
import { tableOf } from "../rooms-view.ts";

const MINUTE_MS = 60_000;
const UNITS_MS = { m: MINUTE_MS, h: 60 * MINUTE_MS, d: 24 * 60 * MINUTE_MS } as const;
const INSTANT = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/** Milliseconds since 1970. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly step: HistoryStep;
}

/** The last hour, unless told otherwise: by an instant, or by how long ago (`90m`, `6h`, `2d`). */
export const spanOf = (
  since: string | null,
  until: string | null,
  now: number,
  asked: string | null = null,
): Span => {
  const step = HISTORY_STEPS.find((known) => known === (asked ?? "minute"));
  if (step === undefined) throw usageFailure(`--step is one of ${HISTORY_STEPS.join(", ")}`);
  const to = until === null ? now : momentOf("until", until, now);
  const from = since === null ? to - UNITS_MS.h : momentOf("since", since, now);
  if (from >= Math.min(to, now))
    throw usageFailure("--since must lie before --until, and before now");
  if (to - from > (HISTORY_MINUTES_MAX[step] - 1) * MINUTE_MS)
    throw step === "minute"
      ? usageFailure("one call tells at most a week of minutes", ["--step hour tells 45 days"])
      : usageFailure("the history goes back 45 days");
  return { from, to, step };
};

/** By an instant, or by how long ago. */
export const momentOf = (flag: string, given: string, now: number): number => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  if (count !== undefined) return now - Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
  const at = INSTANT.test(given) ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usageFailure(`--${flag}: ${quoted(given)} is no moment`, [
    "how long ago, as in 90m, 6h or 2d; or 2026-11-20T09:00Z, or 2026-11-20 (all UTC)",
  ]);
};

/** What people look for; `--csv` and `--json` tell everything. */
const COLUMNS: readonly (readonly [string, (minute: MinuteResource) => number])[] = [
  ["arrived", ({ arrivals }) => arrivals],
  ["tickets", ({ issued }) => issued],
  ["left", ({ left }) => left],
  ["called", ({ calls }) => calls],
  ["missed", ({ missed }) => missed],
  ["entered", (m) => m.entries_by_usher + m.entries_by_baton + m.entries_by_door],
  ["finished", ({ finished }) => finished],
  ["expired", ({ expired }) => expired],
  ["revoked", ({ revoked }) => revoked],
  ["refused", ({ refused }) => refused],
];

/**
 * A line a minute and their sum. The most that waited, and that was in, is the most of all minutes;
 * how long was waited in all of them together only a longer step can tell.
 */
export const historyLines = (
  minutes: readonly MinuteResource[],
  { from, to }: Pick<Span, "from" | "to">,
): string[] => {
  if (minutes.length === 0) return [`nothing happened from ${shortOf(from)} to ${shortOf(to)} UTC`];
  const most = (of: (minute: MinuteResource) => number) => Math.max(...minutes.map(of));
  const row = (
    first: string,
    waiting: number,
    out: number,
    waits: readonly [string, string],
    sum: (of: (minute: MinuteResource) => number) => number,
  ) => [first, ...[waiting, out, ...COLUMNS.map(([, of]) => sum(of))].map(String), ...waits];
  return tableOf([
    [
      ...["UTC", "most waiting", "most in", ...COLUMNS.map(([title]) => title)],
      ...["median wait", "90 % waited"],
    ],
    ...minutes.map((minute) =>
      row(
        shortOf(Date.parse(minute.minute)),
        minute.waiting_max,
        minute.out_max,
        [waitOf(minute.wait_p50_seconds), waitOf(minute.wait_p90_seconds)],
        (of) => of(minute),
      ),
    ),
    row(
      "all of them",
      most((minute) => minute.waiting_max),
      most((minute) => minute.out_max),
      ["-", "-"],
      (of) => minutes.reduce((total, minute) => total + of(minute), 0),
    ),
  ]);
};

const waitOf = (seconds: number | null): string =>
  seconds === null
    ? "-"
    : `${seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds)} s`;

const shortOf = (at: number): string => new Date(at).toISOString().slice(0, 16).replace("T", " ");
