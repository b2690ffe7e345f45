import type { Arrival } from "../arrival.ts";
import { basePath } from "./target.ts";

/** Makes what names the origin's host name the visitor's: `Location` and cookie domains. */
export const rewriteForVisitor = (headers: Headers, base: URL, arrival: Arrival): void => {
  const location = headers.get("Location");
  const rewritten = location === null ? null : visitorLocation(location, base, arrival);
  if (rewritten !== null) headers.set("Location", rewritten);
  const cookies = headers.getSetCookie();
  if (!cookies.some((cookie) => /;\s*domain=/i.test(cookie))) return;
  headers.delete("Set-Cookie");
  for (const cookie of cookies) headers.append("Set-Cookie", visitorCookie(cookie, base, arrival));
};

/** Null where the location does not name the origin, so that it stays as it was written. */
const visitorLocation = (location: string, base: URL, arrival: Arrival): string | null => {
  const prefix = basePath(base);
  const isAbsolute = /^(?:https?:)?\/\//i.test(location);
  if (!isAbsolute)
    return prefix !== "" && location.startsWith("/") ? below(prefix, location) : null;
  if (!URL.canParse(location, base.href)) return null;
  const url = new URL(location, base);
  if (url.host !== base.host) return null;
  const scheme = arrival.isHttps ? "https" : "http";
  const path = `${url.pathname}${url.search}${url.hash}`;
  return `${scheme}://${arrival.url.host}${below(prefix, path) ?? path}`;
};

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
