/** `--from-history`: who came to a room, minute by minute, and how long they really waited. */
import type { MinuteResource } from "../../src/api/rooms/history.ts";
import { HISTORY_STEP_MS, type HistoryStep } from "../../src/core/room/history-steps.ts";
import type { ArrivalPart } from "../../src/core/simulation/sale.ts";
import { Failure, usageFailure } from "../launch/failure.ts";
import { momentOf, type Span } from "../rooms/history.ts";
import type { RealPoint } from "./beside.ts";
import { VISITORS_MAX } from "./options.ts";

const DAY = 24 * 60 * 60_000;
/** The API tells no more of minutes in one answer, and no sale is simulated for longer. */
const SPAN_MS_MAX = 7 * DAY - 60_000;

/** As the room has told it; to be held against the simulation. */
export interface ReallyWas {
  readonly longestWaitMs: number;
  readonly waitingMost: number;
  readonly visitingMost: number;
  /** Minute by minute, on the simulation's clock. */
  readonly course: readonly RealPoint[];
}

export const historySpanOf = (since: string, until: string | null, now: number): Span => {
  const from = momentOf("from-history", since, now);
  const to = until === null ? now : momentOf("until", until, now);
  if (from >= to || from >= now)
    throw usageFailure("--from-history must lie before --until, and before now", [
      "--from-history 2d --until 1d is yesterday",
    ]);
  if (to - from > SPAN_MS_MAX)
    throw usageFailure("at most a week of a history is simulated", [
      "a sale's own hours: --from-history 2026-11-20T09:00Z --until 2026-11-20T13:00Z",
    ]);
  return { from, to, step: "minute" };
};

/** Minutes in which nothing happened have no row, but they passed. */
export const cameAsTold = (
  minutes: readonly MinuteResource[],
  step: HistoryStep,
  room: string,
): {
  readonly visitors: number;
  readonly arrivals: readonly ArrivalPart[];
  readonly really: ReallyWas;
} => {
  // Whoever comes gets a number, in line or at the open door.
  const came = minutes.filter(({ issued }) => issued > 0);
  const [first, last] = [came[0], came.at(-1)];
  if (first === undefined || last === undefined)
    throw new Failure("history", `nobody came to ${room} in that time`, [
      `npm run rooms -- history ${room} --since 2d shows when somebody did`,
    ]);
  const visitors = came.reduce((sum, { issued }) => sum + issued, 0);
  if (visitors > VISITORS_MAX)
    throw new Failure("history", `${visitors.toLocaleString("en")} came in that time`, [
      `at most ${VISITORS_MAX.toLocaleString("en")} are simulated: a shorter time, with --until`,
    ]);
  const partMs = HISTORY_STEP_MS[step];
  const placeOf = ({ minute }: MinuteResource): number =>
    Math.round((Date.parse(minute) - Date.parse(first.minute)) / partMs);
  const arrivals = Array.from({ length: placeOf(last) + 1 }, () => ({
    lengthMs: partMs,
    weight: 0,
  }));
  for (const row of came) arrivals[placeOf(row)] = { lengthMs: partMs, weight: row.issued };
  const lengths = edgesOf(arrivals, partMs);
  const most = (of: (row: MinuteResource) => number): number =>
    minutes.reduce((all, row) => Math.max(all, of(row)), 0);
  const really = {
    longestWaitMs: most((row) => row.wait_max_seconds ?? 0) * 1_000,
    waitingMost: most((row) => row.waiting_max),
    visitingMost: most((row) => row.out_max),
    course: courseOf(minutes, placeOf, lengths[0]?.lengthMs ?? partMs, partMs),
  };
  return { visitors, arrivals: lengths, really };
};

/** Since the first came, who is taken to have come towards the end of the first minute. */
const courseOf = (
  minutes: readonly MinuteResource[],
  placeOf: (row: MinuteResource) => number,
  firstMs: number,
  partMs: number,
): readonly RealPoint[] => {
  const rows = new Map(minutes.map((row) => [placeOf(row), row]));
  const last = Math.max(...rows.keys());
  return Array.from({ length: last + 2 }, (_, place) => ({
    atMs: place === 0 ? 0 : firstMs + (place - 1) * partMs,
    waiting: rows.get(place)?.waiting_max ?? 0,
    visiting: rows.get(place)?.out_max ?? 0,
  }));
};

/**
 * The first came somewhere in their minute, the last as well: both minutes are taken to be as busy as
 * their neighbours, and as much shorter. Spread over all of them a short crowd would not wait.
 */
const edgesOf = (parts: readonly ArrivalPart[], partMs: number): readonly ArrivalPart[] => {
  if (parts.length < 2) return parts;
  return parts.map((part, at) => {
    const beside = at === 0 ? parts[1] : at === parts.length - 1 ? parts.at(-2) : undefined;
    if (beside === undefined || beside.weight <= part.weight) return part;
    return {
      ...part,
      lengthMs: Math.max(1_000, Math.round((partMs * part.weight) / beside.weight)),
    };
  });
};
