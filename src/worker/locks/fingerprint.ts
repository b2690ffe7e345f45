/**
 * What has to be the same for an answer on record to be given again: the request, and its client.
 */
import type { LockRule } from "../../core/locks/rule.ts";
import type { AnswerClient } from "../../durable/locks/contract.ts";
import { clientNetwork } from "../../core/address/ip-address.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { overridingMethods } from "../origin/header-fate.ts";
import { hex } from "../../core/hex.ts";
import { isOurCookie } from "../tokens/cookies.ts";
import type { Keyring } from "../tokens/keyring.ts";

/** Names of headers in which programs carry what tells them apart, beside `Authorization` and cookies. */
const CREDENTIAL =
  /(?:^|-)(?:api-?key|access-?key|auth(?:entication|orization)?|token|session(?:-?id)?|secret|credentials?|jwt|user-?(?:id|name)|account-?id|tenant-?id)(?:-|$)/;
/** They change from page to page, and tell nobody apart. */
const CROSS_SITE = /[cx]srf/;

/** Of method, host, path and query, type, client and every byte of the body. */
export const fingerprintOf = async (
  rule: LockRule,
  { request, url, host }: Arrival,
  body: Uint8Array | null,
): Promise<string> => {
  const head = JSON.stringify([
    [request.method, ...overridingMethods(request.headers)].join(" ").toUpperCase(),
    host,
    url.pathname + url.search,
    request.headers.get("Content-Type"),
    clientOf(rule, request.headers),
  ]);
  const headBytes = new TextEncoder().encode(`${head}\n`);
  const bytes = new Uint8Array(headBytes.length + (body?.length ?? 0));
  bytes.set(headBytes);
  bytes.set(body ?? [], headBytes.length);
  return hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
};

/**
 * The client that an answer is counted for, so that none can fill a shard: its address, which is
 * harder to make up than a session, or where that is not known, what else tells it apart.
 */
export const answerClientOf = async (
  rule: LockRule,
  { request, address }: Arrival,
  keys: Keyring | null,
): Promise<AnswerClient> => {
  const known = address === null ? clientOf(rule, request.headers) : clientNetwork(address);
  const text = `answers\n${JSON.stringify(known)}`;
  const hash =
    keys === null
      ? new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
      : await keys.mac(text);
  return (new DataView(hash.buffer, hash.byteOffset).getUint32(0) >>> 2) as AnswerClient;
};

/**
 * What tells this client from others. Where the rule names no session, every cookie may be one: a
 * client whose cookies change meanwhile is refused its own answer, which harms less than giving it
 * to somebody else.
 */
const clientOf = ({ session }: LockRule, headers: Headers): readonly unknown[] => {
  const authorization = headers.get("Authorization");
  if (session?.from === "header") return [authorization, headers.get(session.name)];
  const cookies = headers.get("Cookie") ?? "";
  if (session !== null) return [authorization, valuesOf(cookies, session.name)];
  return [authorization, credentialsOf(headers), withoutOurs(cookies)];
};

const credentialsOf = (headers: Headers): readonly (readonly string[])[] =>
  [...headers].filter(([name]) => CREDENTIAL.test(name) && !CROSS_SITE.test(name));

/** Each value under the name, also where two `Cookie` lines were put together with a comma. */
const valuesOf = (cookies: string, name: string): readonly string[] => {
  const literal = name.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const pattern = new RegExp(`(?:^|[;,\\s])${literal}\\s*=([^;]*)`, "g");
  return [...cookies.matchAll(pattern)].map(([, value = ""]) => value.trim());
};

/**
 * Cookies in one order, as browsers may send them in any, and without ours, which change by
 * themselves.
 */
const withoutOurs = (cookies: string): readonly string[] =>
  cookies
    .split(/[;,]/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !isOurCookie(part))
    .toSorted();
