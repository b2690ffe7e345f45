/**
 * Who signs a request. What may have to be waited for comes first; then everything is decided in one
 * turn, so that guesses that come at the same moment are counted one by one.
 */
import { ADMINISTRATOR, type Operator } from "../../core/access/scopes.ts";
import { clientNetwork } from "../../core/address/ip-address.ts";
import { TOKEN_LENGTH_MIN } from "../../core/tries.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { bearerOf, givenToken } from "./given-token.ts";
import type { Tries } from "../isolate/tries.ts";

/**
 * admitted: the right token
 * off: the deployment has none, so there is nothing to sign in to; or too short a one
 * refused: no token, or a wrong one
 * slowed: too many wrong ones came from this network; this one was wrong too, or not looked at
 */
export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" | "off" | "too-short" }
  | { readonly kind: "slowed"; readonly retryAfterMs: number };

/** Why somebody is not let in. */
export type SignInRefusal = Exclude<Admission, { readonly kind: "admitted" }>;

const ADMITTED = { kind: "admitted" } as const;
const OFF = { kind: "off" } as const;
const TOO_SHORT = { kind: "too-short" } as const;
const REFUSED = { kind: "refused" } as const;

type SignInRequest = Pick<AppContext["Variables"], "arrival" | "isolate">;

/** By the secret ADMIN_TOKEN, as a bearer token or, where there is no `Authorization`, as a key. */
export const operatorOf = (asked: SignInRequest): MaybePromise<Operator | SignInRefusal> => {
  const given = givenToken(asked.arrival.request.headers);
  const token = asked.arrival.env.ADMIN_TOKEN;
  const admission = admissionBy(token, given, asked.isolate.tries.admin, asked);
  return admission.kind === "admitted" ? ADMINISTRATOR : admission;
};

/** By the secret LOCK_TOKEN. */
export const lockAdmission = (asked: SignInRequest): Admission => {
  const given = bearerOf(asked.arrival.request.headers);
  return admissionBy(asked.arrival.env.LOCK_TOKEN, given, asked.isolate.tries.locks, asked);
};

/** What brings no token at all guesses nothing, and is not counted. */
const admissionBy = (
  token: string | undefined,
  given: string | undefined,
  tries: Tries,
  { arrival, isolate: { ports } }: SignInRequest,
): Admission => {
  if (token === undefined || token === "") return OFF;
  if (token.length < TOKEN_LENGTH_MIN) return TOO_SHORT;
  if (given === undefined) return REFUSED;
  const network = clientNetwork(arrival.address ?? "");
  const retryAfterMs = tries.waitMs(network);
  if (retryAfterMs > 0 && !tries.isProven(network)) return { kind: "slowed", retryAfterMs };
  if (isSame(token, given)) return admitted(tries, network);
  if (tries.wrong(network))
    ports.log({ level: "error", event: "wrong-tokens", reference: arrival.reference });
  return retryAfterMs > 0 ? { kind: "slowed", retryAfterMs } : REFUSED;
};

const admitted = (tries: Tries, network: string): Admission => {
  tries.right(network);
  return ADMITTED;
};

const utf8 = new TextEncoder();
/** Our own tokens change only with a deploy. */
const encoded = new BoundedMap<string, Uint8Array>(4);

const bytesOf = (token: string): Uint8Array =>
  encoded.getOrMake(token, (text) => utf8.encode(text));

/**
 * Compares as many bytes of the guess as our token has, all of them, so that the time tells
 * nothing.
 */
const isSame = (token: string, given: string): boolean => {
  const ours = bytesOf(token);
  const theirs = new Uint8Array(ours.length);
  const { read, written } = utf8.encodeInto(given, theirs);
  const isWhole = read === given.length && written === ours.length;
  return crypto.subtle.timingSafeEqual(ours, theirs) && isWhole;
};

export const MANAGEMENT_OFF =
  "Management is off. Set the secret ADMIN_TOKEN (wrangler secret put ADMIN_TOKEN, or the " +
  "environment of npm start) to turn it on.";
export const TOKEN_TOO_SHORT = `The deployment's token has fewer than ${TOKEN_LENGTH_MIN} characters, so this is off. Set a longer secret.`;
export const NOT_SIGNED_IN =
  "The token is missing or wrong. Send the deployment's ADMIN_TOKEN as Authorization: Bearer …, or as X-Auth-Key.";
export const TOO_MANY_TRIES =
  "Too many wrong tokens came from this network. Come back after the time in Retry-After.";
