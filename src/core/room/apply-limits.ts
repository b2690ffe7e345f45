import type { RoomLimits } from "../definition.ts";
import { after, type InstantMs } from "../time.ts";
import { callLimits, reschedule, startLimits } from "./limiters.ts";
import type { RoomState } from "./state.ts";

/** New limits hold from this step on, up and down. They end no visit. */
export const applyLimits = (state: RoomState, limits: RoomLimits, now: InstantMs): void => {
  const before = state.limits;
  state.limits = limits;
  state.permits.setMax(limits.permitsMax);
  state.calls.setLimits(callLimits(limits));
  state.starts.setLimits(startLimits(limits));
  state.requests = reschedule(state.requests, limits);
  const changed =
    before.permitsMax !== limits.permitsMax ||
    before.startsPerMinuteMax !== limits.startsPerMinuteMax ||
    before.startsPerSecondMax !== limits.startsPerSecondMax;
  if (changed) state.rate.limitsChanged(now);
  const nextSweepAt = after(now, limits.returnWindowMs / 4);
  if (nextSweepAt < state.nextSweepAt) state.nextSweepAt = nextSweepAt;
  state.estimator.forget();
  state.unsaved.head = true;
};
