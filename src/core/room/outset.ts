/** What a forecast of a room begins with, as the Room knows it. */
import type { ForecastInput } from "../estimate/forecast.ts";
import type { Survival } from "../estimate/visit-lengths.ts";
import type { PlannedEvent } from "../events/planned.ts";
import {
  SPREAD_STEPS,
  type ForecastCeilings,
  type ForecastEvent,
  type ForecastLimits,
  type ForecastOutset,
  type Learned,
  type Spread,
} from "../forecast/outset.ts";
import { isOver, MINUTE_MS, type InstantMs } from "../time.ts";
import type { PaceLimits } from "../snapshot.ts";
import { loweredLimits } from "./pace.ts";
import type { RoomState } from "./state.ts";
import { waitTableOf } from "./view.ts";

/** Events further ahead change nothing that a forecast shows. */
const AHEAD_MS = 24 * 60 * MINUTE_MS;
const EVENTS_MAX = 3;
/** The share that lasts longer than the most that a spread tells. */
const LONGEST_SHARE = 0.005;

/** Changes nothing but the estimate. */
export const outsetOf = (state: RoomState, now: InstantMs): ForecastOutset => {
  waitTableOf(state, now);
  const { input } = state.estimator;
  return {
    at: now,
    limits: forecastLimits(state),
    lowered: ceilings(state),
    events: state.plan.list
      .filter((event) => isNear(event, now))
      .slice(0, EVENTS_MAX)
      .map(shown),
    waiting: state.line.standing,
    called: state.permits.called,
    visiting: state.permits.held,
    agesMs: spreadOf(input?.agesMs ?? []),
    callsLastMinute: fromTheFirst(state.calls.lastMinute(now)),
    learned: learned(state, input, now),
  };
};

/** Where it is not lower than the operator's it is no ceiling, also for what the operator tries out. */
const ceilings = (state: RoomState): ForecastCeilings | null => {
  const lowered = loweredLimits(state);
  if (lowered === null) return null;
  const { operator, inEffect, closedBy } = lowered;
  const ceiling = (figure: keyof PaceLimits): number | null =>
    inEffect[figure] === operator[figure] ? null : inEffect[figure];
  return {
    permitsMax: ceiling("permitsMax"),
    startsPerMinuteMax: ceiling("startsPerMinuteMax"),
    startsPerSecondMax: ceiling("startsPerSecondMax"),
    closed: closedBy !== null,
  };
};

const forecastLimits = ({ own }: RoomState): ForecastLimits => ({
  permit: own.permit,
  order: own.order ?? "fifo",
  permitsMax: own.permitsMax,
  startsPerMinuteMax: own.startsPerMinuteMax,
  startsPerSecondMax: own.startsPerSecondMax,
  ring: own.ring,
  ringGuardMs: own.ringGuardMs,
  claimWithinMs: own.claimWithinMs,
  visitMaxMs: own.visitMaxMs,
  lineMax: own.lineMax,
  paused: own.paused,
  suspended: own.suspended,
  closed: own.closed !== null,
});

/** Without the seconds before the first that had any. */
export const fromTheFirst = (seconds: readonly number[]): readonly number[] => {
  const first = seconds.findIndex((count) => count > 0);
  return first === -1 ? [] : seconds.slice(first);
};

const isNear = ({ suspended, prequeueAt, startsAt, endsAt }: PlannedEvent, now: InstantMs) =>
  !suspended && !isOver(endsAt, now) && (prequeueAt ?? startsAt) < now + AHEAD_MS;

/** Without its name, and without what its draw is made of. */
const shown = ({ prequeueAt, startsAt, endsAt, overrides }: PlannedEvent): ForecastEvent => ({
  prequeueAt,
  startsAt,
  endsAt,
  permitsMax: overrides.permitsMax,
  startsPerMinuteMax: overrides.startsPerMinuteMax,
  queueingMethod: overrides.queueingMethod,
});

const learned = (state: RoomState, input: ForecastInput | null, now: InstantMs): Learned => {
  const { flow } = state.estimator;
  const calls = flow.callsPerEntry;
  // What permits lay with those who never came is no part of how long those take who come.
  const missedMs = (calls - 1) * state.limits.claimWithinMs;
  return {
    lengthsMs: input === null ? [] : lengthsOf(input.survival),
    lengthsFrom: Math.round(input?.survival.learnedFrom ?? 0),
    lengthsUnseen: thousandths(input?.survival.unseen ?? 1),
    missedShare: thousandths(1 - 1 / calls),
    claimMs: Math.round(Math.max(0, flow.claimMs - missedMs)),
    leavingPerMinute: flow.leavingPerMs * MINUTE_MS,
    arrivalsPerMinute: state.arrivals.perMinute(now),
  };
};

const thousandths = (share: number): number => Math.round(share * 1e3) / 1e3;

const spreadOf = (values: readonly number[]): Spread => {
  if (values.length === 0) return [];
  const rising = Float64Array.from(values).toSorted();
  return Array.from({ length: SPREAD_STEPS + 1 }, (_, i) =>
    Math.round(rising[Math.round((i / SPREAD_STEPS) * (rising.length - 1))] ?? 0),
  );
};

const STEP_RATIO = 1.02;

const lengthsOf = ({ at, learnedFrom }: Survival): Spread => {
  if (learnedFrom === 0) return [];
  const spread: number[] = [];
  let ms = 0;
  for (let i = 0; i <= SPREAD_STEPS; i += 1) {
    const share = Math.max(LONGEST_SHARE, 1 - i / SPREAD_STEPS);
    while (at(ms) > share && ms < AHEAD_MS) ms = Math.max(ms + 20, ms * STEP_RATIO);
    spread.push(Math.round(ms));
  }
  return spread;
};
