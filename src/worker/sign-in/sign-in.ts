/**
 * Who signs a request. What may have to be waited for comes first; then everything is decided in one
 * turn, so that guesses that come at the same moment are counted one by one.
 */
import { ADMINISTRATOR, type Operator } from "../../core/access/scopes.ts";
import { isTokenText } from "../../core/access/token.ts";
import { clientNetwork } from "../../core/address/ip-address.ts";
import { instant } from "../../core/time.ts";
import { TOKEN_LENGTH_MIN } from "../../core/tries.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { hashOfToken } from "../isolate/known-tokens.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { ACCESS_HEADER, accessSettings, personOf } from "./access.ts";
import { bearerOf, givenToken } from "./given-token.ts";
import type { Tries } from "../isolate/tries.ts";

/**
 * admitted: the right token
 * off: the deployment has none, so there is nothing to sign in to; or too short a one
 * refused: no token, or a wrong one
 * unheard: a token that may be good, while nobody can be asked which are
 * foreign: a browser may have signed in by itself, for a page of another site
 * slowed: too many wrong ones came from this network; this one was wrong too, or not looked at
 */
export type Admission =
  | { readonly kind: "admitted" }
  | { readonly kind: "refused" | "off" | "too-short" | "unheard" | "foreign" }
  | { readonly kind: "slowed"; readonly retryAfterMs: number };

/** Why somebody is not let in. */
export type SignInRefusal = Exclude<Admission, { readonly kind: "admitted" }>;

const ADMITTED = { kind: "admitted" } as const;
const OFF = { kind: "off" } as const;
const TOO_SHORT = { kind: "too-short" } as const;
const REFUSED = { kind: "refused" } as const;
const UNHEARD = { kind: "unheard" } as const;
const FOREIGN = { kind: "foreign" } as const;

type SignInRequest = Pick<AppContext["Variables"], "arrival" | "isolate">;

/**
 * By the secret ADMIN_TOKEN, or by a token that was made, as a bearer token or, where there is no
 * `Authorization`, as a key. Without the secret none of them opens anything.
 */
export const operatorOf = async (asked: SignInRequest): Promise<Operator | SignInRefusal> => {
  const { arrival, isolate } = asked;
  const given = givenToken(arrival.request.headers);
  if (given === undefined) return personIn(asked);
  const made = await madeToken(asked, given);
  const secret = arrival.env.ADMIN_TOKEN ?? "";
  // What can't be looked at is no wrong token, and no right one.
  if (made === "unheard") return secret.length < TOKEN_LENGTH_MIN ? OFF : UNHEARD;
  return decide(asked, given, secret, isolate.tries.admin, (ours, token) =>
    isSame(ours, token) ? ADMINISTRATOR : made,
  );
};

/** Where no token is brought at all: who Cloudflare Access says it is. */
const personIn = async (asked: SignInRequest): Promise<Operator | SignInRefusal> => {
  const { arrival, isolate } = asked;
  const { ADMIN_TOKEN: secret = "" } = arrival.env;
  const tries = isolate.tries.admin;
  const assertion = assertionIn(arrival);
  const mayTry =
    assertion !== undefined &&
    secret.length >= TOKEN_LENGTH_MIN &&
    tries.waitMs(networkOf(arrival)) === 0;
  const person = mayTry ? await personOf(isolate, arrival, assertion) : null;
  return person === "foreign" ? FOREIGN : decide(asked, assertion, secret, tries, () => person);
};

/** Where Access is not used, its header says nothing. */
const assertionIn = ({ env, request: { headers } }: Arrival): string | undefined =>
  accessSettings(env) === null || headers.has("Authorization")
    ? undefined
    : (headers.get(ACCESS_HEADER) ?? undefined);

/** By the secret LOCK_TOKEN. */
export const lockAdmission = (asked: SignInRequest): Admission => {
  const given = bearerOf(asked.arrival.headers);
  const { LOCK_TOKEN } = asked.arrival.env;
  return decide(asked, given, LOCK_TOKEN, asked.isolate.tries.locks, (secret, token) =>
    isSame(secret, token) ? ADMITTED : null,
  );
};

