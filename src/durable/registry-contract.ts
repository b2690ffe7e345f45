/** What the Registry offers. As in contract.ts, any call may throw when it can't be reached. */
import type { OperatorToken } from "../core/access/token.ts";
import type { AuditAct, AuditPage, AuditQuery, Author } from "../core/audit/entry.ts";
import type { RoomDefinition } from "../core/definition.ts";
import type { DrandChain } from "../core/draw/drand-chain.ts";
import type { EventsChange } from "../core/events/event-list.ts";
import type { FieldProblem } from "../core/field-problem.ts";
import type { RoomId } from "../core/ids.ts";
import type { RulesChange } from "../core/rules/rule-list.ts";
import type { SettingsChange } from "../core/settings-change.ts";
import type { InstantMs } from "../core/time.ts";
import type { ZoneSettings } from "../core/zone-settings.ts";
import type { AlertsRpc } from "./webhooks-contract.ts";

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
  /** Of operators, in the order of their making; absent: none. */
  readonly tokens?: readonly OperatorToken[];
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
        | "modified-since"
        | "scope-missing";
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

/** `revoked`: the token of who makes it was revoked meanwhile. */
export type TokenReply =
  | { readonly ok: true; readonly token: OperatorToken }
  | { readonly ok: false; readonly problem: "name-taken" | "too-many-tokens" | "revoked" };

/** A page that an operator looks at before it is any room's. */
export interface KeptPreview {
  readonly html: string;
  readonly endsAt: InstantMs;
}

/** What the Registry keeps of operators: their tokens, and what they did. */
interface OperatorsRpc {
  /** `madeAt` is the Registry's. */
  makeToken(token: OperatorToken, by: Author): Promise<TokenReply>;
  /** False: there is none. */
  revokeToken(id: string, by: Author): Promise<boolean>;
  /** Enters what is about to be done elsewhere. */
  enterAudit(act: AuditAct, by: Author): Promise<void>;
  auditLog(query: AuditQuery): Promise<AuditPage>;
}

/**
 * The one object named `registry`. Whole definitions reach it already validated. What is changed `by`
 * somebody is entered in the audit log with the change.
 */
export interface RegistryRpc extends AlertsRpc, OperatorsRpc {
  /** Null when nothing changed since `version`. */
  definitions(version: number | null): Promise<Definitions | null>;
  /** Of operators' tokens with these ids, those that are good now. */
  livingTokens(ids: readonly string[]): Promise<readonly string[]>;
  create(definition: RoomDefinition, by?: Author): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Replaces the definition with this id, and tells its Room before it answers. With `readAt` (the
   * `modifiedAt` that was read) it refuses when somebody else changed the room in between.
   */
  replace(
    definition: RoomDefinition,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Changes what stands at this moment, so that no change undoes another that was answered. `room` is
   * an id, or else a name in any case. `readAt` as in `replace`.
   */
  change(
    room: string,
    change: SettingsChange,
    readAt?: ReadAt,
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>>;
  /**
   * Changes the rules that let requests pass the room by, as they stand at this moment. `room` as in
   * `change`; `readAt` is the `changedAt` of the list that was read, 0 where there was none.
   */
  changeRules(
    room: string,
    change: RulesChange,
    readAt?: ReadAt,
    by?: Author,
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
    by?: Author,
  ): Promise<RegistryReply<RoomDefinition>>;
  /** The room can be restored for a day, unless many others are deleted after it. `readAt` as in `replace`. */
  remove(id: RoomId, readAt?: ReadAt, by?: Author): Promise<RegistryReply<RoomId>>;
  /** The rooms that can be restored, the last deleted first. */
  deletedRooms(): Promise<readonly DeletedRoom[]>;
  /**
   * Brings a deleted room back as it stood, with its id. `room` is an id, or else a name: then the last
   * one that was deleted under it.
   */
  restore(room: string, by?: Author): Promise<RegistryReply<RoomDefinition>>;
  /** Keeps a page for an hour, or until many others came after it; answers until when. */
  keepPreview(id: string, html: string): Promise<InstantMs>;
  /** Null where there is none, or none any more. */
  preview(id: string): Promise<KeptPreview | null>;
  /** What holds for every room. Answers what held before. */
  changeSettings(settings: ZoneSettings, by?: Author): Promise<ZoneSettings>;
  /**
   * Makes a new key and answers all names, the new one first. It verifies at once and signs, as the
   * first of `definitions`, when every isolate knows it (10 s). A key that has ceased to sign stays
   * until all that it signed is over; while there are too many of them, no new one is made.
   */
  rotateKeys(by?: Author): Promise<KeysReply>;
  /**
   * Takes one key out, and with it all that it signed. Where it was the one that signs, another one
   * signs at once. Answers the names that are left, the one that signs first.
   */
  revokeKey(kid: string, by?: Author): Promise<KeysReply>;
}
