/** What operators are shown of a room each second. */
import type { CurrentEvent } from "../events/event.ts";
import { etaOf, type Eta } from "../estimate/eta.ts";
import type { ForecastOutset } from "../forecast/outset.ts";
import { ticketNumber, type TicketNumber } from "../ids.ts";
import { callsPerSecondMax } from "../ring/call-rate.ts";
import type { LoweredLimits, RoomMode } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import { eventOf } from "./events.ts";
import { emptyRow, minuteOf, type HistoryRow } from "./history.ts";
import { modeOf } from "./mode.ts";
import { loweredLimits } from "./pace.ts";
import { fromTheFirst, outsetOf } from "./outset.ts";
import type { RoomState } from "./state.ts";
import { waitTableOf } from "./view.ts";

/** Of more lobbies than these only the number is told. */
export const LOBBIES_SHOWN_MAX = 32;

/** A room at one moment, for those who watch it. */
export interface LiveFigures {
  readonly at: InstantMs;
  readonly mode: RoomMode;
  readonly event: CurrentEvent | null;
  /** Standing in the line: present, and those of whom nobody knows yet. */
  readonly waiting: number;
  readonly present: number;
  readonly unconfirmed: number;
  /** Neither called nor standing, and they may come back. */
  readonly away: number;
  readonly called: number;
  readonly visiting: number;
  readonly free: number;
  /** Permits in effect. */
  readonly permitsMax: number;
  /** Null while the operator's limits, or their event's, hold. */
  readonly lowered: LoweredLimits | null;
  readonly startsPerMinuteMax: number;
  /** Null: no limit but that of a minute. */
  readonly startsPerSecondMax: number | null;
  /** The most that are called in a second; null: as many as are free. */
  readonly callsPerSecondMax: number | null;
  /** In each of the last seconds, sixty at most, from the first that had any; the running one last. */
  readonly startsLastMinute: readonly number[];
  /** Of those who waited, a minute, smoothed. */
  readonly entriesPerMinute: number;
  readonly head: Eta;
  readonly middle: Eta;
  /** Of who would join now. */
  readonly end: Eta;
  readonly issued: TicketNumber | 0;
  readonly lobbies: number;
  /** Numbers present in each, most first; the largest lobbies only. */
  readonly presentByLobby: readonly number[];
  /** What has happened in the running minute. */
  readonly minute: HistoryRow;
  readonly outset: ForecastOutset;
}

/** Changes nothing but the estimate. */
export const liveFigures = (state: RoomState, now: InstantMs): LiveFigures => {
  const { line, permits, limits } = state;
  const table = waitTableOf(state, now);
  const present = [...line.lobbies()].map((lobby) => line.presentOf(lobby));
  const middle = Math.floor(Math.max(0, line.waiting - 1) / 2);
  return {
    at: now,
    mode: modeOf(state, now),
    event: eventOf(state),
    waiting: line.standing,
    present: line.waiting,
    unconfirmed: line.unconfirmed,
    away: line.unspent - line.standing - permits.called,
    called: permits.called,
    visiting: permits.held,
    free: permits.free,
    permitsMax: limits.permitsMax,
    lowered: loweredLimits(state),
    startsPerMinuteMax: limits.startsPerMinuteMax,
    startsPerSecondMax: limits.startsPerSecondMax,
    callsPerSecondMax: callsPerSecondMax(limits),
    startsLastMinute: fromTheFirst(state.starts.lastMinute(now)),
    entriesPerMinute: state.rate.perMinute(now),
    head: etaOf(table, 0, now),
    middle: etaOf(table, middle, now),
    end: etaOf(table, line.waiting, now),
    issued: line.issued === 0 ? 0 : ticketNumber(line.issued),
    lobbies: present.length,
    presentByLobby: present.toSorted((a, b) => b - a).slice(0, LOBBIES_SHOWN_MAX),
    minute: state.history.current ?? emptyRow(minuteOf(now)),
    outset: outsetOf(state, now),
  };
};
