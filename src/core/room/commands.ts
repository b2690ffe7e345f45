/** What a Room can be asked, by lobbies and by operators, and what it answers. */
import type { RoomLimits } from "../definition.ts";
import type { PublicValue } from "../draw/record.ts";
import type { EdgeReport } from "../edge-report.ts";
import type { CurrentEvent, EventId } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import type { LobbyIndex, TicketNumber, VisitId, VisitorId } from "../ids.ts";
import type { PaceSettings } from "../pace/pace.ts";
import type { PaceAsk } from "../pace/signal.ts";
import type { RoomMode, SnapshotVersion } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import type { DrawnStretch, Spot } from "../line/order.ts";
import type { Positions } from "../line/positions.ts";
import type { WaitTable } from "../estimate/eta.ts";
import type { DeskCommand } from "./desk.ts";
import type { VisitEnd } from "./visit-ends.ts";

/** Why what a visitor asks is refused. */
export type Refusal =
  | "line-full"
  | "lobby-full"
  | "room-closed"
  | "room-suspended"
  | "too-many-joins"
  | "busy";

/** One operation that one visitor asks for, as a lobby passes it on. */
export type Op =
  | {
      readonly op: "join";
      readonly address: string | null;
      /** A visitor who is inside already is told so, and takes no number. */
      readonly visitor?: VisitorId | null;
    }
  /**
   * A visitor comes back with a ticket. `exact`: the lobby itself knows when it last heard of the
   * number.
   */
  | {
      readonly op: "rejoin";
      readonly number: TicketNumber;
      readonly heardAt: InstantMs;
      readonly exact: boolean;
    }
  /**
   * A request that waits for its turn at the edge, until `holdMs` from now: a new number, or one
   * that comes back. Only in rooms with `permit: "request"`.
   */
  | {
      readonly op: "request";
      readonly ticket: {
        readonly number: TicketNumber;
        readonly heardAt: InstantMs;
        /** As for `claim`. */
        readonly joinedAt?: InstantMs;
      } | null;
      readonly holdMs: number;
      readonly address: string | null;
    }
  /** The request does not wait any more. Its number is away, unless its turn has come meanwhile. */
  | { readonly op: "withdraw"; readonly number: TicketNumber }
  /**
   * `from` has ended, and the lobby has let `to`, which the Room had named to it, start under its
   * permit.
   */
  | {
      readonly op: "baton";
      readonly from: VisitId;
      readonly to: TicketNumber;
      /** As for `claim`. */
      readonly joinedAt?: InstantMs;
    }
  /** One request of an admitted visitor wants to begin within `holdMs`. */
  | { readonly op: "moment"; readonly holdMs: number }
  | { readonly op: "leave"; readonly number: TicketNumber }
  | {
      readonly op: "claim";
      readonly number: TicketNumber;
      readonly visitor?: VisitorId | null;
      /** As for `rejoin`; absent while its request waits. */
      readonly heardAt?: InstantMs;
      readonly exact?: boolean;
      /** When its ticket was taken, where that is known: so the Room learns how long it waited. */
      readonly joinedAt?: InstantMs;
    }
  /**
   * `visitor`, and `number`, the ticket that it may have, are for visits only, not for one answer.
   */
  | {
      readonly op: "enter";
      readonly transient: boolean;
      readonly visitor?: VisitorId | null;
      readonly number?: TicketNumber | null;
      /** As for `claim`. */
      readonly joinedAt?: InstantMs;
      readonly address?: string | null;
    }
  | { readonly op: "renew"; readonly visit: VisitId }
  | { readonly op: "peek"; readonly visit: VisitId }
  | { readonly op: "end"; readonly visit: VisitId; readonly afterMs: number };

export type TicketState = "waiting" | "called" | "away" | "visiting";

/** Where a number stands, right after the step. */
export interface Place {
  readonly number: TicketNumber;
  readonly state: TicketState;
  /** Null where nobody is ahead of anybody: the next to be called is drawn. */
  readonly ahead: number | null;
  /** Then, among how many. */
  readonly among?: number;
  readonly claimBy: InstantMs | null;
}

/** A visit that lives, with what a pass for it may promise. */
export interface LiveVisit {
  readonly visit: VisitId;
  readonly epoch: number;
  readonly leaseUntil: InstantMs;
  /** Of a baton that the Room has not heard of: how long it keeps the permit itself out. */
  readonly heldUntil?: InstantMs;
  readonly passUntil: InstantMs;
  readonly endsAt: InstantMs | null;
  readonly provisional: boolean;
}

