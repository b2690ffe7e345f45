/** What kind of program sent a request, as far as its answer is concerned. */
export type CallerKind = "document" | "json" | "subresource";

/** Places in a page where a whole document may stand. */
const DOCUMENT_DESTINATIONS = new Set(["document", "iframe", "frame", "fencedframe"]);
const SUBRESOURCE_TYPES = /^(?:image|font|audio|video)\/|^text\/css$|javascript$/;
const TYPES_MAX = 32;

/** First match: the browser's own word, then what the request asks for. */
export const callerKindOf = (request: Request): CallerKind => {
  const { headers } = request;
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

/** Fetched in advance by a browser: nobody may ever look at it, so it takes no place. */
export const isSpeculative = (request: Request): boolean => {
  const { headers } = request;
  return [headers.get("Sec-Purpose"), headers.get("Purpose"), headers.get("X-Moz")].some(
    (purpose) => purpose !== null && /prefetch|prerender|preview/i.test(purpose),
  );
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
const parseAccept = (header: string): readonly Accepted[] =>
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
  headers.has("Upgrade-Insecure-Requests") ||
  headers.has("Sec-Fetch-User") ||
  headers.get("Sec-Fetch-Mode") === "navigate";
