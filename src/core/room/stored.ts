/**
 * What a Room writes and reads back. docs/storage.md has the tables; older rows must still be read.
 */
import type { NotedAlert } from "../alerts/alert.ts";
import type { WatchState } from "../alerts/watch.ts";
import type { RoomLimits } from "../definition.ts";
import type { GeneratorState } from "../draw/generator.ts";
import type { EndedVisit } from "../snapshot.ts";
import type { LobbyIndex, SlotIndex, TicketNumber } from "../ids.ts";
import type { IssuedRun } from "../line/kept-chunks.ts";
import type { StoredPace } from "../pace/pace.ts";
import type { Permit, PermitInSlot } from "../permits/permit.ts";
import type { InstantMs } from "../time.ts";
import type { RingState } from "../ring/ring.ts";
import type { EstimatorState } from "../estimate/estimator.ts";
import type { EntryRateState } from "../estimate/entry-rate.ts";
import type { StoredDraw } from "./draw-state.ts";
import type { StoredEvents } from "./event-state.ts";
import type { HappenedKept, HappenedRow, HappenedTail } from "./happenings.ts";
import type { HistoryRow } from "./history.ts";
import type { HistoryTotals } from "./totals.ts";
import type { VisitEnd } from "./visit-ends.ts";

/** The scalars of a room, one row. Written with every step that changes anything. */
export interface RoomHead {
  readonly issued: number;
  /** Chunks of the line below this one are spent whole. */
  readonly lineBase: number;
  /** Unspent numbers below this one were away, but for the called. Never too high. */
  readonly awayBelow?: number;
  readonly epoch: number;
  readonly epochAt?: InstantMs | null;
  /** The last reading of the Room's clock, below which it never goes again. */
  readonly clock: InstantMs;
  /** The room's own, also while an event is on. */
  readonly limits: RoomLimits;
  readonly calls: RingState;
  readonly starts: RingState;
  /** The last moment that was given to an admitted visitor's request. */
  readonly requestsLast?: InstantMs | null;
  readonly estimate: EntryRateState;
  readonly history: HistoryRow | null;
  /** Of the minutes that are over. */
  readonly totals?: HistoryTotals;
  /** Only of a room that has drawn whom to call. */
  readonly generator?: GeneratorState | null;
  /** What the watch knows, and the sequence of the last alert. */
  readonly watch?: WatchState;
  readonly alertsNoted?: number;
  /** What has happened to numbers, and is in no row yet. */
  readonly happened?: HappenedTail;
}

/** What the Room last answered to a lobby, so that a repeated batch gets the same answer. */
export interface LobbyRow {
  readonly lobby: LobbyIndex;
  readonly instance: string;
  readonly sequence: number;
  readonly answer: string;
}

/** A visit that ended before its passes, and how. */
export type StoredEnd = EndedVisit & { readonly end?: VisitEnd };

/** One thing to write. Each names its row, so that writing it twice is the same as once. */
export type StoredRoomChange =
  | { readonly put: "head"; readonly head: RoomHead }
  | { readonly put: "estimate"; readonly estimate: EstimatorState }
  | { readonly put: "events"; readonly events: StoredEvents }
  | { readonly put: "pace"; readonly pace: StoredPace }
  | { readonly put: "draw"; readonly draw: StoredDraw }
  | { readonly drop: "draw"; readonly first: TicketNumber }
  | { readonly put: "issue"; readonly run: IssuedRun }
  | { readonly put: "spent"; readonly chunk: number; readonly bits: Uint8Array }
  | { readonly put: "permit"; readonly slot: SlotIndex; readonly permit: Permit }
  | { readonly drop: "permit"; readonly slot: SlotIndex }
  | { readonly put: "miss"; readonly number: TicketNumber; readonly misses: number }
  | { readonly drop: "miss"; readonly number: TicketNumber }
  | {
      readonly put: "ended";
      readonly row: number;
      readonly visits: readonly StoredEnd[];
      readonly until: InstantMs;
    }
  | { readonly drop: "ended"; readonly until: InstantMs }
  | { readonly put: "lobby"; readonly row: LobbyRow }
  | { readonly put: "history"; readonly row: HistoryRow }
  | { readonly drop: "history"; readonly before: InstantMs }
  | { readonly put: "alert"; readonly alert: NotedAlert }
  | { readonly drop: "alert"; readonly upTo: number }
  | { readonly put: "happened"; readonly row: HappenedRow }
  /** Rows that were over before, or up to this one. */
  | { readonly drop: "happened"; readonly before: InstantMs }
  | { readonly drop: "happened"; readonly upTo: number }
  /** Every issue run and spent chunk that lies wholly below this chunk. */
  | { readonly drop: "line"; readonly belowChunk: number };

/** Everything a Room needs to go on where it was. */
export interface StoredRoom {
  readonly head: RoomHead | null;
  readonly estimate: EstimatorState | null;
  /** Null in a room that never had an event. */
  readonly events: StoredEvents | null;
  /** Null, or absent, in a room whose limits nothing but its operator has ever set. */
  readonly pace?: StoredPace | null;
  readonly draws: Iterable<StoredDraw>;
  readonly runs: Iterable<IssuedRun>;
  readonly spent: Iterable<{ readonly chunk: number; readonly bits: Uint8Array }>;
  readonly permits: Iterable<PermitInSlot>;
  readonly misses: Iterable<readonly [TicketNumber, number]>;
  readonly ended: Iterable<{ readonly row: number; readonly visits: readonly StoredEnd[] }>;
  readonly lobbies: Iterable<LobbyRow>;
  /** That the Registry has not acknowledged. */
  readonly alerts: Iterable<NotedAlert>;
}

/** One contract for memory and SQLite. `write` is all or nothing. */
export interface RoomStore {
  load(): StoredRoom;
  write(changes: readonly StoredRoomChange[]): void;
  /** The latest rows from `since` up to, and without, `before` where it is given; oldest first. */
  history(since: InstantMs, rowsMax: number, before?: InstantMs): HistoryRow[];
  /** The latest rows, so many at most, whose numbers go from below `number` to above it. */
  happened(number: TicketNumber, rowsMax: number): HappenedKept;
  erase(): void;
}
