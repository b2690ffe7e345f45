import type { Arrival } from "../arrival.ts";
import { withoutOurCookies } from "../tokens/cookies.ts";
import type { Target } from "./target.ts";

/** They belong to one connection (RFC 9110, 7.6.1). */
const HOP: ReadonlySet<string> = new Set([
  "connection",
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
const NONE: readonly string[] = [];

/** By lower-case name. A plain object, as the runtime takes nothing else over as quickly. */
export type HeaderValues = Record<string, string>;

/** What the origin is told: all that the client said, but nothing that only we may say. */
export const originRequestHeaders = (arrival: Arrival, target: Target): HeaderValues => {
  const { headers } = arrival.request;
  const values: HeaderValues = {};
  const listed = listedBy(headers.get("connection"));
  // Without an edge in front only the runtime knows the client, and this header is forged.
  const forged = arrival.env.LOCAL === "1" && target.kind !== "zone" ? "cf-connecting-ip" : "";
  // In one pass, and nothing is taken out again: of all that is done for a request, this costs most.
  headers.forEach((value, name) => {
    if (name.startsWith(OURS) || HOP.has(name) || listed.includes(name) || name === forged) return;
    if (name !== "cookie") values[name] = value;
    else setUnlessEmpty(values, name, withoutOurCookies(value));
  });
  if (headers.get("upgrade")?.toLowerCase() === "websocket") values["upgrade"] = "websocket";
  if (target.kind !== "zone") nameTheClient(values, arrival);
  return values;
};

const setUnlessEmpty = (values: HeaderValues, name: string, value: string | null): void => {
  if (value !== null && value !== "") values[name] = value;
};

/** Does a header of this (lower-case) name go no further than one connection? */
export const isHop = (name: string): boolean => HOP.has(name);

/** Further names that a `Connection` header keeps to its connection. */
export const listedBy = (connection: string | null): readonly string[] => {
  if (connection === null || connection === "keep-alive" || connection === "close") return NONE;
  const listed = connection.split(",").map((name) => name.trim().toLowerCase());
  return listed.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
};

/** The zone's own origin hears this from the edge itself. */
const nameTheClient = (values: HeaderValues, arrival: Arrival): void => {
  const { address, isHttps, url } = arrival;
  const chain = chainOf(values["x-forwarded-for"], address);
  if (chain !== "") values["x-forwarded-for"] = chain;
  values["x-forwarded-proto"] = isHttps ? "https" : "http";
  values["x-forwarded-host"] = url.host;
};

/** The client's own word of the way here, and whom we know it to come from. */
const chainOf = (sent: string | undefined, address: string | null): string => {
  if (sent === undefined) return address ?? "";
  const hops = sent
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  if (address !== null && hops.at(-1) !== address) hops.push(address);
  return hops.join(", ");
};