export type OpReply =
  | { readonly kind: "place"; readonly place: Place }
  | { readonly kind: "visit"; readonly isNew: boolean; readonly visit: LiveVisit }
  | { readonly kind: "not-yet"; readonly place: Place; readonly retryAt: InstantMs }
  /**
   * The request may begin at `startAt`, which is its own moment; `left` more may in the same
   * second.
   */
  | { readonly kind: "start"; readonly startAt: InstantMs; readonly left: number | null }
  | { readonly kind: "later"; readonly retryAt: InstantMs }
  | { readonly kind: "queue" }
  /** `end`: of a visit, where the Room still knows how it ended. */
  | { readonly kind: "ended"; readonly end?: VisitEnd }
  | { readonly kind: "done" }
  | { readonly kind: "refused"; readonly refusal: Refusal; readonly retryAfterMs: number };

/** What a lobby has gathered since its last batch. A repeated one gets the same answer. */
export interface Batch {
  readonly lobby: LobbyIndex;
  /** Names one life of the lobby object. */
  readonly instance: string;
  /** Rises by one with each batch of an instance, from 1. */
  readonly sequence: number;
  readonly ops: readonly Op[];
  readonly present: readonly TicketNumber[];
  readonly away: readonly TicketNumber[];
  /** All numbers that are there at this lobby: replaces what the Room believed of it. */
  readonly roster: readonly TicketNumber[] | null;
  /** The lobby can pass batons by itself, if the Room names numbers for them. */
  readonly passesBatons?: boolean;
}

/** A number whose turn it is. A request that waits begins its visit with the call. */
export interface Call {
  readonly number: TicketNumber;
  readonly claimBy: InstantMs;
  readonly visit?: LiveVisit;
}

/**
 * How long a lobby may pass batons to the numbers that the Room has named, on the lobby's clock
 * from before it asked. The Room counts from its answer, so it never waits for less.
 */
export const NEXT_VALID_MS = 200;

export interface BatchAnswer {
  readonly replies: readonly OpReply[];
  /** How long the lobby gathers before its next batch. */
  readonly waitMs: number;
  /** The Room does not know which numbers are at this lobby: the next batch must list them. */
  readonly reportWanted: boolean;
  /**
   * The numbers to which the lobby may pass batons by itself, in order; replaces those named
   * before.
   */
  readonly next?: readonly TicketNumber[];
  /** Everybody who has a number waits: nobody can come back before those in `next`. */
  readonly nobodyAway?: boolean;
}

/** What a lobby may tell its visitors of the room as a whole. */
export interface RoomStatus {
  readonly boot: string;
  readonly mode: RoomMode;
  readonly message: string | null;
  readonly closed: string | null;
  readonly drawn?: boolean;
  /** Only while there is one. */
  readonly event?: CurrentEvent;
  readonly waiting: number;
  readonly returnWindowMs: number;
  readonly waits: WaitTable;
  /** Draws that have ordered numbers anew; absent where none has. */
  readonly order?: readonly DrawnStretch[];
}

/** What every lobby with somebody in line is told once a tick. */
export interface PositionsTable {
  readonly positions: Positions;
  /** Whoever stands up to here is expected to be called soon: make sure that they are awake. */
  readonly nearUntil: Spot | 0;
  /** Where turns are drawn, among how many; positions then tell only who was there. */
  readonly among?: number;
}

export type Command =
  | { readonly type: "tick" }
  | { readonly type: "batch"; readonly batch: Batch }
  /** The room's own limits, and its events; none where they are left out. */
  | {
      readonly type: "configure";
      readonly limits: RoomLimits;
      readonly events?: readonly PlannedEvent[];
      readonly pace?: PaceSettings;
    }
  /** What an operator signals of the pace, or that every signal is taken back. Null only looks. */
  | { readonly type: "signal"; readonly ask: PaceAsk | "taken-back" | null }
  /** An operator asks for one visitor, or does something for it. */
  | ({ readonly type: "desk" } & DeskCommand)
  /** New limits are coming: no lobby is named numbers for batons. */
  | { readonly type: "withhold" }
  | { readonly type: "end"; readonly visit: VisitId; readonly afterMs: number }
  | { readonly type: "peek"; readonly visit: VisitId }
  /** The public value of a draw; a drand round has been verified. */
  | { readonly type: "draw"; readonly event: EventId; readonly value: PublicValue }
  | { readonly type: "revoke-all" }
  /** What monitoring reads. */
  | { readonly type: "meter" }
  /** The Registry has written down every alert up to this sequence. */
  | { readonly type: "alerts-heard"; readonly upTo: number }
  | {
      readonly type: "snapshot";
      readonly since: SnapshotVersion | null;
      /** What was seen at the gate since whoever asks has last told. */
      readonly report?: EdgeReport | null;
    };
