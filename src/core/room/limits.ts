import type { RoomDefinition, RoomLimits } from "../definition.ts";

/**
 * What of a definition the step needs. A request's permit lives as long as its origin may take, and as
 * each of its starts is a request to the origin, both limits per second are one: the lower.
 */
export const stepLimitsOf = ({
  limits,
  originTimeoutMs,
  originRequestsPerSecondMax,
  clientKey = null,
}: Pick<
  RoomDefinition,
  "limits" | "originTimeoutMs" | "originRequestsPerSecondMax" | "clientKey"
>): RoomLimits => {
  if (limits.permit === "visit")
    return { ...limits, requestsPerSecondMax: originRequestsPerSecondMax };
  const perSecond = [limits.startsPerSecondMax, originRequestsPerSecondMax];
  const known = perSecond.filter((max) => max !== null);
  return {
    ...limits,
    leaseMs: originTimeoutMs,
    tellsTurns: clientKey !== null,
    startsPerSecondMax: known.length === 0 ? null : Math.min(...known),
    requestsPerSecondMax: null,
  };
};

/** Limits as they were written. Before version 0.3 `paused` was called `held`. */
export const limitsFromStore = (stored: RoomLimits & { readonly held?: boolean }): RoomLimits => {
  const { held, ...limits } = stored;
  return held === undefined ? stored : { ...limits, paused: held };
};

/** A definition as it was written, by this version or an earlier one. */
export const definitionFromStore = (json: string): RoomDefinition => {
  const definition = JSON.parse(json) as RoomDefinition;
  return { ...definition, limits: limitsFromStore(definition.limits) };
};

/** Before its definition arrives a room lets nobody through. */
export const UNCONFIGURED: RoomLimits = {
  permit: "visit",
  permitsMax: 1,
  startsPerMinuteMax: 1,
  startsPerSecondMax: null,
  ring: "calendar",
  ringGuardMs: 100,
  leaseMs: 300_000,
  leaseRenews: true,
  claimWithinMs: 60_000,
  returnWindowMs: 3_600_000,
  visitMaxMs: null,
  lineMax: 5_000_000,
  lobbiesMin: 1,
  joinsPerAddressPerMinuteMax: null,
  paused: true,
  closed: null,
  suspended: false,
  message: null,
};
