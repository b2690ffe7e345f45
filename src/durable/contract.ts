/**
 * What the objects offer to the Worker and to each other. All calls may throw when an object cannot
 * be reached; a visitor's "no" is a value. Spans are milliseconds, instants are the Room's clock.
 */
import type { RoomDefinition } from "../core/definition.ts";
import type { DrandChain } from "../core/draw/drand-chain.ts";
import type { EventsChange } from "../core/events/event-list.ts";
import type { FieldProblem } from "../core/field-problem.ts";
import type { LobbyIndex, RoomId, TicketNumber, VisitId, VisitorId } from "../core/ids.ts";
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
import type { HistoryRow } from "../core/room/history.ts";
import type { EndReason, VisitEnd } from "../core/room/visit-ends.ts";
import type { RulesChange } from "../core/rules/rule-list.ts";
import type { RoomSnapshot, SnapshotVersion } from "../core/snapshot.ts";
import type { SettingsChange } from "../core/settings-change.ts";
import type { InstantMs } from "../core/time.ts";
import type { ZoneSettings } from "../core/zone-settings.ts";

export type { EndReason, Eta, HistoryRow, Refusal, TicketState, VisitEnd };

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
  /** As for `TakeAsk`. */
  readonly address: string | null;
}

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

export type PaceReply =
  | { readonly kind: "start"; readonly waitMs: number; readonly left: number | null }
  | { readonly kind: "later"; readonly retryAfterMs: number }
  | Refused;

/** A lobby's object name is `{roomId}/{index}`. */
export interface LobbyRpc {
  /** A visitor who is inside is told so (`visiting`), and claims that visit anew. For as many visitors as the caller has at hand; their replies in the same order. */
  take(asks: readonly TakeAsk[]): Promise<readonly TakeReply[]>;
  where(ticket: TicketClaims): Promise<WhereReply>;
  leave(ticket: TicketClaims): Promise<void>;
  claim(ticket: TicketClaims): Promise<ClaimReply>;
  /** A visitor has one visit: entering again gives that one, whatever the room's mode. */
  enter(ask: EnterAsk): Promise<EnterReply>;
  /** Renews the lease; the first renewal also confirms a provisional visit. */
  renew(visit: VisitId): Promise<VisitReply>;
  /** Looks without renewing. */
  peek(visit: VisitId): Promise<VisitReply>;
  /** Ends the visit at once (`afterMs` 0) or in so many milliseconds. Repeating it changes nothing. */
  end(visit: VisitId, afterMs: number): Promise<void>;
  /** Ended visits since `since`, or all of them. `ageMs` is how long ago the Room was asked. */
  snapshot(
    since: SnapshotVersion | null,
    /** Requests that this isolate has let past the room since it last told. */
    bypassed?: number,
  ): Promise<{ snapshot: RoomSnapshot; ageMs: number }>;
  /** Rooms of requests: waits for a turn at most `holdMs`. */
  wait(ask: WaitAsk): Promise<WaitReply>;
  /** An admitted visitor's request under `origin_requests_per_second`: wait so long, or come back. */
  pace(holdMs: number): Promise<PaceReply>;
  /**
   * The client of that wait has gone: its number becomes away, and a visit that it just got ends.
   */
  abandonWait(wait: string): Promise<void>;
  /** A WebSocket upgrade, with `LOBBY_TICKET_HEADER` from a Worker that has checked token and Origin. */
  fetch(request: Request): Promise<Response>;
  /** From the Room only. */
  deliver(update: RoomUpdate): Promise<void>;
  /** From the Room only: the room is gone. */
  close(): Promise<void>;
}

/** The status of a lobby's answer to an upgrade that it refuses: JSON of a `SocketClosing`. */
export const SOCKET_REFUSED = 403;

/** JSON of the `TicketClaims` that the Worker has verified. */
export const LOBBY_TICKET_HEADER = "seiriken-internal-ticket";

/** A room's object name is its `RoomId`. Called by the Registry, by strict rooms, by management. */
export interface RoomRpc {
  configure(definition: RoomDefinition): Promise<void>;
  /** From lobbies only. A repeated batch gets the answer that it got before. */
  batch(batch: Batch): Promise<{ readonly answer: BatchAnswer; readonly update: RoomUpdate }>;
  snapshot(since: SnapshotVersion | null, bypassed?: number): Promise<RoomSnapshot>;
  /** For `strict` rooms: does the visit live, now? */
  peek(visit: VisitId): Promise<VisitReply>;
  end(visit: VisitId, afterMs: number): Promise<boolean>;
  /** Ends every visit and raises the epoch; tickets stay. */
  revokeAll(): Promise<number>;
  /** Of the last so many minutes before `until` (null: up to now) those with anything in them, a week's at most. */
  history(minutes: number, until?: InstantMs | null): Promise<readonly HistoryRow[]>;
  /**
   * The room was deleted at this instant: ends every visit, closes every socket and answers as if there
   * were no room, but keeps its rows. A later `configure` brings it back; an earlier one changes nothing.
   */
  retire(deletedAt: InstantMs): Promise<void>;
  /** Ends everything, closes every socket, forgets every row. */
  erase(): Promise<void>;
}

