import type { RoomLimits } from "../../src/core/definition.ts";
import { UNCONFIGURED } from "../../src/core/room/limits.ts";

/** Limits of a small room that hold nobody up. A test names those that it is about. */
export const LIMITS: RoomLimits = {
  ...UNCONFIGURED,
  permitsMax: 2,
  startsPerMinuteMax: 100_000,
  paused: false,
};
