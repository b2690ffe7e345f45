/** A sale as its operator expects it: what is lived through, and what came of it. */
import type { RoomLimits } from "../definition.ts";

/** How long something takes: exactly so long, evenly between two spans, or at random around a mean. */
export type Lengths =
  | { readonly kind: "between"; readonly leastMs: number; readonly mostMs: number }
  | { readonly kind: "around"; readonly meanMs: number };

/** A time in which visitors come evenly. */
export interface ArrivalPart {
  readonly lengthMs: number;
  /** How many of all, in proportion to the other parts' weights. */
  readonly weight: number;
}

/** A sale that begins as an event of its room: at a moment, maybe with a crowd that came before. */
export interface SaleOpening {
  /** For so long visitors come and nobody goes in. */
  readonly prequeueMs: number;
  /** Those who came before get their order by a draw at the start. */
  readonly isDrawn: boolean;
  /** Witnesses enter the draw's public value so long after the start; absent: it is a round of drand. */
  readonly valueAfterMs?: number;
  /** The event's length from its start, and the limits that the room has after it; null: it does not end. */
  readonly ends: { readonly afterMs: number; readonly limits: RoomLimits } | null;
}

export interface Sale {
  readonly limits: RoomLimits;
  readonly visitors: number;
  /** One after the other; at least one weight is above 0. */
  readonly arrivals: readonly ArrivalPart[];
  /** Null: people go in as soon as they come. */
  readonly opening: SaleOpening | null;
  /** How long visits last. */
  readonly visit: Lengths;
  /** The share of visits whose end the room is told; the permits of the others last until the session runs out. */
  readonly toldShare: number;
  /** How long it takes those who are called until they are in. */
  readonly claim: Lengths;
  /** The share of those in line who leave it before they are called, if it takes them longer than their patience. */
  readonly leaveShare: number;
  /** Longest; everybody's is somewhere below it, and begins when people go in. */
  readonly patienceMs: number;
  /** The share of those called who do not come. */
  readonly missShare: number;
  readonly seed: number;
}

/** How it stands from a moment to the next point's, in milliseconds since the first could come. */
export interface SalePoint {
  readonly atMs: number;
  /** The most of that span. */
  readonly waiting: number;
  readonly visiting: number;
  /** At its beginning, since the sale's. */
  readonly entered: number;
}

/** How long those waited who came at about the same time, and entered. */
export interface WaitPoint {
  readonly atMs: number;
  readonly meanMs: number;
}

export interface Waits {
  readonly medianMs: number;
  readonly p90Ms: number;
  readonly p99Ms: number;
  readonly longestMs: number;
}

export interface SaleOutcome {
  readonly visitors: number;
  /** Those who had to stand in line. */
  readonly joined: number;
  /** At once or from the line. */
  readonly entered: number;
  readonly left: number;
  /** Those who did not come when they were called. */
  readonly missed: number;
  /** Those whom the room would not even let join, by reason. */
  readonly refused: Readonly<Record<string, number>>;
  /** Of all who entered, also those who did at once. Null: nobody did. */
  readonly waits: Waits | null;
  /** The same from the start of the sale for those who came before it. Null: nobody did, or nobody entered. */
  readonly waitsFromStart: Waits | null;
  readonly waitsByArrival: readonly WaitPoint[];
  readonly course: readonly SalePoint[];
  readonly waitingMost: number;
  readonly visitingMost: number;
  /** In any second of the room's clock. */
  readonly startsMost: number;
  /** When the line was empty for good, and when the last visit was over; null: not in the time lived through. */
  readonly lineEndsMs: number | null;
  /** When the order of those who came before the start was drawn; null: it was not. */
  readonly drawnMs: number | null;
  readonly overMs: number | null;
  /** How long all have waited together, and how long objects were awake for them. */
  readonly waitedMs: number;
  readonly awakeMs: number;
  readonly lobbiesMost: number;
  /** How much time one look lasts: nothing is told more finely. */
  readonly grainMs: number;
}

/** In which time all come. */
export const arriveMsOf = ({ arrivals }: Pick<Sale, "arrivals">): number =>
  arrivals.reduce((sum, { lengthMs }) => sum + lengthMs, 0);
