/**
 * What the Room sends each second to those who watch it. The dashboard reads it; docs/PROTOCOL.md has
 * the socket.
 */
import type { Eta } from "../estimate/eta.ts";
import { eventResource, type EventResource } from "../events/resource.ts";
import type { ForecastOutset } from "../forecast/outset.ts";
import type { LiveFigures } from "../room/live.ts";
import { loweredResource, type LoweredResource } from "../pace/resource.ts";
import type { RoomMode } from "../snapshot.ts";
import { rfc3339 } from "../time.ts";

/** The subprotocol that a watcher offers and that the answer chooses. */
export const LIVE_PROTOCOL = "seiriken.live";
/** Offered beside it by browsers, which can send no header: followed by the token, base64url. */
export const LIVE_BEARER = "seiriken.bearer.";

/** Counts of the minute that runs, and when it began. */
export interface LiveMinute {
  readonly minute: string;
  /** At the gate, whom nobody had met before. */
  readonly arrivals: number;
  readonly issued: number;
  readonly left: number;
  readonly calls: number;
  readonly entered: number;
  readonly missed: number;
  readonly finished: number;
  readonly expired: number;
  readonly revoked: number;
  readonly refused: number;
  readonly bypassed: number;
  /** How the origin has answered those who were let in. */
  readonly origin_answers: number;
  readonly origin_errors: number;
}

export interface LiveMessage {
  readonly type: "live";
  /** On the Room's clock, RFC 3339. */
  readonly at: string;
  /** Another value: somebody has changed the room's settings or events. */
  readonly settings: number;
  readonly mode: RoomMode;
  readonly event: EventResource | null;
  readonly waiting: number;
  readonly present: number;
  readonly unconfirmed: number;
  readonly away: number;
  readonly called: number;
  readonly visiting: number;
  readonly free: number;
  /** In effect: what the operator has set, or what an event or a pace makes of it. */
  readonly permits: number;
  readonly starts_per_minute: number;
  readonly starts_per_second: number | null;
  readonly calls_per_second: number | null;
  /** Why what is in effect is below the operator's; null where it is not. */
  readonly pace: LoweredResource | null;
  /** What the operator has set. */
  readonly own: {
    readonly permits: number;
    readonly starts_per_minute: number;
    readonly starts_per_second: number | null;
  };
  /**
   * How many visits began in each second: the running one last, sixty at most, and none before the
   * first that had any.
   */
  readonly starts: readonly number[];
  readonly entries_per_minute: number;
  readonly arrivals_per_minute: number;
  readonly waits: { readonly head: Eta; readonly middle: Eta; readonly end: Eta };
  readonly issued: number;
  /** How many there are, and the numbers present in the largest of them. */
  readonly lobbies: { readonly count: number; readonly present: readonly number[] };
  readonly minute: LiveMinute;
  /** Goes into `forecastCourse` as it is. */
  readonly outset: ForecastOutset;
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** `settings` rises with each change of the room's definition. */
export const liveMessage = (figures: LiveFigures, settings: number): LiveMessage => {
  const { outset, minute, event } = figures;
  const { limits: own } = outset;
  return {
    type: "live",
    at: rfc3339(figures.at),
    settings,
    mode: figures.mode,
    event: event === null ? null : eventResource(event),
    waiting: figures.waiting,
    present: figures.present,
    unconfirmed: figures.unconfirmed,
    away: figures.away,
    called: figures.called,
    visiting: figures.visiting,
    free: figures.free,
    permits: figures.permitsMax,
    starts_per_minute: figures.startsPerMinuteMax,
    starts_per_second: figures.startsPerSecondMax,
    calls_per_second: figures.callsPerSecondMax,
    pace: figures.lowered === null ? null : loweredResource(figures.lowered),
    own: {
      permits: own.permitsMax,
      starts_per_minute: own.startsPerMinuteMax,
      starts_per_second: own.startsPerSecondMax,
    },
    starts: figures.startsLastMinute,
    entries_per_minute: tenths(figures.entriesPerMinute),
    arrivals_per_minute: tenths(outset.learned.arrivalsPerMinute),
    waits: { head: figures.head, middle: figures.middle, end: figures.end },
    issued: figures.issued,
    lobbies: { count: figures.lobbies, present: figures.presentByLobby },
    minute: {
      minute: rfc3339(minute.minute),
      arrivals: minute.arrivals ?? 0,
      issued: minute.issued,
      left: minute.left ?? 0,
      calls: minute.calls,
      entered: minute.entriesByUsher + minute.entriesByBaton + minute.entriesByDoor,
      missed: minute.missed,
      finished: minute.finished,
      expired: minute.expired,
      revoked: minute.revoked,
      refused: minute.refused,
      bypassed: minute.bypassed ?? 0,
      origin_answers: minute.originAnswers ?? 0,
      origin_errors: minute.originErrors ?? 0,
    },
    outset,
  };
};
