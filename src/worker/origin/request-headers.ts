import type { Arrival } from "../arrival.ts";
import { isUpgrade } from "../caller.ts";
import { withoutOurCookies } from "../tokens/cookies.ts";
import type { Target } from "./target.ts";

/** They belong to one connection (RFC 9110, 7.6.1). */
const HOP = [
  "Connection",
  "Keep-Alive",
  "Proxy-Authenticate",
  "Proxy-Authorization",
  "Proxy-Connection",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
];
const OURS = /^seiriken-/i;

/** What the origin is told: all that the client said, but nothing that only we may say. */
export const originRequestHeaders = (arrival: Arrival, target: Target): Headers => {
  const { request } = arrival;
  const headers = new Headers(request.headers);
  for (const name of [...headers.keys()]) if (OURS.test(name)) headers.delete(name);
  dropHopHeaders(headers);
  if (isUpgrade(request)) headers.set("Upgrade", "websocket");
  const cookies = withoutOurCookies(headers.get("Cookie") ?? "");
  if (cookies === null || cookies === "") headers.delete("Cookie");
  else headers.set("Cookie", cookies);
  if (target.kind !== "zone") nameTheClient(headers, arrival);
  return headers;
};

export const dropHopHeaders = (headers: Headers): void => {
  const named = (headers.get("Connection") ?? "").split(",").map((name) => name.trim());
  for (const name of named) if (/^[\w!#$%&'*+.^`|~-]+$/.test(name)) headers.delete(name);
  for (const name of HOP) headers.delete(name);
};

/** The zone's own origin hears this from the edge itself. */
const nameTheClient = (headers: Headers, arrival: Arrival): void => {
  const { address, env, isHttps, url } = arrival;
  if (env.LOCAL === "1") headers.delete("CF-Connecting-IP");
  const chain = (headers.get("X-Forwarded-For") ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  if (address !== null && chain.at(-1) !== address) chain.push(address);
  if (chain.length > 0) headers.set("X-Forwarded-For", chain.join(", "));
  headers.set("X-Forwarded-Proto", isHttps ? "https" : "http");
  headers.set("X-Forwarded-Host", url.host);
};
