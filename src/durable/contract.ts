/**
 * What the objects offer to the Worker and to each other. All calls may throw when an object cannot
 * be reached; a visitor's "no" is a value. Spans are milliseconds, instants are the Room's clock.
 */
import type { RoomDefinition } from "../core/definition.ts";
import type { EdgeReport } from "../core/edge-report.ts";
import type { LobbyIndex, TicketNumber, VisitId, VisitorId } from "../core/ids.ts";
import type { Eta } from "../core/estimate/eta.ts";
import type {
  Batch,
  BatchAnswer,
  Call,
  RoomStatus,
  Refusal,
  TicketState,
  PositionsTable,
} from "../core/room/commands.ts";
import type { EventId } from "../core/events/event.ts";
import type { DeskAct, DeskReply } from "../core/room/desk.ts";
import type { NamedDraw } from "../core/room/draw-state.ts";
import type { DrawReply } from "../core/room/draws.ts";
import type { HistoryRow } from "../core/room/history.ts";
import type { RoomMeter } from "../core/room/meter.ts";
import type { HistoryStep } from "../core/room/history-steps.ts";
import type { PaceAsk } from "../core/pace/signal.ts";
import type { PaceView } from "../core/room/pace.ts";
import type { EndReason, VisitEnd } from "../core/room/visit-ends.ts";
import type { RoomSnapshot, SnapshotVersion } from "../core/snapshot.ts";
import type { InstantMs } from "../core/time.ts";
import type { TurnsAsk, TurnsReply } from "./turns-contract.ts";

export * from "./registry-contract.ts";
export type { EndReason, Eta, HistoryRow, Refusal, RoomMeter, TicketState, VisitEnd };

/** The claims of a verified ticket token, as the Worker read them. */
export interface TicketClaims {
  readonly number: TicketNumber;
  readonly visitor: VisitorId;
  readonly lobby: LobbyIndex;
  readonly joinedAt: InstantMs;
  readonly heardAt: InstantMs;
}

export interface TicketView {
  readonly number: TicketNumber;
  readonly state: TicketState;
  readonly joinedAt: InstantMs;
  /** To be signed into the new ticket token. */
  readonly heardAt: InstantMs;
  /** Null where turns are drawn; then among how many. */
  readonly ahead: number | null;
  readonly among?: number;
  readonly eta: Eta;
  readonly claimBy: InstantMs | null;
  readonly pollAfterSeconds: number;
  readonly now: InstantMs;
}

export interface Refused {
  readonly kind: "refused";
  readonly refusal: Refusal;
  readonly retryAfterMs: number;
}

export interface TakeAsk {
  readonly visitor: VisitorId;
  /** The ticket that the request brought, if it was authentic and of this lobby. */
  readonly ticket: TicketClaims | null;
  /** A keyed hash of the client's address (16 hex digits), where joins per address are limited. */
  readonly address: string | null;
}

export type TakeReply =
  | { readonly kind: "ticket"; readonly isNew: boolean; readonly view: TicketView }
  | Refused;

/** `ended`: the number is spent, or its return window is over. */
export type WhereReply =
  | { readonly kind: "ticket"; readonly view: TicketView }
  | { readonly kind: "ended" }
  | Refused;

export interface VisitView {
  readonly visit: VisitId;
  readonly epoch: number;
  /** Without renewal the visit ends here. */
  readonly leaseUntil: InstantMs;
  /** Where the permit itself is out for longer: it may be passed on for as long as that. */
  readonly heldUntil?: InstantMs;
  /** What the pass token may promise: min(lease, 300 s) from now, never past `endsAt`. */
  readonly passUntil: InstantMs;
  /** Overtime, if the room has one (or the moment of a delayed release). */
  readonly endsAt: InstantMs | null;
  /** The cookie of this visit has not come back yet: the pass carries it, the next request confirms. */
  readonly provisional: boolean;
  readonly now: InstantMs;
}

export type ClaimReply =
  | { readonly kind: "visit"; readonly isNew: boolean; readonly visit: VisitView }
  | { readonly kind: "not-yet"; readonly view: TicketView; readonly retryAfterMs: number }
  | { readonly kind: "ended" }
  | Refused;

export interface EnterAsk {
  readonly visitor: VisitorId;
  /**
   * A permit only until the answer has ended: the Worker calls `end`, or the short lease runs out.
   */
  readonly transient: boolean;
  /** Of the ticket that the request brought: a visitor who enters at once gives that place up. */
  readonly number: TicketNumber | null;
  /** When that ticket was taken. */
  readonly joinedAt?: InstantMs;
  /** As for `TakeAsk`. */
  readonly address: string | null;
}