/** A key that signs tokens. `secret` is 32 bytes, base64url. The first of a list signs. */
export interface SigningKey {
  readonly kid: string;
  readonly secret: string;
}

export interface Definitions {
  /** Rises with every change. */
  readonly version: number;
  readonly rooms: readonly RoomDefinition[];
  readonly keys: readonly SigningKey[];
  /** Absent where somebody else stands for the Registry: the defaults. */
  readonly settings?: ZoneSettings;
}

/** A room as it stood when it was deleted. */
export interface DeletedRoom {
  readonly room: RoomDefinition;
  readonly deletedAt: InstantMs;
}

/** For so long a deleted room can be restored; then its rows are erased. */
export const RESTORABLE_MS = 24 * 3_600_000;

/** Of what a change was based on: the times of versions, one of which must still stand. */
export type ReadAt = readonly InstantMs[];

export type RegistryProblem =
  | {
      readonly code:
        | "name-taken"
        | "route-taken"
        | "not-found"
        | "too-many-rooms"
        | "modified-since";
      readonly detail: string;
    }
  | { readonly code: "invalid"; readonly problems: readonly FieldProblem[] };
export type RegistryReply<T> =
  /** `before`: what a change found standing; equal to the value where it changed nothing. */
  | { readonly ok: true; readonly value: T; readonly before?: RoomDefinition }
  | { readonly ok: false; readonly problem: RegistryProblem };

/** The names of all keys, or why nothing was changed. `oldest`: the one to revoke first. */
export type KeysReply =
  | { readonly ok: true; readonly kids: readonly string[] }
  | { readonly ok: false; readonly problem: "no-such-key" }
  | { readonly ok: false; readonly problem: "too-many-keys"; readonly oldest: string };

/** The one object named `registry`. Whole definitions reach it already validated. */
export interface RegistryRpc {
  /** Null when nothing changed since `version`. */
  definitions(version: number | null): Promise<Definitions | null>;
  create(definition: RoomDefinition): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Replaces the definition with this id, and tells its Room before it answers. With `readAt` (the
   * `modifiedAt` that was read) it refuses when somebody else changed the room in between.
   */
  replace(definition: RoomDefinition, readAt?: ReadAt): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Changes what stands at this moment, so that no change undoes another that was answered. `room` is
   * an id, or else a name in any case. `readAt` as in `replace`.
   */
  change(
    room: string,
    change: SettingsChange,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Changes the rules that let requests pass the room by, as they stand at this moment. `room` as in
   * `change`; `readAt` is the `changedAt` of the list that was read, 0 where there was none.
   */
  changeRules(
    room: string,
    change: RulesChange,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Changes an event of the room, as it stands at this moment, and tells its Room before it answers. Draws
   * are announced by rounds of `chain`; null: the deployment names one that can't be read. `readAt` is
   * the `modifiedAt` of the event, or for a new one the `changedAt` of the list, 0 where there was none.
   */
  changeEvents(
    room: string,
    change: EventsChange,
    chain: DrandChain | null,
    readAt?: ReadAt,
  ): Promise<RegistryReply<RoomDefinition>>;
  /** The room can be restored for a day, unless many others are deleted after it. `readAt` as in `replace`. */
  remove(id: RoomId, readAt?: ReadAt): Promise<RegistryReply<RoomId>>;
  /** The rooms that can be restored, the last deleted first. */
  deletedRooms(): Promise<readonly DeletedRoom[]>;
  /**
   * Brings a deleted room back as it stood, with its id. `room` is an id, or else a name: then the last
   * one that was deleted under it.
   */
  restore(room: string): Promise<RegistryReply<RoomDefinition>>;
  /** What holds for every room. Answers what held before. */
  changeSettings(settings: ZoneSettings): Promise<ZoneSettings>;
  /**
   * Makes a new key and answers all names, the new one first. It verifies at once and signs, as the
   * first of `definitions`, when every isolate knows it (10 s). A key that has ceased to sign stays
   * until all that it signed is over; while there are too many of them, no new one is made.
   */
  rotateKeys(): Promise<KeysReply>;
  /**
   * Takes one key out, and with it all that it signed. Where it was the one that signs, another one
   * signs at once. Answers the names that are left, the one that signs first.
   */
  revokeKey(kid: string): Promise<KeysReply>;
}

/** The prefix under which every path of ours lives. */
export const PREFIX = "/.seiriken";
