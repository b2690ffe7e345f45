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

/** By lower-case name. A plain object, as the runtime takes nothing else over as quickly. */
export type HeaderValues = Record<string, string>;

/** What the origin is told: all that the client said, but nothing that only we may say. */
export const originRequestHeaders = (arrival: Arrival, target: Target): HeaderValues => {
  const values: HeaderValues = {};
  for (const [name, value] of arrival.request.headers)
    if (!name.startsWith(OURS)) values[name] = value;
  const isUpgrade = values["upgrade"]?.toLowerCase() === "websocket";
  for (const name of hopNames(Object.keys(values), values["connection"])) delete values[name];
  if (isUpgrade) values["upgrade"] = "websocket";
  const cookies = withoutOurCookies(values["cookie"] ?? "");
  if (cookies === null || cookies === "") delete values["cookie"];
  else values["cookie"] = cookies;
  if (target.kind !== "zone") nameTheClient(values, arrival);
  return values;
};

/** Those of the (lower-case) names that go no further than one connection. */
export const hopNames = (names: readonly string[], connection: string | undefined): string[] => {
  const hop = names.filter((name) => HOP.has(name));
  if (connection === undefined) return hop;
  const listed = connection.split(",").map((name) => name.trim().toLowerCase());
  return [...hop, ...listed.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name))];
};

/** The zone's own origin hears this from the edge itself. */
const nameTheClient = (values: HeaderValues, arrival: Arrival): void => {
  const { address, env, isHttps, url } = arrival;
  if (env.LOCAL === "1") delete values["cf-connecting-ip"];
  const chain = (values["x-forwarded-for"] ?? "")
    .split(",")
    .map((hop) => hop.trim())
    .filter((hop) => hop !== "");
  if (address !== null && chain.at(-1) !== address) chain.push(address);
  if (chain.length > 0) values["x-forwarded-for"] = chain.join(", ");
  values["x-forwarded-proto"] = isHttps ? "https" : "http";
  values["x-forwarded-host"] = url.host;
};
