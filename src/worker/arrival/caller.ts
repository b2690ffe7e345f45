/**
 * What kind of program sent a request, and what for, by its headers alone. What follows from it is
 * core/gate/decide.ts.
 */
import type { CallerKind } from "../../core/gate/decide.ts";

/** A request, or its headers as they were read: those are found by their names in lower case. */
interface HeaderReader {
  readonly headers: { get(name: string): string | null };
}

/** Places in a page where a whole document may stand. */
const DOCUMENT_DESTINATIONS = new Set(["document", "iframe", "frame", "fencedframe"]);
const SUBRESOURCE_TYPES = /^(?:image|font|audio|video)\/|^text\/css$|javascript$/;
const TYPES_MAX = 32;

/** First match: the browser's own word, then what the request asks for. */
export const callerKindOf = (request: Request): CallerKind => {
  const { headers } = request;
  // A service worker that fetches a navigation again sends it with an empty destination.
  if (isNavigation(request)) return "document";
  const destination = headers.get("Sec-Fetch-Dest")?.toLowerCase();
  if (destination !== undefined) {
    if (DOCUMENT_DESTINATIONS.has(destination)) return "document";
    return destination === "empty" ? "json" : "subresource";
  }
  if (isUpgrade(request)) return "subresource";
  if (headers.has("X-Requested-With")) return "json";
  const accepts = parseAccept(headers.get("Accept") ?? "");
  const preference = preferenceOf(accepts);
  if (preference !== null) return preference;
  const best = accepts[0];
  if (best !== undefined && SUBRESOURCE_TYPES.test(best.type)) return "subresource";
  return request.method === "GET" && onlyBrowsersSend(headers) ? "document" : "json";
};

/** Headers in which browsers and page scripts say what a request is for. */
const PURPOSES = ["sec-purpose", "purpose", "x-sec-purpose", "x-purpose", "x-moz", "moz-purpose"];
/** Headers that frameworks send with what they fetch in advance: Next.js and htmx. */
const PREFETCHES = [
  "next-router-prefetch",
  "next-router-segment-prefetch",
  "x-middleware-prefetch",
  "hx-preloaded",
];

/** Fetched in advance: nobody may ever look at it, so it takes no place. */
export const isSpeculative = ({ headers }: HeaderReader): boolean =>
  PURPOSES.some((name) => /prefetch|prerender|preview/i.test(headers.get(name) ?? "")) ||
  PREFETCHES.some((name) => !/^(?:0|false)?$/i.test(headers.get(name) ?? ""));

/**
 * Sent by a browser: by a page, for one, or by its worker. Browsers before 2023 show it by `Origin` only.
 * Node's own fetch says `Sec-Fetch-Mode: cors` and nothing else of the kind, as no browser does.
 */
export const isFromPage = ({ headers }: HeaderReader): boolean =>
  headers.get("sec-fetch-site") !== null ||
  headers.get("origin") !== null ||
  (headers.get("sec-fetch-mode") ?? "cors").toLowerCase() !== "cors";

/** Sent by a script, of a page or of a service worker. */
export const isForScript = ({ headers }: HeaderReader): boolean =>
  headers.get("sec-fetch-dest")?.toLowerCase() === "empty";

/** A navigation whose answer a service worker gets: it fetched that itself, or had it fetched early. */
export const isForWorker = (sent: HeaderReader): boolean =>
  (isForScript(sent) && isNavigation(sent)) ||
  sent.headers.get("service-worker-navigation-preload") !== null;

const isNavigation = ({ headers }: HeaderReader): boolean =>
  headers.get("sec-fetch-mode")?.toLowerCase() === "navigate";

/** A document for a frame in a page of another site, where Lax cookies never come back. */
export const isFramedElsewhere = ({ headers }: Request): boolean => {
  const destination = headers.get("Sec-Fetch-Dest")?.toLowerCase();
  if (destination === undefined || destination === "document" || destination === "empty")
    return false;
  return headers.get("Sec-Fetch-Site")?.toLowerCase() === "cross-site";
};

/** A true CORS preflight, which browsers send without cookies (Fetch, 4.8). */
export const isPreflight = (request: Request): boolean =>
  request.method === "OPTIONS" &&
  request.headers.has("Origin") &&
  request.headers.has("Access-Control-Request-Method");

export const isUpgrade = (request: Request): boolean =>
  request.headers.get("Upgrade")?.toLowerCase() === "websocket";

/** Methods that ask and change nothing (RFC 9110, 9.2.1), as far as a browser may repeat them. */
export const isSafe = (method: string): boolean => method === "GET" || method === "HEAD";

interface Accepted {
  readonly type: string;
  readonly quality: number;
}

/** The best first; those of one quality keep their order. */
export const parseAccept = (header: string): readonly Accepted[] =>
  header
    .split(",", TYPES_MAX)
    .map((entry) => {
      const [type = "", ...parameters] = entry.split(";").map((part) => part.trim().toLowerCase());
      const quality = Number(parameters.find((part) => part.startsWith("q="))?.slice(2) ?? 1);
      return { type, quality: Number.isFinite(quality) ? quality : 0 };
    })
    .filter(({ type, quality }) => type !== "" && quality > 0)
    .toSorted((a, b) => b.quality - a.quality);

const isJson = (type: string): boolean =>
  /^(?:application|text)\/(?:json|[\w.+-]+\+json)$/.test(type);
const isHtml = (type: string): boolean => type === "text/html" || type === "application/xhtml+xml";

/** JSON or HTML, whichever is named with the higher quality, or first; null when neither is named. */
const preferenceOf = (accepts: readonly Accepted[]): "json" | "document" | null => {
  const best = accepts.find(({ type }) => isJson(type) || isHtml(type));
  if (best !== undefined) return isJson(best.type) ? "json" : "document";
  const wide = accepts.find(({ type }) => type === "text/*" || type === "application/*");
  if (wide === undefined) return null;
  return wide.type === "text/*" ? "document" : "json";
};

const onlyBrowsersSend = (headers: Headers): boolean =>
  headers.has("Upgrade-Insecure-Requests") || headers.has("Sec-Fetch-User");
