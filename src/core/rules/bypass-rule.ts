import type { InstantMs } from "../time.ts";

/** Requests that match a room's rule pass it by. */
export interface BypassRule {
  readonly id: string;
  /** Rises with every change, from 1. */
  readonly version: number;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly updatedAt: InstantMs;
}

/** The rules of one room, in order. */
export interface BypassRules {
  /** Strictly rises with every change. */
  readonly changedAt: InstantMs;
  readonly list: readonly BypassRule[];
}

/** Of one room. Each costs every request without a pass something. */
export const RULES_MAX = 100;
export const DESCRIPTION_LENGTH_MAX = 1_024;
