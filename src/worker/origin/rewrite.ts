import type { Arrival } from "../arrival/arrival.ts";
import type { AnswerHead } from "./answer-head.ts";
import { basePath } from "./target.ts";

/**
 * Makes what names the origin's host name the visitor's: `Location` and cookie domains. An origin that
 * hears the visitor's host (`isHostKept`) may name that one with its own scheme and port.
 */
export const rewriteForVisitor = (
  headers: Headers,
  { location, setsCookies }: Pick<AnswerHead, "location" | "setsCookies">,
  base: URL,
  arrival: Arrival,
  isHostKept: boolean,
): void => {
  const rewritten = location === null ? null : visitorLocation(location, base, arrival, isHostKept);
  if (rewritten !== null) headers.set("Location", rewritten);
  if (!setsCookies) return;
  const cookies = headers.getSetCookie();
  if (!cookies.some((cookie) => /;\s*domain=/i.test(cookie))) return;
  headers.delete("Set-Cookie");
  for (const cookie of cookies) headers.append("Set-Cookie", visitorCookie(cookie, base, arrival));
};

/** Null where the location does not name the origin, so that it stays as it was written. */
const visitorLocation = (
  location: string,
  base: URL,
  arrival: Arrival,
  isHostKept: boolean,
): string | null => {
  const prefix = basePath(base);
  const isAbsolute = /^(?:https?:)?\/\//i.test(location);
  if (!isAbsolute)
    return prefix !== "" && location.startsWith("/") ? below(prefix, location) : null;
  if (!URL.canParse(location, base.href)) return null;
  const url = new URL(location, base);
  if (url.host !== base.host && !(isHostKept && isKeptHost(url, base, arrival))) return null;
  const scheme = arrival.isHttps ? "https" : "http";
  const path = `${url.pathname}${url.search}${url.hash}`;
  return `${scheme}://${arrival.url.host}${below(prefix, path) ?? path}`;
};

const isKeptHost = (url: URL, base: URL, { url: asked }: Arrival): boolean =>
  url.hostname === asked.hostname &&
  url.protocol === base.protocol &&
  (url.port === base.port || url.port === asked.port);

/** The path below the origin's base path, or null outside it. */
const below = (prefix: string, path: string): string | null => {
  if (!path.startsWith(prefix)) return null;
  const rest = path.slice(prefix.length);
  if (rest.startsWith("/")) return rest;
  return rest === "" || /^[?#]/.test(rest) ? `/${rest}` : null;
};

const visitorCookie = (cookie: string, base: URL, arrival: Arrival): string =>
  cookie.replace(/;\s*domain=\s*\.?([^;\s]*)\s*/i, (attribute, domain: string) => {
    if (domain.toLowerCase() !== base.hostname.toLowerCase()) return attribute;
    // Browsers take no Domain that is an address or a single word; without one it is host-only.
    return /[a-z]/i.test(arrival.host) &&
      arrival.host.includes(".") &&
      !arrival.host.startsWith("[")
      ? `; Domain=${arrival.host}`
      : "";
  });