/** Whose token it is, if it was made; `unheard`: the tokens there are can't be learnt now. */
const madeToken = async (
  { arrival, isolate }: SignInRequest,
  given: string,
): Promise<Operator | "unheard" | null> => {
  if (!isTokenText(given)) return null;
  const [hash, known] = await Promise.all([
    hashOfToken(given),
    isolate.deployments.tokens(arrival),
  ]);
  return known === null ? "unheard" : known.holderOf(hash, instant(isolate.ports.now()));
};

/**
 * What brings no token at all guesses nothing, and is not counted. `matching`: who it is that brings
 * this token; null: it is a wrong one.
 */
const decide = <Found>(
  { arrival, isolate: { ports } }: SignInRequest,
  given: string | undefined,
  secret: string | undefined,
  tries: Tries,
  matching: (secret: string, given: string) => Found | null,
): Found | SignInRefusal => {
  if (secret === undefined || secret === "") return OFF;
  if (secret.length < TOKEN_LENGTH_MIN) return TOO_SHORT;
  if (given === undefined) return REFUSED;
  const network = networkOf(arrival);
  const retryAfterMs = tries.waitMs(network);
  if (retryAfterMs > 0 && !tries.isProven(network)) return { kind: "slowed", retryAfterMs };
  const found = matching(secret, given);
  if (found !== null) {
    tries.right(network);
    return found;
  }
  if (tries.wrong(network))
    ports.log({ level: "error", event: "wrong-tokens", reference: arrival.reference });
  return retryAfterMs > 0 ? { kind: "slowed", retryAfterMs } : REFUSED;
};

/** A client asks again and again, and to read an address costs more than to find it here. */
const networks = new BoundedMap<string, string>(512);

const networkOf = (arrival: Arrival): string =>
  networks.getOrMake(arrival.address ?? "", clientNetwork);

const utf8 = new TextEncoder();
/** Our own tokens change only with a deploy. */
const encoded = new BoundedMap<string, Uint8Array>(4);

const bytesOf = (token: string): Uint8Array =>
  encoded.getOrMake(token, (text) => utf8.encode(text));

/** Texts that were right: found by a hash with a seed of the isolate's, which tells a guesser nothing. */
const right = new BoundedMap<string, string>(4);

/**
 * Compares as many bytes of the guess as our token has, all of them, so that the time tells
 * nothing.
 */
const isSame = (token: string, given: string): boolean => {
  if (right.get(given) === token) return true;
  const ours = bytesOf(token);
  const theirs = new Uint8Array(ours.length);
  const { read, written } = utf8.encodeInto(given, theirs);
  const isWhole = read === given.length && written === ours.length;
  const isRight = crypto.subtle.timingSafeEqual(ours, theirs) && isWhole;
  if (isRight) right.set(given, token);
  return isRight;
};

export const MANAGEMENT_OFF =
  "Management is off. Set the secret ADMIN_TOKEN (wrangler secret put ADMIN_TOKEN, or the " +
  "environment of npm start) to turn it on.";
export const TOKEN_TOO_SHORT = `The deployment's token has fewer than ${TOKEN_LENGTH_MIN} characters, so this is off. Set a longer secret.`;
export const NOT_SIGNED_IN =
  "The token is missing or wrong. Send the deployment's ADMIN_TOKEN, or one made from it, as Authorization: Bearer …, or as X-Auth-Key.";
export const TOO_MANY_TRIES =
  "Too many wrong tokens came from this network. Come back after the time in Retry-After.";
export const FOREIGN_PAGE =
  "A page of another site may have sent this. Signed in through Cloudflare Access, change things from our own page, or use a token.";
export const TOKENS_UNHEARD = "Which tokens are good can't be learnt at the moment. Try again.";
