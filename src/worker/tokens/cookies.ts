/**
 * How tokens look as cookies of a room: names, attributes, and taking ours out before the origin.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival/arrival.ts";

export const COOKIE_KINDS = ["visitor", "ticket", "pass"] as const;
export type CookieKind = (typeof COOKIE_KINDS)[number];

const NAME_STEM = "seiriken-";
/** The language that a visitor chose: no token, and the same for every room of the host. */
export const LANGUAGE_COOKIE = `${NAME_STEM}language`;
const OUR_NAME = `(?:(?:__host-|__secure-)?${NAME_STEM}(?:${COOKIE_KINDS.join("|")})-|${LANGUAGE_COOKIE}(?![\\w-]))`;
const BEGINS_AS_OURS = new RegExp(`^${OUR_NAME}`, "i");
/** With what is before it: the runtime joins several Cookie lines by commas. No token of ours holds one. */
const OURS = new RegExp(`[;,]\\s*${OUR_NAME}[^;,]*`, "gi");

/** Is this cookie, name first, one of a room here? */
export const isOurCookie = (cookie: string): boolean => BEGINS_AS_OURS.test(cookie);

/** How this room's cookies look to this visitor. */
interface Style {
  readonly prefix: "__Host-" | "__Secure-" | "";
  readonly domain: string | null;
  readonly isSecure: boolean;
}

const STEMS: Readonly<Record<Style["prefix"], string>> = {
  "__Host-": `__Host-${NAME_STEM}`,
  "__Secure-": `__Secure-${NAME_STEM}`,
  "": NAME_STEM,
};

/**
 * Browsers drop Secure cookies over plain HTTP, except on loopback; so a deployment that is meant
 * for plain HTTP, and only that, goes without, where the operator says nothing else.
 */
const isSecureAt = (arrival: Arrival, { kept }: RoomDefinition): boolean => {
  const { secure = "auto" } = kept.cookie_attributes ?? {};
  if (secure !== "auto") return secure === "always";
  return !(arrival.env.LOCAL === "1" && !arrival.isHttps && !isLoopback(arrival.host));
};

const styleOf = (arrival: Arrival, room: RoomDefinition): Style => {
  const isSecure = isSecureAt(arrival, room);
  const domain = domainFor(arrival.host, room);
  if (!isSecure) return { prefix: "", domain, isSecure };
  return { prefix: domain === null ? "__Host-" : "__Secure-", domain, isSecure };
};

