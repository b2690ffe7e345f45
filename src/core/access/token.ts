/** Tokens that were made for operators: what is kept of one, and what it lets its holder do. */
import type { RoomId } from "../ids.ts";
import { isOver, type InstantMs } from "../time.ts";
import { coversRoom, includes, type Operator, type Scope } from "./scopes.ts";

export const TOKENS_MAX = 100;
export const TOKEN_ROOMS_MAX = 50;

/** `srk_`, and 256 random bits in base64url. */
export const TOKEN_PREFIX = "srk_";
const TOKEN = /^srk_[\w-]{43}$/;

export const isTokenText = (text: string): boolean => TOKEN.test(text);

export interface OperatorToken {
  /** 32 hex digits. */
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly rooms: readonly RoomId[] | null;
  readonly expiresAt: InstantMs | null;
  readonly madeAt: InstantMs;
  /** The name of who made it. */
  readonly madeBy: string;
  /** SHA-256 of the token, in hex: nothing that a token could be made of. */
  readonly hash: string;
}

export const hasExpired = ({ expiresAt }: OperatorToken, now: InstantMs): boolean =>
  expiresAt !== null && isOver(expiresAt, now);

export const holderOf = ({ id, name, scope, rooms, expiresAt }: OperatorToken): Operator => ({
  id,
  name,
  scope,
  rooms,
  expiresAt,
  isToken: true,
});

type TokenExtent = Pick<OperatorToken, "scope" | "rooms" | "expiresAt">;

/** Does the operator cover all rooms that the token is for? Then it may see and revoke it. */
export const coversToken = (operator: Operator, { rooms }: Pick<TokenExtent, "rooms">): boolean =>
  operator.rooms === null || (rooms !== null && rooms.every((room) => coversRoom(operator, room)));

/** What of the token goes beyond what its maker has; none: it may be made. */
export const beyondMaker = (
  maker: Operator,
  token: TokenExtent,
): readonly (keyof TokenExtent)[] => {
  // A person may sign in again, a token may not.
  const until = maker.isToken === true ? (maker.expiresAt ?? null) : null;
  const isLonger = until !== null && (token.expiresAt === null || token.expiresAt > until);
  return [
    ...(includes(maker.scope, token.scope) ? [] : (["scope"] as const)),
    ...(coversToken(maker, token) ? [] : (["rooms"] as const)),
    ...(isLonger ? (["expiresAt"] as const) : []),
  ];
};
