/** What a Room keeps of its draws. How they come about is in draws.ts. */
import type { DrandChain } from "../draw/drand-chain.ts";
import type { ClosedNumbers, DrawRecord } from "../draw/record.ts";
import type { EventId } from "../events/event.ts";
import type { DrawnStretch } from "../line/order.ts";
import { instant, type InstantMs } from "../time.ts";

/** A record but for its room, which the Room itself has no name for. */
export type RoomDrawRecord = Omit<DrawRecord, "room">;

/** As the Room tells of it. Nothing secret before it is drawn. */
export interface NamedDraw {
  /** The event's. */
  readonly name: string;
  readonly record: RoomDrawRecord;
}

/** One row of each event whose numbers were closed, named by the first of them. */
export interface StoredDraw {
  readonly event: EventId;
  /** The event's, when it started. */
  readonly name: string;
  /** Hex. It stays here until it is in the record. */
  readonly secret: string;
  readonly record: RoomDrawRecord & { readonly closed: ClosedNumbers };
}

/** A drand round that is due, for the shell to fetch and to verify. */
export interface RoundWanted {
  readonly event: EventId;
  readonly chain: DrandChain;
  readonly round: number;
}

export interface Draws {
  /** By their first numbers, ascending. */
  list: readonly StoredDraw[];
  /** When the shell is asked for the round next. Known only while a round is waited for. */
  asksAt: InstantMs;
}

export const restoreDraws = (stored: Iterable<StoredDraw>): Draws => ({
  list: [...stored].sort((a, b) => a.record.closed.first - b.record.closed.first),
  asksAt: instant(0),
});

/** The numbers that have their order. */
export const stretchesOf = (list: readonly StoredDraw[]): DrawnStretch[] =>
  list.flatMap(({ record: { closed, drawn } }) =>
    drawn === null ? [] : [{ first: closed.first, last: closed.last, seed: drawn.seed }],
  );
