/**
 * What others are shown of a room: snapshots for isolates, positions and waits for lobbies. It
 * changes nothing but the estimate.
 */
import type { CurrentEvent } from "../events/event.ts";
import type { RoomFigures } from "../estimate/estimator.ts";
import { etaOf } from "../estimate/eta.ts";
import type { EtaUnknown, WaitTable } from "../estimate/eta.ts";
import type { LoweredLimits, RoomSnapshot, SnapshotVersion } from "../snapshot.ts";
import { callsPerSecondMax } from "../ring/call-rate.ts";
import { after, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import { eventOf } from "./events.ts";
import { lobbiesOpen } from "./lobbies.ts";
import { modeOf } from "./mode.ts";
import { loweredLimits } from "./pace.ts";
import type { RoomStatus, PositionsTable } from "./commands.ts";
import type { RoomState } from "./state.ts";
import { ticketNumber } from "../ids.ts";
import type { Spot } from "../line/order.ts";

/** What an isolate may know, with the visits that ended since the version it has. */
export const snapshotOf = (
  state: RoomState,
  since: SnapshotVersion | null,
  now: InstantMs,
): RoomSnapshot => {
  const known = since?.boot === state.boot ? since.ended : null;
  return {
    version: { boot: state.boot, ended: state.ended.version },
    at: now,
    mode: modeOf(state, now),
    epoch: state.epoch,
    epochAt: state.epochAt,
    message: state.limits.message,
    closed: state.limits.closed,
    ...eventShown(state),
    lobbiesOpen: lobbiesOpen(state),
    waiting: state.line.standing,
    called: state.permits.called,
    visiting: state.permits.held,
    permitsMax: state.permits.max,
    ...loweredShown(state),
    issued: state.line.issued === 0 ? 0 : ticketNumber(state.line.issued),
    entriesPerMinute: state.rate.perMinute(now),
    startsLastMinute: state.starts.lastMinute(now),
    newcomer: etaOf(waitTableOf(state, now), state.line.waiting, now),
    endedSince: known,
    ended: state.ended.since(known, now),
  };
};

const loweredShown = (state: RoomState): { readonly lowered?: LoweredLimits } => {
  const lowered = loweredLimits(state);
  return lowered === null ? {} : { lowered };
};

const eventShown = (state: RoomState): { readonly event?: CurrentEvent } => {
  const event = eventOf(state);
  return event === null ? {} : { event };
};

/**
 * How far ahead visitors are asked whether they are awake: seconds of the line's movement, and how
 * many at least.
 */
const NEAR_SECONDS = 20;
const NEAR_LEAST = 10;

/** Nothing moves, or by chance, and nobody can say for how long. */
const unforeseeable = ({ limits, own, plan }: RoomState): EtaUnknown | null => {
  if (limits.closed !== null) return "closed";
  if (own.paused) return "paused";
  const phase = plan.current?.phase ?? "running";
  if (phase !== "running") return phase;
  if (limits.paused) return "paused";
  return limits.order === "random" ? "random" : null;
};

export const waitTableOf = (state: RoomState, now: InstantMs): WaitTable => {
  const { limits } = state;
  const isWindowed = limits.ring === "sliding" && limits.startsPerSecondMax !== null;
  const figures = (): RoomFigures => ({
    permits: state.permits.all(),
    permitsMax: limits.permitsMax,
    waiting: state.line.waiting,
    leaves: limits.permit === "visit",
    longestMs: Math.min(
      limits.visitMaxMs ?? Infinity,
      limits.leaseRenews || limits.permit === "request" ? Infinity : limits.leaseMs,
    ),
    startFigures: {
      lastMinute: state.calls.lastMinute(now),
      perMinuteMax: limits.startsPerMinuteMax,
      perSecondMax: callsPerSecondMax(limits) ?? Infinity,
      perSecondWindowMs: isWindowed ? SECOND_MS + limits.ringGuardMs : SECOND_MS,
      owed: isWindowed ? state.permits.called : 0,
    },
    unknown: unforeseeable(state),
    outlook: state.starts.outlook(now),
  });
  const table = state.estimator.table(figures, now);
  followOne(state, table, now);
  return table;
};

/** Follows one number in the middle of the line, to see later how well its wait was foretold. */
const followOne = ({ estimator, line }: RoomState, table: WaitTable, now: InstantMs): void => {
  if (line.waiting === 0 || !estimator.forecastCheck.isDue(now)) return;
  const ahead = Math.floor(line.waiting / 2);
  const number = line.memberAt(ahead);
  if (number !== null) estimator.forecastCheck.follow(number, etaOf(table, ahead, now), now);
};

export const roomStatusOf = (state: RoomState, now: InstantMs): RoomStatus => ({
  boot: state.boot,
  mode: modeOf(state, now),
  message: state.limits.message,
  closed: state.limits.closed,
  ...(state.limits.order === "random" ? { drawn: true } : {}),
  ...(state.line.order.isPlain ? {} : { order: state.line.order.stretches }),
  ...eventShown(state),
  waiting: state.line.standing,
  returnWindowMs: state.limits.returnWindowMs,
  waits: waitTableOf(state, now),
});

/** Who is asked long before an event calls anybody sleeps again by then. */
const isStartFar = (state: RoomState, now: InstantMs): boolean => {
  const event = eventOf(state);
  return event?.phase === "prequeue" && event.startsAt > after(now, NEAR_SECONDS * SECOND_MS);
};

/** What lobbies are told once a tick. */
export const positionsTableOf = (state: RoomState, now: InstantMs): PositionsTable => {
  const perSecond = state.rate.perMinute(now) / 60;
  const near = state.permits.free + Math.ceil(perSecond * NEAR_SECONDS) + NEAR_LEAST;
  // Whoever is drawn may be anybody: all of them asked beforehand would be a broadcast.
  if (state.limits.order === "random")
    return { positions: state.line.positions(), nearUntil: 0, among: state.line.standing };
  const { line } = state;
  if (isStartFar(state, now)) return { positions: line.positions(), nearUntil: 0 };
  return { positions: line.positions(), nearUntil: line.spotAt(near) ?? (line.issued as Spot | 0) };
};
