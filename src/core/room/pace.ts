/** The Room under limits that something but its operator sets; which they are is core/pace. */
import type { RoomLimits } from "../definition.ts";
import type { EdgeReport } from "../edge-report.ts";
import { limitsInEffect } from "../events/planned.ts";
import type { PaceChange, PaceSettings, PacedRoom } from "../pace/pace.ts";
import { signalOf, type PaceAsk, type PaceSignal } from "../pace/signal.ts";
import type { LoweredLimits, PaceLimits } from "../snapshot.ts";
import { after, earliest, isOver, type InstantMs } from "../time.ts";
import { applyLimits } from "./apply-limits.ts";
import type { RoomState } from "./state.ts";

/** The limits in effect, the operator's own, and why they differ. */
export interface PaceView {
  readonly now: InstantMs;
  readonly operator: PaceLimits;
  readonly inEffect: PaceLimits;
  readonly settings: PaceSettings;
  /** What stands, each until its time is over. */
  readonly signals: { readonly api: PaceSignal | null; readonly origin: PaceSignal | null };
  /** What adapting has found; null where nothing is kept back, or it is off. */
  readonly adaptiveMax: number | null;
  readonly quietMs: number | null;
  /** Which signal has closed the room; null where none has. */
  readonly closedBy: "api" | "origin" | null;
  /** The latest, oldest first. */
  readonly changes: readonly PaceChange[];
}

const operatorsLimits = ({ own, plan: { list, current } }: RoomState): RoomLimits =>
  limitsInEffect(own, list, current);

const pacedRoom = (state: RoomState): PacedRoom => ({
  limits: operatorsLimits(state),
  out: state.permits.out,
  isWanted: state.line.waiting > 0,
});

/** Done at the start of each step: a signal's time may be over, or limits be due. */
export const followPace = (state: RoomState, now: InstantMs): void => {
  const isExpired = state.pace.expire(pacedRoom(state), now);
  const isDue = state.paceDueAt !== null && isOver(state.paceDueAt, now);
  if (isExpired || isDue) applyPace(state, now);
};

/** When `followPace` has something to do next. */
export const nextPaceAt = (state: RoomState, now: InstantMs): InstantMs | null =>
  earliest(state.pace.wakeAt(now), state.paceDueAt);

/** The settings of it have come with the room's others, whose limits hold from here on. */
export const configurePace = (
  state: RoomState,
  settings: PaceSettings,
  before: RoomLimits,
  now: InstantMs,
): void => {
  const isOpened = before.closed !== null && state.own.closed === null;
  state.pace.configure(settings, isOpened, pacedRoom(state), now);
};

/** An operator, or a machine in the operator's name, signals, or takes everything back. */
export const signalPace = (state: RoomState, ask: PaceAsk | "taken-back", now: InstantMs): void => {
  const room = pacedRoom(state);
  const hasChanged =
    ask === "taken-back"
      ? state.pace.clear("taken back", room, now)
      : state.pace.hear("api", signalOf(ask, now), room, now);
  if (hasChanged) applyPace(state, now);
};

/** What the origin said with its answers, and how it answered. */
export const hearOrigin = (state: RoomState, report: EdgeReport, now: InstantMs): void => {
  const { pace: said, origin } = report;
  const room = pacedRoom(state);
  let hasChanged = false;
  if (said !== undefined) {
    const signal = signalOf(said.ask, after(now, -Math.max(0, said.ageMs)));
    hasChanged = state.pace.hear("origin", signal, room, now);
  }
  if (origin !== null) hasChanged = state.pace.adapt(origin, room, now) || hasChanged;
  if (hasChanged) applyPace(state, now);
};

/** Where lobbies may still pass batons by the limits until now, the new ones wait for that. */
const applyPace = (state: RoomState, now: InstantMs): void => {
  const limits = state.pace.lowered(operatorsLimits(state));
  state.paceDueAt = null;
  if (isSame(limits, state.limits)) return;
  if (isOver(state.nextNamedUntil, now)) {
    applyLimits(state, limits, now);
    state.nextPositionsAt = now;
    return;
  }
  state.paceDueAt = state.nextNamedUntil;
  if (state.nextWithheldUntil < state.paceDueAt) state.nextWithheldUntil = state.paceDueAt;
};

const isSame = (one: RoomLimits, other: RoomLimits): boolean =>
  one.permitsMax === other.permitsMax &&
  one.startsPerSecondMax === other.startsPerSecondMax &&
  one.startsPerMinuteMax === other.startsPerMinuteMax &&
  one.closed === other.closed;

/** For those who are shown the room; null while its operator's limits hold. */
export const loweredLimits = (state: RoomState): LoweredLimits | null => {
  const { pace } = state;
  const operator = operatorsLimits(state);
  const lowered = pace.lowered(operator);
  if (pace.closedBy === null && isSame(operator, lowered)) return null;
  return {
    operator: limitsOnly(operator),
    inEffect: limitsOnly(lowered),
    closedBy: pace.closedBy,
    because: pace.because,
  };
};

export const paceViewOf = (state: RoomState, now: InstantMs): PaceView => {
  const { pace } = state;
  const operator = operatorsLimits(state);
  const { quiet } = pace.adaptive?.toJSON() ?? { quiet: null };
  return {
    now,
    operator: limitsOnly(operator),
    inEffect: limitsOnly(pace.lowered(operator)),
    settings: pace.settings,
    signals: pace.signals,
    adaptiveMax: pace.adaptive?.ceiling ?? null,
    quietMs: quiet === null || quiet.samples === 0 ? null : Math.round(2 ** quiet.log2),
    closedBy: pace.closedBy,
    changes: pace.changes,
  };
};

const limitsOnly = (limits: RoomLimits): PaceLimits => ({
  permitsMax: limits.permitsMax,
  startsPerSecondMax: limits.startsPerSecondMax,
  startsPerMinuteMax: limits.startsPerMinuteMax,
});
