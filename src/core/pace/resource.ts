/** Limits in effect below the operator's, as others are told of them. */
import type { LoweredLimits, PaceLimits } from "../snapshot.ts";

export interface LimitsResource {
  readonly permits: number;
  readonly starts_per_second: number | null;
  readonly new_users_per_minute: number;
}

export const limitsResource = (limits: PaceLimits): LimitsResource => ({
  permits: limits.permitsMax,
  starts_per_second: limits.startsPerSecondMax,
  new_users_per_minute: limits.startsPerMinuteMax,
});

/** In a room's status and in what is told live; null while its operator's limits hold. */
export interface LoweredResource {
  readonly in_effect: LimitsResource;
  readonly operator: LimitsResource;
  readonly closed_by: "api" | "origin" | null;
  readonly because: readonly string[];
}

export const loweredResource = (lowered: LoweredLimits): LoweredResource => ({
  in_effect: limitsResource(lowered.inEffect),
  operator: limitsResource(lowered.operator),
  closed_by: lowered.closedBy,
  because: lowered.because,
});
