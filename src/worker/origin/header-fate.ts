/**
 * Which of a client's headers may reach an origin, by name alone. Their values are request-
 * headers.ts.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { NAMES_MAX } from "../arrival/sent-headers.ts";

/**
 * Headers of one connection (RFC 9110, 7.6.1). So is `Expect` here: a client that expects a 100 has
 * it from us or goes on without it, and the origin's would be taken for its answer.
 */
const HOP: ReadonlySet<string> = new Set([
  "connection",
  "expect",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);
const OURS = "seiriken-";
/** From these some servers take host, path or client, in place of those that the gate has judged. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  "base-url",
  "forwarded",
  "http-url",
  "mf-cf-blob",
  "mf-original-hostname",
  "mf-original-url",
  "mf-route-override",
  "path-info",
  "request-uri",
  "script-name",
  "x-backend-host",
  "x-envoy-original-host",
  "x-envoy-original-path",
  "x-forwarded-host",
  "x-forwarded-path",
  "x-forwarded-prefix",
  "x-forwarded-server",
  "x-forwarded-uri",
  "x-forwarded-url",
  "x-host",
  "x-http-destinationurl",
  "x-http-host-override",
  "x-http-path-override",
  "x-invoke-path",
  "x-matched-path",
  "x-middleware-rewrite",
  "x-ms-original-url",
  "x-now-route-matches",
  "x-original-host",
  "x-original-path",
  "x-original-uri",
  "x-original-url",
  "x-override-url",
  "x-path-info",
  "x-proxy-url",
  "x-request-path",
  "x-request-uri",
  "x-request-url",
  "x-rewrite-path",
  "x-rewrite-uri",
  "x-rewrite-url",
  "x-script-name",
  "x-unencoded-url",
  "x-waws-unencoded-url",
]);
/** From these, the method. */
const OVERRIDES: ReadonlySet<string> = new Set([
  "x-forwarded-method",
  "x-http-method",
  "x-http-method-override",
  "x-method",
  "x-method-override",
  "x-original-method",
  "x-request-method",
]);
/** From these, the client's address. */
const ADDRESSES: readonly string[] = [
  "client-ip",
  "do-connecting-ip",
  "fastly-client-ip",
  "forwarded-for",
  "proxy-client-ip",
  "real-ip",
  "remote-addr",
  "true-client-ip",
  "wl-proxy-client-ip",
  "x-appengine-user-ip",
  "x-azure-clientip",
  "x-azure-socketip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-envoy-external-address",
  "x-forwarded",
  "x-forwarded-client-ip",
  "x-nf-client-connection-ip",
  "x-original-for",
  "x-original-forwarded-for",
  "x-original-remote-addr",
  "x-originating-ip",
  "x-real-ip",
  "x-remote-addr",
  "x-remote-ip",
];
/** From these, under which scheme or port it came. */
const SCHEMES: readonly string[] = [
  "cloudfront-forwarded-proto",
  "front-end-https",
  "x-arr-ssl",
  "x-forwarded-https",
  "x-forwarded-port",
  "x-forwarded-protocol",
  "x-forwarded-scheme",
  "x-forwarded-ssl",
  "x-original-port",
  "x-original-proto",
  "x-original-scheme",
  "x-scheme",
  "x-url-scheme",
];
const PROXYS: ReadonlySet<string> = new Set([...ADDRESSES, ...SCHEMES]);
/** These, the edge says; where there is none in front, the client. */
const EDGES: ReadonlySet<string> = new Set(["cf-connecting-ipv6", "cf-pseudo-ipv4", "cf-visitor"]);
/** Set by us or by the edge; in any other spelling they come from the client. */
const VOUCHED: ReadonlySet<string> = new Set([
  "cf-connecting-ip",
  "x-forwarded-for",
  "x-forwarded-proto",
]);

/**
 * pass: to every origin · host: to all but a URL, whose own the runtime sends · cookie: without ours · override: where the method decides nothing · proxys:
 * where the zone's edge or a trusted proxy has said it · edges: the same, and wherever the edge is in
 * front · drop: to none
 */
export type HeaderFate = "pass" | "host" | "cookie" | "override" | "proxys" | "edges" | "drop";

/** Enough for all that a site's visitors send, and no more than some hundred KB for all that others do. */
const KNOWN_MAX = 2_000;
const KNOWN_LENGTH_MAX = 64;
const known = new BoundedMap<string, FatedHeader>(KNOWN_MAX);

/** `name` is always the same text in memory, so that it is quick as a key. */
export interface FatedHeader {
  readonly name: string;
  readonly fate: HeaderFate;
}

/** Of lists of names that came lately. */
const KNOWN_LISTS_MAX = 500;
const knownLists = new BoundedMap<readonly string[], readonly FatedHeader[]>(KNOWN_LISTS_MAX);

/** What becomes of each of a client's headers. `names` are in lower case. */
export const fatedHeaders = (names: readonly string[]): readonly FatedHeader[] =>
  names.length > NAMES_MAX ? fatesOf(names) : knownLists.getOrMake(names, fatesOf);

const fatesOf = (names: readonly string[]): readonly FatedHeader[] => names.map(fatedHeader);

/** What becomes of a client's header on its way to the origin. `name` is in lower case. */
export const fatedHeader = (name: string): FatedHeader => {
  const found = known.get(name);
  if (found !== undefined) return found;
  const [own = name] = Object.keys({ [name]: null });
  const header = { name: own, fate: judged(name) };
  if (name.length <= KNOWN_LENGTH_MAX) known.set(name, header);
  return header;
};

const judged = (name: string): HeaderFate => {
  if (name === "cookie" || name === "host") return name;
  const letters = lettersOf(name);
  if (letters.startsWith(OURS) || HOP.has(letters) || ELSEWHERE.has(letters)) return "drop";
  if (OVERRIDES.has(letters)) return "override";
  const isProxys = PROXYS.has(letters);
  const isEdges = EDGES.has(letters);
  // The edge or proxy that vouches for them spells them in the usual way.
  if (letters !== name) return isProxys || isEdges || VOUCHED.has(letters) ? "drop" : "pass";
  if (isEdges) return "edges";
  return isProxys ? "proxys" : "pass";
};

/** Gateways (CGI and its heirs) tell `-` from `_` and other signs no more. `name` is in lower case. */
export const lettersOf = (name: string): string => name.replace(/[^a-z0-9]/g, "-");

/** Does a header of this (lower-case) name go no further than one connection? */
export const isHop = (name: string): boolean => HOP.has(name);

/** The methods that headers ask for in place of the request's own, as they are spelled. */
export const overridingMethods = (headers: Headers): readonly string[] => {
  const methods: string[] = [];
  headers.forEach((value, name) => {
    if (fatedHeader(name).fate === "override") methods.push(value);
  });
  return methods;
};

const PREFLIGHT =
  /^(?:accept(?:-encoding|-language)?|access-control-request-[a-z-]+|origin|referer|user-agent|cache-control|pragma|dnt|priority|sec-(?:fetch|ch|gpc)[a-z-]*|cdn-loop|cf-(?:connecting-ip|connecting-ipv6|ipcountry|ray|visitor|worker)|x-forwarded-(?:for|proto)|x-real-ip|true-client-ip|via|traceparent|tracestate|x-request-id)$/;

/**
 * Does a browser, or a proxy on the way, send this header with a preflight? None of them identifies
 * the client.
 */
export const isOfPreflight = (name: string): boolean => PREFLIGHT.test(name);
