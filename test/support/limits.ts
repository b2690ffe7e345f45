import type { RoomLimits } from "../../src/core/definition.ts";

/** Limits of a small room that hold nobody up. A test names those that it is about. */
export const LIMITS: RoomLimits = {
  permit: "visit",
  permitsMax: 2,
  startsPerMinuteMax: 100_000,
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
  paused: false,
  closed: null,
  suspended: false,
  message: null,
};
