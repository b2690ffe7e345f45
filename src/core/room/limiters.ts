/** A room's limits as its three limiters take them. */
import type { RoomLimits } from "../definition.ts";
import type { StartLimits } from "../ring/limiter.ts";
import { callsPerSecondMax } from "../ring/call-rate.ts";
import { StartSchedule, type ScheduleLimits } from "../ring/schedule.ts";
import type { InstantMs } from "../time.ts";

export const startLimits = (limits: RoomLimits): StartLimits => ({
  perSecondMax: limits.startsPerSecondMax,
  perMinuteMax: limits.startsPerMinuteMax,
  ring: limits.ring,
  guardMs: limits.ringGuardMs,
});

/**
 * Calls are a forecast of starts: the same limits, but nothing to guard on the origin's clock, and a
 * second has its limit also where the operator names none.
 */
export const callLimits = (limits: RoomLimits): StartLimits => ({
  ...startLimits(limits),
  perSecondMax: callsPerSecondMax(limits),
  guardMs: 0,
});

const scheduleLimits = (limits: RoomLimits): ScheduleLimits | null => {
  const perSecondMax = limits.requestsPerSecondMax ?? null;
  if (perSecondMax === null) return null;
  return { perSecondMax, ring: limits.ring, guardMs: limits.ringGuardMs };
};

export const scheduleFor = (limits: RoomLimits, last: InstantMs | null): StartSchedule | null => {
  const scheduled = scheduleLimits(limits);
  return scheduled === null ? null : new StartSchedule(scheduled, last);
};

/** What was given out before counts, also when the limit is new. */
export const reschedule = (
  before: StartSchedule | null,
  limits: RoomLimits,
): StartSchedule | null => {
  const scheduled = scheduleLimits(limits);
  if (before === null || scheduled === null) return scheduleFor(limits, null);
  const { perSecondMax, ring, guardMs } = before.limits;
  const isSame =
    perSecondMax === scheduled.perSecondMax &&
    ring === scheduled.ring &&
    guardMs === scheduled.guardMs;
  return isSame ? before : before.changed(scheduled);
};
