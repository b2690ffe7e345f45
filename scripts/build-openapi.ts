/**
 * The operators' API as an OpenAPI 3.1 document. What it takes is made from the schemas that the Worker reads
 * by; calls and answers stand here, and a test holds the calls against the routes.
 */
import { ERROR_CODES } from "../src/api/envelope.ts";
import { ACTION } from "../src/api/rules/schema.ts";
import { DESCRIPTION_LENGTH_MAX, RULES_MAX } from "../src/core/rules/bypass-rule.ts";
import { EXPRESSION_LENGTH_MAX } from "../src/core/rules/parse.ts";
import { ruleSchema } from "../src/api/lock-rules/schema.ts";
import { roomSchema } from "../src/api/rooms/schema.ts";
import { zoneSettingsSchema } from "../src/api/zone-settings.ts";
import { jsonSchemaOf } from "./schema-parts.ts";
import type { JsonSchema, Part } from "./schema-parts.ts";

const of = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
const text: JsonSchema = { type: "string" };
const whole: JsonSchema = { type: "integer" };
const instant: JsonSchema = { type: "string", format: "date-time" };
const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const room = jsonSchemaOf(roomSchema as unknown as Part);
const rule = jsonSchemaOf(ruleSchema as unknown as Part);

/** Its fields alone: to make one some are needed, in an answer all are there, to change one none is. */
const fieldsOf = ({ required: _required, ...fields }: JsonSchema): JsonSchema => fields;

const neededOf = (fields: string, { required }: JsonSchema): JsonSchema => ({
  allOf: [of(fields), { required }],
});

const answered = (
  fields: string,
  schema: JsonSchema,
  more: Readonly<Record<string, JsonSchema>>,
): JsonSchema => {
  const required = Object.keys(schema["properties"] as object);
  return { allOf: [of(fields), { properties: more, required }] };
};

const status = objectOf({
  event_id: text,
  status: { enum: ["event_prequeueing", "not_queueing", "queueing", "suspended"] },
  estimated_queued_users: whole,
  estimated_total_active_users: whole,
  max_estimated_time_minutes: whole,
  seiriken: { type: "object" },
});

const note = {
  ...objectOf({ code: { enum: Object.values(ERROR_CODES) }, message: text }),
  properties: {
    code: { enum: Object.values(ERROR_CODES) },
    message: text,
    source: objectOf({ pointer: text }),
  },
};

const ruleId = { type: "string", pattern: "^[0-9a-f]{32}$" };
const ruleFields = {
  action: { const: ACTION },
  expression: { type: "string", maxLength: EXPRESSION_LENGTH_MAX },
  description: { type: "string", maxLength: DESCRIPTION_LENGTH_MAX },
  enabled: { type: "boolean", default: true },
};
/** In `after` and `before` an empty text is the end and the begin. */
const place = { type: "string", pattern: "^([0-9a-f]{32})?$" };
const position = {
  oneOf: [
    objectOf({ index: { type: "integer", minimum: 1, maximum: RULES_MAX } }),
    objectOf({ before: place }),
    objectOf({ after: place }),
  ],
};

const schemas = {
  RuleFields: { type: "object", properties: { ...ruleFields, position } },
  RuleInput: { allOf: [of("RuleFields"), { required: ["action", "expression"] }] },
  Rule: objectOf({ id: ruleId, version: text, ...ruleFields, last_updated: instant }),
  Rules: { ...listOf(of("Rule")), maxItems: RULES_MAX },
  RulesInput: {
    ...listOf({
      type: "object",
      properties: { id: ruleId, ...ruleFields },
      required: ["action", "expression"],
    }),
    maxItems: RULES_MAX,
  },
  RoomFields: fieldsOf(room),
  RoomInput: neededOf("RoomFields", room),
  Room: answered("RoomFields", room, {
    id: { type: "string", pattern: "^[0-9a-f]{32}$" },
    created_on: instant,
    modified_on: instant,
  }),
  ZoneSettings: jsonSchemaOf(zoneSettingsSchema as unknown as Part),
  Status: status,
  LockRuleFields: fieldsOf(rule),
  LockRuleInput: neededOf("LockRuleFields", rule),
  LockRule: answered("LockRuleFields", rule, { created_at: instant, modified_at: instant }),
  Keys: objectOf({ source: { enum: ["registry", "secret"] }, keys: listOf(text) }),
  Note: note,
  Envelope: objectOf({
    success: { type: "boolean" },
    errors: listOf(of("Note")),
    messages: listOf(of("Note")),
    result: {},
  }),
  Problem: objectOf({
    type: text,
    title: text,
    status: whole,
    detail: text,
    code: text,
    reference: text,
  }),
};