/** What a visitor asks about its visit: to begin it by its ticket, or to end it. */
export type VisitAsk =
  | { readonly claim: TicketClaims }
  | { readonly end: VisitId; readonly afterMs: number };

export type EnterReply =
  | { readonly kind: "visit"; readonly visit: VisitView }
  | { readonly kind: "queue" }
  | Refused;

export type VisitReply =
  | { readonly kind: "visit"; readonly visit: VisitView }
  /** `end`: where the Room still knows how. */
  | { readonly kind: "ended"; readonly end?: VisitEnd };

/**
 * What the Room tells a lobby: with the answer to a batch, at once for a call, else once a tick at
 * most.
 */
export interface RoomUpdate {
  readonly now: InstantMs;
  /** Counts the steps of one life of the Room: an update with a lower count is older. */
  readonly count: number;
  readonly roomStatus: RoomStatus;
  readonly calls: readonly Call[];
  readonly positionsTable: PositionsTable | null;
}

export interface WaitAsk {
  /** Made by the Worker, unguessable: names this wait when its client has gone. */
  readonly waitId: string;
  readonly ticket: Pick<TicketClaims, "number" | "heardAt" | "joinedAt"> | null;
  readonly holdMs: number;
  readonly address: string | null;
  /**
   * A keyed hash (16 hex digits) of what the room knows its clients by; null where it has no such
   * setting.
   */
  readonly key?: string | null;
}

/** Of a limit per second: how many more may start in the second of this answer. */
export interface RateLeft {
  readonly perSecondMax: number;
  readonly left: number;
}

/** A permit that its request gives back over the call that brought it, without a new call. */
export interface PermitStub {
  /** Ends the visit, like `LobbyRpc.end`. Throws when that lobby's life is over. */
  end(): Promise<void>;
}

/** `not-yet`: the time is up, or the ring says at once that it will be. `rate`: with a ring. */
export type WaitReply =
  | {
      readonly kind: "visit";
      readonly visit: VisitView;
      readonly rate: RateLeft | null;
      readonly permit?: PermitStub;
    }
  | {
      readonly kind: "not-yet";
      readonly view: TicketView;
      readonly retryAfterMs: number;
    }
  | { readonly kind: "ended" }
  | Refused;

export type MomentReply =
  | { readonly kind: "start"; readonly waitMs: number; readonly left: number | null }
  | { readonly kind: "later"; readonly retryAfterMs: number }
  | Refused;

/** A lobby's object name is `{name of its Room}/{index}`. */
export interface LobbyRpc {
  /** A visitor who is inside is told so (`visiting`), and claims that visit anew. For as many visitors as the caller has at hand; their replies in the same order. */
  take(asks: readonly TakeAsk[]): Promise<readonly TakeReply[]>;
  where(ticket: TicketClaims): Promise<WhereReply>;
  /**
   * `where` for as many visitors as the caller has at hand; the replies in the same order, null where
   * the Room has to be asked, for which nobody else shall wait.
   */
  whereAll(tickets: readonly TicketClaims[]): Promise<readonly (WhereReply | null)[]>;
  leave(ticket: TicketClaims): Promise<void>;
  claim(ticket: TicketClaims): Promise<ClaimReply>;
  /**
   * `claim` and `end` for as many visitors as the caller has at hand; the replies in the same order,
   * null to an end.
   */
  visits(asks: readonly VisitAsk[]): Promise<readonly (ClaimReply | null)[]>;
  /** A visitor has one visit: entering again gives that one, whatever the room's mode. */
  enter(ask: EnterAsk): Promise<EnterReply>;
  /** `enter` for as many visitors as the caller has at hand; the replies in the same order. */
  enterAll(asks: readonly EnterAsk[]): Promise<readonly EnterReply[]>;
  /** Renews the lease; the first renewal also confirms a provisional visit. */
  renew(visit: VisitId): Promise<VisitReply>;
  /** Looks without renewing. */
  peek(visit: VisitId): Promise<VisitReply>;
  /** Ends the visit at once (`afterMs` 0) or in so many milliseconds. Repeating it changes nothing. */
  end(visit: VisitId, afterMs: number): Promise<void>;
  /** Ended visits since `since`, or all of them. `ageMs` is how long ago the Room was asked. */
  snapshot(
    since: SnapshotVersion | null,
    /** What this isolate has seen at the gate since it last told. */
    report?: EdgeReport | null,
  ): Promise<{ snapshot: RoomSnapshot; ageMs: number }>;
  /** Rooms of requests: waits for a turn at most `holdMs`. */
  wait(ask: WaitAsk): Promise<WaitReply>;
  /**
   * The same for many requests of one isolate, and what became of earlier ones. Answered as soon as
   * there is something to say; a call without news waits for it, until the isolate's next call.
   */
  turns(ask: TurnsAsk): Promise<TurnsReply>;
  /** An admitted visitor's request under `origin_requests_per_second`: wait so long, or come back. */
  moment(holdMs: number): Promise<MomentReply>;
  /**
   * The client of that wait has gone: its number becomes away, and a visit that it just got ends.
   */
  abandonWait(wait: string): Promise<void>;
  /** A WebSocket upgrade, with `LOBBY_TICKET_HEADER` from a Worker that has checked token and Origin. */
  fetch(request: Request): Promise<Response>;
  /** From the Room only: who waits here under this reference. */
  numberUnder(reference: string): Promise<TicketNumber | null>;
  /** From the Room only. */
  deliver(update: RoomUpdate): Promise<void>;
  /** From the Room only: the room is gone. */
  close(): Promise<void>;
}

