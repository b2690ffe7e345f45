import type { RoomLimits } from "../definition.ts";
import type { EndedVisit } from "../snapshot.ts";
import type { LobbyIndex, SlotIndex, TicketNumber } from "../ids.ts";
import type { IssuedRun } from "../line/line.ts";
import type { Permit, PermitInSlot } from "../permits/permit.ts";
import type { InstantMs } from "../time.ts";
import type { RingState } from "../ring/ring.ts";
import type { EstimateState } from "./estimate.ts";
import type { HistoryRow } from "./history.ts";

/** The scalars of a room, one row. Written with every step that changes anything. */
export interface Head {
  readonly issued: number;
  /** Chunks of the line below this one are spent whole. */
  readonly lineBase: number;
  readonly epoch: number;
  /** The last reading of the Room's clock, below which it never goes again. */
  readonly clock: InstantMs;
  readonly limits: RoomLimits;
  readonly calls: RingState;
  readonly starts: RingState;
  /** The last moment that was given to an admitted visitor's request. */
  readonly requestsLast?: InstantMs | null;
  readonly estimate: EstimateState;
  readonly history: HistoryRow | null;
}

/** What the Room last answered to a lobby, so that a repeated batch gets the same answer. */
export interface LobbyRow {
  readonly lobby: LobbyIndex;
  readonly instance: string;
  readonly sequence: number;
  readonly answer: string;
}

/** One thing to write. Each names its row, so that writing it twice is the same as once. */
export type Change =
  | { readonly put: "head"; readonly head: Head }
  | { readonly put: "issue"; readonly run: IssuedRun }
  | { readonly put: "spent"; readonly chunk: number; readonly bits: Uint8Array }
  | { readonly put: "permit"; readonly slot: SlotIndex; readonly permit: Permit }
  | { readonly drop: "permit"; readonly slot: SlotIndex }
  | { readonly put: "miss"; readonly number: TicketNumber; readonly misses: number }
  | { readonly drop: "miss"; readonly number: TicketNumber }
  | {
      readonly put: "ended";
      readonly row: number;
      readonly visits: readonly EndedVisit[];
      readonly until: InstantMs;
    }
  | { readonly drop: "ended"; readonly until: InstantMs }
  | { readonly put: "lobby"; readonly row: LobbyRow }
  | { readonly put: "history"; readonly row: HistoryRow }
  | { readonly drop: "history"; readonly before: InstantMs }
  /** Every issue run and spent chunk that lies wholly below this chunk. */
  | { readonly drop: "line"; readonly belowChunk: number };

/** Everything a Room needs to go on where it was. */
export interface StoredRoom {
  readonly head: Head | null;
  readonly runs: Iterable<IssuedRun>;
  readonly spent: Iterable<{ readonly chunk: number; readonly bits: Uint8Array }>;
  readonly permits: Iterable<PermitInSlot>;
  readonly misses: Iterable<readonly [TicketNumber, number]>;
  readonly ended: Iterable<{ readonly row: number; readonly visits: readonly EndedVisit[] }>;
  readonly lobbies: Iterable<LobbyRow>;
}

/** One contract for memory and SQLite. `write` is all or nothing. */
export interface RoomStore {
  load(): StoredRoom;
  write(changes: readonly Change[]): void;
  history(since: InstantMs, rowsMax: number): HistoryRow[];
  erase(): void;
}