const json = (schema: JsonSchema) => ({ "application/json": { schema } });

interface Call {
  readonly does: string;
  readonly takes?: JsonSchema;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly answers: JsonSchema | null;
  readonly status?: number;
  /** Answers this call only, and only who signs in by other means than a token. */
  readonly isOpen?: boolean;
}
type Calls = Readonly<Record<string, Call>>;

const enveloped = (result: JsonSchema): JsonSchema => ({
  allOf: [of("Envelope"), { properties: { result } }],
});

const roomPage: Call = {
  does: "Rooms in the order of their making, in pages",
  query: { page: { ...whole, minimum: 1 }, per_page: { ...whole, minimum: 1, maximum: 1_000 } },
  answers: enveloped(listOf(of("Room"))),
};
const verified: Call = {
  does: "Is this token good?",
  answers: enveloped(objectOf({ id: text, status: { const: "active" } })),
};

/** Cloudflare's API: its envelope, and its errors. Below `/client/v4`. */
const MANAGEMENT: Calls = {
  "GET /user/tokens/verify": verified,
  "GET /accounts/{account}/tokens/verify": verified,
  "GET /zones/{zone}/waiting_rooms": roomPage,
  "GET /accounts/{account}/waiting_rooms": roomPage,
  "POST /zones/{zone}/waiting_rooms": {
    does: "Makes a room",
    takes: of("RoomInput"),
    answers: enveloped(of("Room")),
  },
  "GET /zones/{zone}/waiting_rooms/settings": {
    does: "What holds for every room",
    answers: enveloped(of("ZoneSettings")),
  },
  "PUT /zones/{zone}/waiting_rooms/settings": {
    does: "Replaces what holds for every room",
    takes: of("ZoneSettings"),
    answers: enveloped(of("ZoneSettings")),
  },
  "PATCH /zones/{zone}/waiting_rooms/settings": {
    does: "Changes what holds for every room",
    takes: of("ZoneSettings"),
    answers: enveloped(of("ZoneSettings")),
  },
  "GET /zones/{zone}/waiting_rooms/{room}": {
    does: "A room, with its version as ETag; 304 where If-None-Match names it",
    answers: enveloped(of("Room")),
  },
  "PUT /zones/{zone}/waiting_rooms/{room}": {
    does: "Replaces a room's settings, but what stands under seiriken where the body does not name it",
    takes: of("RoomInput"),
    answers: enveloped(of("Room")),
  },
  "PATCH /zones/{zone}/waiting_rooms/{room}": {
    does: "Changes what the body names (a JSON merge patch, RFC 7396)",
    takes: of("RoomFields"),
    answers: enveloped(of("Room")),
  },
  "DELETE /zones/{zone}/waiting_rooms/{room}": {
    does: "Deletes a room; it can be restored for a day",
    answers: enveloped(objectOf({ id: text })),
  },
  "GET /zones/{zone}/waiting_rooms/{room}/status": {
    does: "Who waits and who is in",
    answers: enveloped(of("Status")),
  },
  "GET /zones/{zone}/waiting_rooms/{room}/rules": {
    does: "The rules by which requests pass the room by, in order, with their version as ETag",
    answers: enveloped(of("Rules")),
  },
  "POST /zones/{zone}/waiting_rooms/{room}/rules": {
    does: "Adds a rule; answers all",
    takes: of("RuleInput"),
    answers: enveloped(of("Rules")),
  },
  "PUT /zones/{zone}/waiting_rooms/{room}/rules": {
    does: "Replaces the list",
    takes: of("RulesInput"),
    answers: enveloped(of("Rules")),
  },
  "PATCH /zones/{zone}/waiting_rooms/{room}/rules/{rule}": {
    does: "Changes what the body names, and the place by position; answers all",
    takes: of("RuleFields"),
    answers: enveloped(of("Rules")),
  },
  "DELETE /zones/{zone}/waiting_rooms/{room}/rules/{rule}": {
    does: "Deletes a rule; answers the others",
    answers: enveloped(of("Rules")),
  },
};

