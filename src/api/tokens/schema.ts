/** The tokens of operators as the API takes and shows them. */
import * as v from "valibot";
import { SCOPES, type Scope } from "../../core/access/scopes.ts";
import { TOKEN_ROOMS_MAX, type OperatorToken } from "../../core/access/token.ts";
import { rfc3339, type InstantMs } from "../../core/time.ts";
import { documentBy, field, listOf, matching, oneOf, orNone, settings, text } from "../fields.ts";
import { instantIn } from "../instants.ts";
import type { ReadDocument } from "../fields.ts";

export interface TokenInput {
  readonly name: string;
  readonly scope: Scope;
  /** Names and ids; null: every room. */
  readonly rooms: readonly string[] | null;
  readonly expires_at: string | null;
}

const name = matching(
  /^[\w.-]{1,64}$/,
  "must be 1 to 64 letters, digits, dots, hyphens and underscores",
);
const rooms = v.pipe(
  listOf(text(128), TOKEN_ROOMS_MAX),
  v.minLength(1, "must name a room; leave it out for every room"),
);
const expiry = field<string>(
  (value) => typeof value === "string" && instantIn(value) !== null,
  "must be an instant such as 2026-11-20T09:00:00Z",
  { type: "string", format: "date-time" },
);

const TOKEN_WORDS = {
  name: "What the log and the audit log call it; unique in any case.",
  scope: "What it may do: look; run rooms that exist; everything.",
  rooms: "The rooms it is for, by name or id. Without it: every room, and what belongs to none.",
  expires_at: "From then on it opens nothing. Without it: never.",
} as const;

export const tokenSchema = settings(TOKEN_WORDS, {
  name,
  scope: oneOf(SCOPES),
  rooms: orNone(rooms),
  expires_at: orNone(expiry),
});

/** Every problem at once. */
export const parseToken = (json: unknown, now: InstantMs): ReadDocument<TokenInput> =>
  documentBy(tokenSchema, json, ({ name: given, expires_at }) => [
    ...(given.toUpperCase() === "ADMIN_TOKEN"
      ? [{ keys: ["name"], message: "is the deployment's own" }]
      : []),
    ...((instantIn(expires_at ?? "") ?? Infinity) <= now
      ? [{ keys: ["expires_at"], message: "is over already" }]
      : []),
  ]);

export const expiryOf = ({ expires_at }: TokenInput): InstantMs | null =>
  expires_at === null ? null : instantIn(expires_at);

/** A token as it is shown; `token` once, when it is made. */
export interface TokenResource {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  /** Ids; null: every room. */
  readonly rooms: readonly string[] | null;
  readonly expires_at: string | null;
  readonly made_at: string;
  readonly made_by: string;
}

export interface MadeTokenResource extends TokenResource {
  readonly token: string;
}

export const tokenResource = (token: OperatorToken): TokenResource => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  rooms: token.rooms,
  expires_at: token.expiresAt === null ? null : rfc3339(token.expiresAt),
  made_at: rfc3339(token.madeAt),
  made_by: token.madeBy,
});