/** A browser takes no cookie for a domain that it is not in; there, the host keeps its own. */
const domainFor = (host: string, room: RoomDefinition): string | null => {
  const domain = room.cookieDomain?.toLowerCase().replace(/^\./, "") ?? "";
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`)) ? domain : null;
};

type RoomCookies = Readonly<Partial<Record<CookieKind, string>>>;

/** What one Cookie header holds. A visitor sends the same one with each request, so it is read once. */
interface CookieText {
  readonly header: string;
  /** Of the room that was asked about last: what its cookies' names begin and end with. */
  stem: string;
  suffix: string;
  found: RoomCookies;
  readonly others: string | null;
}

/** Together at most some 8 MB in an isolate. */
const TEXTS_MAX = 2_048;
const TEXT_LENGTH_MAX = 2_048;
const texts = new BoundedMap<string, CookieText>(TEXTS_MAX);

/** Read for the tokens, and then once more for the origin. */
let latest: CookieText | null = null;

const textOf = (header: string): CookieText => {
  if (latest?.header === header) return latest;
  const key = keyOf(header);
  let text = texts.get(key);
  if (text?.header !== header) {
    text = { header, stem: "", suffix: "", found: {}, others: withoutOurs(header) };
    if (header.length > TEXT_LENGTH_MAX) return text;
    texts.set(key, text);
  }
  latest = text;
  return text;
};

/** How a token begins: with the `{"` of its header. */
const TOKEN = "=eyJ";
const KEY_LENGTH = 24;

/**
 * By the end of its first token, which is of a signature: to find a text by all of its letters takes
 * longer than all else that is done for it. Two that have the same take turns.
 */
const keyOf = (header: string): string => {
  const end = header.indexOf(";", header.indexOf(TOKEN, header.indexOf(NAME_STEM)));
  return end < 0 ? header.slice(-KEY_LENGTH) : header.slice(Math.max(0, end - KEY_LENGTH), end);
};

/** Values of this room's cookies. */
export const readCookies = (arrival: Arrival, room: RoomDefinition): RoomCookies => {
  const header = arrival.headers.get("cookie");
  if (header === null || !header.includes(NAME_STEM)) return NO_COOKIES;
  const stem = STEMS[styleOf(arrival, room).prefix];
  const text = textOf(header);
  if (text.stem !== stem || text.suffix !== room.cookieSuffix) {
    text.stem = stem;
    text.suffix = room.cookieSuffix;
    text.found = cookiesIn(header, stem, room);
  }
  return text.found;
};

const NO_COOKIES: RoomCookies = {};

/** A name that comes twice has no value: nobody can say which of the two was meant. */
const cookiesIn = (header: string, stem: string, room: RoomDefinition): RoomCookies => {
  const found: Partial<Record<CookieKind, string>> = {};
  const doubled: CookieKind[] = [];
  for (const part of header.split(";")) {
    if (!part.startsWith(stem, blanksBefore(part))) continue;
    const pair = withoutBlanks(part);
    const equals = pair.indexOf("=");
    const kind = kindOf(withoutBlanks(pair.slice(stem.length, Math.max(0, equals))), room);
    if (kind === null) continue;
    if (found[kind] === undefined) found[kind] = withoutBlanks(pair.slice(equals + 1));
    else doubled.push(kind);
  }
  for (const kind of doubled) delete found[kind];
  return found;
};

const isBlank = (sign: string | undefined): boolean => sign === " " || sign === "\t";

/** Names and values may stand between such blanks only (RFC 6265bis, 5.6); any other is part of them. */
const blanksBefore = (text: string): number => {
  let count = 0;
  while (isBlank(text[count])) count += 1;
  return count;
};

const withoutBlanks = (text: string): string => {
  let end = text.length;
  while (end > 0 && isBlank(text[end - 1])) end -= 1;
  return text.slice(Math.min(blanksBefore(text), end), end);
};

const kindOf = (rest: string, { cookieSuffix }: RoomDefinition): CookieKind | null => {
  const kind = rest.slice(0, rest.indexOf("-"));
  if (rest.slice(kind.length + 1) !== cookieSuffix) return null;
  return COOKIE_KINDS.find((known) => known === kind) ?? null;
};

/** The Cookie header without any room's cookies, for the origin; null when nothing is left. */
export const withoutOurCookies = (header: string): string | null =>
  header.includes(NAME_STEM) ? textOf(header).others : withoutOurs(header);

const withoutOurs = (header: string): string | null => {
  const rest = `;${header}`.replace(OURS, "");
  return rest === "" ? null : rest.slice(1).trim();
};

/** A `Set-Cookie` value; 0 seconds clears the cookie. */
export const cookieOf = (
  arrival: Arrival,
  room: RoomDefinition,
  kind: CookieKind,
  value: string,
  maxAgeSeconds: number,
): string => {
  const { prefix } = styleOf(arrival, room);
  const name = `${prefix}${NAME_STEM}${kind}-${room.cookieSuffix}`;
  return withAttributes(arrival, room, kind, `${name}=${value}`, maxAgeSeconds);
};

/** As long as browsers keep any cookie. */
const LANGUAGE_SECONDS = 400 * 24 * 3_600;

/** A `Set-Cookie` value that keeps the visitor's choice. */
export const languageCookie = (arrival: Arrival, room: RoomDefinition, language: string): string =>
  withAttributes(arrival, room, "visitor", `${LANGUAGE_COOKIE}=${language}`, LANGUAGE_SECONDS);

const withAttributes = (
  arrival: Arrival,
  room: RoomDefinition,
  kind: CookieKind,
  pair: string,
  maxAgeSeconds: number,
): string => {
  const { domain, isSecure } = styleOf(arrival, room);
  const parts = [pair, "Path=/"];
  if (domain !== null) parts.push(`Domain=${domain}`);
  parts.push(`Max-Age=${Math.max(0, Math.ceil(maxAgeSeconds))}`, "HttpOnly");
  if (isSecure) parts.push("Secure");
  parts.push(`SameSite=${sameSiteOf(room, kind, isSecure)}`);
  return parts.join("; ");
};

/** Browsers take None together with Secure only. */
const sameSiteOf = ({ kept }: RoomDefinition, kind: CookieKind, isSecure: boolean): string => {
  const { samesite = "auto" } = kept.cookie_attributes ?? {};
  if (samesite === "strict") return "Strict";
  // A pass grants entry, not identity, and a payer comes back by a cross-site POST.
  const wantsNone = samesite === "none" || (samesite === "auto" && kind === "pass");
  return wantsNone && isSecure ? "None" : "Lax";
};

const isLoopback = (host: string): boolean =>
  host === "localhost" ||
  host.endsWith(".localhost") ||
  host === "[::1]" ||
  host.startsWith("127.");