/** The status of a lobby's answer to an upgrade that it refuses: JSON of a `SocketClosing`. */
export const SOCKET_REFUSED = 403;

/** JSON of the `TicketClaims` that the Worker has verified. */
export const LOBBY_TICKET_HEADER = "seiriken-internal-ticket";

/** Who watches a room, as the Worker has signed them in. */
export interface WatcherClaims {
  /** Of a token that can be revoked; null: the deployment's own. */
  readonly token: string | null;
  /** When it is over; null: never. */
  readonly until: number | null;
  /** When the socket was opened. The Room's own note. */
  readonly openedAt?: number;
}

/** JSON of the `WatcherClaims`. */
export const WATCHER_HEADER = "seiriken-internal-watcher";

export type DeskWho =
  | { readonly number: TicketNumber }
  /** What a visitor's page shows and the log names. */
  | { readonly reference: string };

/** A Room's object name is its `RoomAddress`: mostly its `RoomId`. Called by the Registry, by strict rooms, by management. */
export interface RoomRpc {
  configure(definition: RoomDefinition): Promise<void>;
  /** From lobbies only. A repeated batch gets the answer that it got before. */
  batch(batch: Batch): Promise<{ readonly answer: BatchAnswer; readonly update: RoomUpdate }>;
  /** `report`: what isolates have told the lobby that asks, since it last asked. */
  snapshot(since: SnapshotVersion | null, report?: EdgeReport | null): Promise<RoomSnapshot>;
  /** For `strict` rooms: does the visit live, now? */
  peek(visit: VisitId): Promise<VisitReply>;
  end(visit: VisitId, afterMs: number): Promise<boolean>;
  /** What lowers the limits, after what is asked has been taken in; null only looks. */
  pace(ask: PaceAsk | "taken-back" | null): Promise<PaceView>;
  /** An operator asks for one visitor, by its number or its reference, or does something for it. */
  desk(who: DeskWho, act: DeskAct): Promise<DeskReply>;
  /** Ends every visit and raises the epoch; tickets stay. */
  revokeAll(): Promise<number>;
  /** The draws of the room's events. Nothing secret before they are drawn. */
  draws(): Promise<readonly NamedDraw[]>;
  /** What witnesses saw: a draw that was promised so is drawn by it, once. */
  enterDrawValue(event: EventId, text: string): Promise<DrawReply>;
  /**
   * Of the last so many minutes before `until` (null: up to now) those with anything in them, a
   * week's at most, added up to hours or days where `step` says so.
   */
  history(
    minutes: number,
    until?: InstantMs | null,
    step?: HistoryStep,
  ): Promise<readonly HistoryRow[]>;
  /** What monitoring reads. */
  meter(): Promise<RoomMeter>;
  /**
   * A WebSocket upgrade of an operator, with `WATCHER_HEADER` from a Worker that has checked token and
   * Origin. Refused as a lobby refuses.
   */
  fetch(request: Request): Promise<Response>;
  /**
   * The room was deleted at this instant: ends every visit, closes every socket and answers as if there
   * were no room, but keeps its rows. A later `configure` brings it back; an earlier one changes nothing.
   */
  retire(deletedAt: InstantMs): Promise<void>;
  /** Ends everything, closes every socket, forgets every row. */
  erase(): Promise<void>;
}

/** The prefix under which every path of ours lives. */
export const PREFIX = "/.seiriken";