/** Ours: bare objects, and problem details (RFC 9457). Below `/api`. */
const OWN: Calls = {
  "GET /openapi.json": { does: "This document", answers: { type: "object" }, isOpen: true },
  "GET /rooms": {
    does: "Rooms that were deleted within a day",
    query: { deleted: { const: "true" } },
    answers: objectOf({ rooms: listOf(of("Room")) }),
  },
  "POST /rooms/{room}/restore": { does: "Restores a deleted room", answers: of("Room") },
  "POST /rooms/{room}/revoke": {
    does: "Ends every visit; tickets stay",
    answers: objectOf({ room: text, revoked: whole }),
  },
  "DELETE /rooms/{room}/visits/{visit}": { does: "Ends a visit", answers: null, status: 204 },
  "GET /rooms/{room}/history": {
    does: "A row for each minute in which anything happened",
    query: {
      minutes: { ...whole, minimum: 1, maximum: 10_080 },
      from: instant,
      to: instant,
      format: { enum: ["json", "csv"] },
    },
    answers: objectOf({ room: text, minutes: listOf({ type: "object" }) }),
  },
  "GET /keys": { does: "The names of the signing keys; the first signs", answers: of("Keys") },
  "POST /keys/rotate": { does: "Makes a new signing key", answers: of("Keys") },
  "DELETE /keys/{kid}": { does: "Revokes a signing key", answers: of("Keys") },
  "GET /lock-rules": {
    does: "The lock rules",
    answers: objectOf({ rules: listOf(of("LockRule")) }),
  },
  "POST /lock-rules": {
    does: "Makes a lock rule",
    takes: of("LockRuleInput"),
    answers: of("LockRule"),
    status: 201,
  },
  "GET /lock-rules/{name}": { does: "A lock rule", answers: of("LockRule") },
  "PUT /lock-rules/{name}": {
    does: "Replaces a lock rule",
    takes: of("LockRuleInput"),
    answers: of("LockRule"),
  },
  "PATCH /lock-rules/{name}": {
    does: "Changes a lock rule (a JSON merge patch, RFC 7396)",
    takes: of("LockRuleFields"),
    answers: of("LockRule"),
  },
  "DELETE /lock-rules/{name}": { does: "Deletes a lock rule", answers: null, status: 204 },
};

const REFUSALS = {
  management: { description: "Refused", content: json(of("Envelope")) },
  own: {
    description: "Refused",
    content: { "application/problem+json": { schema: of("Problem") } },
  },
} as const;

const operationOf = (path: string, call: Call, refusals: keyof typeof REFUSALS): object => {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
  }));
  const inQuery = Object.entries(call.query ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    schema,
  }));
  const parameters = [...inPath, ...inQuery];
  const answer = call.answers === null ? {} : { content: json(call.answers) };
  return {
    summary: call.does,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(call.takes === undefined
      ? {}
      : { requestBody: { required: true, content: json(call.takes) } }),
    ...(call.isOpen === true ? { security: [] } : {}),
    responses: {
      [String(call.status ?? 200)]: { description: "Done", ...answer },
      default: REFUSALS[refusals],
    },
  };
};

const pathsOf = (): Readonly<Record<string, object>> => {
  const paths: Record<string, Record<string, object>> = {};
  const all = [
    { below: "/client/v4", calls: MANAGEMENT, refusals: "management" },
    { below: "/api", calls: OWN, refusals: "own" },
  ] as const;
  for (const { below, calls, refusals } of all)
    for (const [named, call] of Object.entries(calls)) {
      const [method = "", path = ""] = named.split(" ");
      const operations = (paths[below + path] ??= {});
      operations[method.toLowerCase()] = operationOf(path, call, refusals);
    }
  return paths;
};

const documentOf = (): object => ({
  openapi: "3.1.0",
  info: {
    title: "Seiriken: the operators' API",
    version: "4",
    summary: "Cloudflare's Waiting Room API, and what it lacks.",
  },
  servers: [{ url: "/.seiriken" }],
  security: [{ bearer: [] }, { key: [] }],
  paths: pathsOf(),
  components: {
    schemas,
    securitySchemes: {
      bearer: { type: "http", scheme: "bearer" },
      key: { type: "apiKey", in: "header", name: "X-Auth-Key" },
    },
  },
});

/** The text of openapi.gen.ts as it should be. */
export const buildOpenApi = (): string =>
  `/** Made by scripts/build-openapi.ts from the schemas: change those, then npm run docs. */\nexport const OPENAPI = ${JSON.stringify(
    JSON.stringify(documentOf()),
  )};\n`;
