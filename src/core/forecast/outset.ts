/** What a forecast begins with: a room as it stands, and what is known of those who come to it. */
import type { RoomLimits } from "../definition.ts";
import type { EventOverrides, RoomEvent } from "../events/event.ts";
import type { InstantMs } from "../time.ts";

/** How many steps a spread has: enough for a curve, few enough to be sent each second. */
export const SPREAD_STEPS = 24;

/**
 * How something is spread, in milliseconds: the least, then what one 24th of all lie below, two 24ths,
 * and so on to the most. Rises. Empty: there is nothing, or nothing is known.
 */
export type Spread = readonly number[];

/** An event that is on or comes soon, as far as it changes limits. */
export interface ForecastEvent
  extends
    Pick<RoomEvent, "prequeueAt" | "startsAt" | "endsAt">,
    Pick<EventOverrides, "permitsMax" | "startsPerMinuteMax" | "queueingMethod"> {}

/** The limits that an operator tries out, and those that decide beside them. */
export type ForecastLimits = Pick<
  RoomLimits,
  | "permit"
  | "order"
  | "permitsMax"
  | "startsPerMinuteMax"
  | "startsPerSecondMax"
  | "ring"
  | "ringGuardMs"
  | "claimWithinMs"
  | "visitMaxMs"
  | "lineMax"
  | "paused"
  | "suspended"
> & { readonly closed: boolean };

/** What a Room has learned of its visitors. */
export interface Learned {
  /** How long visits last; empty until one has ended. */
  readonly lengthsMs: Spread;
  /** From about how many visits that was learned. */
  readonly lengthsFrom: number;
  /** The share of visits that outlast all that have ended. */
  readonly lengthsUnseen: number;
  /** The share of calls that nobody claims. */
  readonly missedShare: number;
  /** How long a permit waits for a visitor who comes. */
  readonly claimMs: number;
  /** The share of those in line that leave in a minute. */
  readonly leavingPerMinute: number;
  /** New numbers a minute, smoothed: those who join and those who enter at once. */
  readonly arrivalsPerMinute: number;
}

/** A pace: at most this, whatever the operator sets. Null: no ceiling of that kind. */
export interface ForecastCeilings {
  readonly permitsMax: number | null;
  readonly startsPerMinuteMax: number | null;
  readonly startsPerSecondMax: number | null;
  readonly closed: boolean;
}

/** A room at one moment. */
export interface ForecastOutset {
  readonly at: InstantMs;
  /** The room's own: events change them by themselves. */
  readonly limits: ForecastLimits;
  /** Null, or absent, while the operator's limits hold. A forecast takes it to stay as it is. */
  readonly lowered?: ForecastCeilings | null;
  readonly events: readonly ForecastEvent[];
  readonly waiting: number;
  readonly called: number;
  readonly visiting: number;
  /** For how long the visits that run have lasted. */
  readonly agesMs: Spread;
  /** As the starts of a live message: sixty seconds at most, the running one last. */
  readonly callsLastMinute: readonly number[];
  readonly learned: Learned;
}
