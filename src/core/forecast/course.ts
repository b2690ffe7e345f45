/** What a forecast says, and what it is asked. How it is made is in forecast.ts. */
import type { Eta } from "../estimate/eta.ts";
import type { InstantMs } from "../time.ts";
import type { ForecastLimits } from "./outset.ts";

/** What the operator would set; what is left out stays. */
export type ForecastChange = Partial<
  Pick<
    ForecastLimits,
    | "permitsMax"
    | "startsPerMinuteMax"
    | "startsPerSecondMax"
    | "order"
    | "claimWithinMs"
    | "visitMaxMs"
    | "paused"
    | "suspended"
    | "closed"
  >
>;

/** What is taken for granted of the time to come; left out: as it was learned. */
export interface ForecastAssumptions {
  readonly arrivalsPerMinute?: number;
  /** The mean length of visits. */
  readonly visitMs?: number;
  readonly missedShare?: number;
}

export interface ForecastAsk {
  readonly change?: ForecastChange;
  readonly assume?: ForecastAssumptions;
  /** How far ahead, at most a day; an hour where it is left out. */
  readonly horizonMs?: number;
  /** How many points, at most 240; 60 where it is left out. */
  readonly points?: number;
  /** The same seed gives the same course. */
  readonly seed?: number;
}

/** A figure, and the range in which it will lie most probably. */
export interface Ranged {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** The room at one moment to come. */
export interface ForecastPoint {
  readonly at: InstantMs;
  readonly waiting: Ranged;
  /** Visits that run. */
  readonly visiting: Ranged;
  /** Visits that have begun since the outset. */
  readonly entered: Ranged;
  /** What those would be told who stand first, in the middle, and who join then. */
  readonly head: Eta;
  readonly middle: Eta;
  readonly end: Eta;
}
