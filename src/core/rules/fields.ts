/**
 * What an expression can ask of a request, under Cloudflare's names
 * (https://developers.cloudflare.com/ruleset-engine/rules-language/fields/reference/).
 */
import type { IpAddress } from "../address/ip-address.ts";
import type { ValueType } from "./syntax.ts";

/** What a request is asked. Undefined and null mean that it does not say. */
export interface RuleRequest {
  readonly host: string;
  /** As it is spelled, still encoded. */
  readonly path: string;
  /** Without its `?`. */
  readonly query: string;
  readonly method: string;
  readonly isHttps: boolean;
  readonly address: IpAddress | null;
  header(name: string): string | null;
  /** By name in lower case. */
  readonly headers: TextMap;
  readonly cookies: TextMap;
  readonly parameters: TextMap;
  /** What the edge knows of the client (`request.cf`); empty where no edge says anything of it. */
  readonly edge: Readonly<Record<string, unknown>>;
}

/** Each name with all its values. */
export type TextMap = ReadonlyMap<string, readonly string[]>;

export type FieldValue = string | number | boolean | IpAddress | readonly FieldValue[] | TextMap;

export interface Field {
  readonly name: string;
  readonly type: ValueType;
  readonly read: (request: RuleRequest) => FieldValue | undefined;
  /** It is known only where Cloudflare's edge stands right before the Worker. */
  readonly isEdges: boolean;
  /** It changes with how a path is spelled. */
  readonly isOfPath: boolean;
}

const TEXTS: ValueType = { arrayOf: "string" };
const TEXT_MAP: ValueType = { mapOf: TEXTS };

type Read = Field["read"];
type Entry = readonly [type: ValueType, read: Read];

const uriOf = ({ path, query }: RuleRequest): string => (query === "" ? path : `${path}?${query}`);

const header =
  (name: string): Read =>
  (request) =>
    request.header(name) ?? "";

const OF_PATH: Readonly<Record<string, Entry>> = {
  "http.request.uri": ["string", uriOf],
  "http.request.uri.path": ["string", ({ path }) => path],
  "http.request.uri.path.extension": ["string", ({ path }) => extensionOf(path)],
  "http.request.full_uri": [
    "string",
    (request) => `${request.isHttps ? "https" : "http"}://${request.host}${uriOf(request)}`,
  ],
};

const OF_REQUEST: Readonly<Record<string, Entry>> = {
  "http.host": ["string", ({ host }) => host],
  "http.request.method": ["string", ({ method }) => method],
  "http.request.uri.query": ["string", ({ query }) => query],
  "http.request.uri.args": [TEXT_MAP, ({ parameters }) => parameters],
  "http.request.uri.args.names": [TEXTS, ({ parameters }) => namesOf(parameters)],
  "http.request.uri.args.values": [TEXTS, ({ parameters }) => valuesOf(parameters)],
  "http.request.headers": [TEXT_MAP, ({ headers }) => headers],
  "http.request.headers.names": [TEXTS, ({ headers }) => namesOf(headers)],
  "http.request.headers.values": [TEXTS, ({ headers }) => valuesOf(headers)],
  "http.request.cookies": [TEXT_MAP, ({ cookies }) => cookies],
  "http.cookie": ["string", header("cookie")],
  "http.user_agent": ["string", header("user-agent")],
  "http.referer": ["string", header("referer")],
  "http.x_forwarded_for": ["string", header("x-forwarded-for")],
  "ip.src": ["address", ({ address }) => address ?? undefined],
  ssl: ["boolean", ({ isHttps }) => isHttps],
};

/** A member of what the edge says, however deep, if it is of this type. */
const edge =
  (type: "string" | "number" | "boolean", ...keys: string[]): Read =>
  (request) => {
    let value: unknown = request.edge;
    for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key];
    // Some numbers and flags come as texts ("0", "1").
    if (type === "boolean" && (value === "1" || value === "0")) return value === "1";
    return typeof value === type ? (value as string | number | boolean) : undefined;
  };

const bot = (type: "string" | "number" | "boolean", ...keys: string[]): Entry => [
  type,
  edge(type, "botManagement", ...keys),
];

const country = edge("string", "country");
const OF_EDGE: Readonly<Record<string, Entry>> = {
  "ip.src.country": ["string", country],
  "ip.geoip.country": ["string", country],
  "ip.src.continent": ["string", edge("string", "continent")],
  "ip.geoip.continent": ["string", edge("string", "continent")],
  "ip.src.asnum": ["number", edge("number", "asn")],
  "ip.geoip.asnum": ["number", edge("number", "asn")],
  "ip.src.region_code": ["string", edge("string", "regionCode")],
  "ip.src.city": ["string", edge("string", "city")],
  "ip.src.is_in_european_union": ["boolean", edge("boolean", "isEUCountry")],
  "cf.bot_management.score": bot("number", "score"),
  "cf.bot_management.verified_bot": bot("boolean", "verifiedBot"),
  "cf.bot_management.static_resource": bot("boolean", "staticResource"),
  "cf.bot_management.corporate_proxy": bot("boolean", "corporateProxy"),
  "cf.bot_management.js_detection.passed": bot("boolean", "jsDetection", "passed"),
  "cf.bot_management.ja3_hash": bot("string", "ja3Hash"),
  "cf.bot_management.ja4": bot("string", "ja4"),
  "cf.client.bot": ["boolean", (request) => isVerifiedBot(request)],
  "cf.verified_bot_category": ["string", edge("string", "verifiedBotCategory")],
  "cf.tls_client_auth.cert_verified": [
    "boolean",
    (request) => {
      const verified = edge("string", "tlsClientAuth", "certVerified")(request);
      return verified === undefined ? undefined : verified === "SUCCESS";
    },
  ],
};

/** Plans without bot management tell the category alone. */
const isVerifiedBot = (request: RuleRequest): boolean | undefined => {
  const isVerified = edge("boolean", "botManagement", "verifiedBot")(request);
  if (isVerified !== undefined) return isVerified as boolean;
  const category = edge("string", "verifiedBotCategory")(request);
  return category === undefined ? undefined : category !== "";
};

const namesOf = (map: TextMap): readonly string[] =>
  [...map].flatMap(([name, values]) => values.map(() => name));
const valuesOf = (map: TextMap): readonly string[] => [...map.values()].flat();

/** In lower case, without its dot; empty where the last segment has none. */
const extensionOf = (path: string): string => {
  const name = path.slice(path.lastIndexOf("/") + 1);
  const dot = name.lastIndexOf(".");
  return dot === -1 ? "" : name.slice(dot + 1).toLowerCase();
};

const fieldsOf = (
  entries: Readonly<Record<string, Entry>>,
  { isEdges, isOfPath }: Pick<Field, "isEdges" | "isOfPath">,
): readonly (readonly [string, Field])[] =>
  Object.entries(entries).map(([name, [type, read]]) => [
    name,
    { name, type, read, isEdges, isOfPath },
  ]);

export const FIELDS: ReadonlyMap<string, Field> = new Map([
  ...fieldsOf(OF_PATH, { isEdges: false, isOfPath: true }),
  ...fieldsOf(OF_REQUEST, { isEdges: false, isOfPath: false }),
  ...fieldsOf(OF_EDGE, { isEdges: true, isOfPath: false }),
]);
