/** What who signed in may do. */
import type { RoomId } from "../ids.ts";
import type { InstantMs } from "../time.ts";

/** Each includes those before it. */
export const SCOPES = ["read", "operate", "admin"] as const;
/** read: look. operate: run rooms that exist. admin: make and delete rooms, keys, tokens, and the like. */
export type Scope = (typeof SCOPES)[number];

/** Who signed in: a token, or a person whom somebody else vouches for. */
export interface Operator {
  /** 32 hex digits; a name may change hands, an id does not. */
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** Null: every room, and what belongs to none. */
  readonly rooms: readonly RoomId[] | null;
  /** When what it signed in with ends; null or absent: never. */
  readonly expiresAt?: InstantMs | null;
  /** It signed in with a token that was made, and that can be revoked. */
  readonly isToken?: true;
}

export const includes = (scope: Scope, needed: Scope): boolean =>
  SCOPES.indexOf(scope) >= SCOPES.indexOf(needed);

/** Does the operator see this room at all? */
export const coversRoom = ({ rooms }: Operator, room: RoomId): boolean =>
  rooms === null || rooms.includes(room);

/** `room` null: what is asked for belongs to no room, or to all of them. */
export const allows = (operator: Operator, needed: Scope, room: RoomId | null): boolean =>
  includes(operator.scope, needed) &&
  (room === null ? operator.rooms === null : coversRoom(operator, room));

/** Whoever has the deployment's own secret. */
export const ADMINISTRATOR: Operator = {
  id: "1".padStart(32, "0"),
  name: "ADMIN_TOKEN",
  scope: "admin",
  rooms: null,
};
