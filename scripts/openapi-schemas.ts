/** What calls of the operators' API take and answer, as JSON Schema made from the schemas that the Worker reads by. */
import { ERROR_CODES } from "../src/api/envelope.ts";
import { eventSchema } from "../src/api/events/schema.ts";
import { listedRuleSchema, newRuleSchema } from "../src/api/rules/schema.ts";
import { RULES_MAX } from "../src/core/rules/bypass-rule.ts";
import { ruleSchema } from "../src/api/lock-rules/schema.ts";
import { paceSchema } from "../src/api/rooms/pace.ts";
import { roomSchema } from "../src/api/rooms/schema.ts";
import { tokenSchema } from "../src/api/tokens/schema.ts";
import { webhookChangeSchema, webhookSchema } from "../src/api/webhooks/schema.ts";
import { ALERT_WORDS } from "../src/api/webhooks/words.ts";
import { ALERT_TYPES } from "../src/core/alerts/alert.ts";
import { zoneSettingsSchema } from "../src/api/zone-settings.ts";
import { jsonSchemaOf } from "./schema-parts.ts";
import type { JsonSchema, Part } from "./schema-parts.ts";

export const of = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` });
export const listOf = (items: JsonSchema): JsonSchema => ({ type: "array", items });
export const text: JsonSchema = { type: "string" };
export const whole: JsonSchema = { type: "integer" };
export const instant: JsonSchema = { type: "string", format: "date-time" };
export const objectOf = (properties: Readonly<Record<string, JsonSchema>>): JsonSchema => ({
  type: "object",
  properties,
  required: Object.keys(properties),
});

const room = jsonSchemaOf(roomSchema as unknown as Part);
const rule = jsonSchemaOf(ruleSchema as unknown as Part);
const bypassRule = jsonSchemaOf(newRuleSchema as unknown as Part);
const listedRule = jsonSchemaOf(listedRuleSchema as unknown as Part);
const event = jsonSchemaOf(eventSchema as unknown as Part);
const pace = jsonSchemaOf(paceSchema as unknown as Part);
const paceLimits = objectOf({
  permits: whole,
  starts_per_second: { type: ["integer", "null"] },
  new_users_per_minute: whole,
});
const token = jsonSchemaOf(tokenSchema as unknown as Part);
const webhook = jsonSchemaOf(webhookSchema as unknown as Part);
const webhookChange = jsonSchemaOf(webhookChangeSchema as unknown as Part);
const orNull = (schema: JsonSchema): JsonSchema => ({ oneOf: [schema, { type: "null" }] });
const id: JsonSchema = { type: "string", pattern: "^[0-9a-f]{32}$" };

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

const webhookTry = objectOf({
  at: instant,
  status: orNull(whole),
  took_ms: whole,
  problem: orNull(text),
});

const webhookState = {
  id,
  off_reason: { enum: ["gone", "failing", null] },
  failing_since: orNull(instant),
  dropped: whole,
  created_at: instant,
  modified_at: instant,
};

const note = {
  ...objectOf({ code: { enum: Object.values(ERROR_CODES) }, message: text }),
  properties: {
    code: { enum: Object.values(ERROR_CODES) },
    message: text,
    source: objectOf({ pointer: text }),
  },
};

export const SCHEMAS = {
  RuleFields: fieldsOf(bypassRule),
  RuleInput: neededOf("RuleFields", bypassRule),
  ListedRuleFields: fieldsOf(listedRule),
  ListedRuleInput: neededOf("ListedRuleFields", listedRule),
  Rule: answered("ListedRuleFields", listedRule, { id, version: text, last_updated: instant }),
  Rules: { ...listOf(of("Rule")), maxItems: RULES_MAX },
  RulesInput: { ...listOf(of("ListedRuleInput")), maxItems: RULES_MAX },
  EventFields: fieldsOf(event),
  EventInput: neededOf("EventFields", event),
  Event: answered("EventFields", event, { id, created_on: instant, modified_on: instant }),
  RoomFields: fieldsOf(room),
  RoomInput: neededOf("RoomFields", room),
  Room: answered("RoomFields", room, {
    id,
    created_on: instant,
    modified_on: instant,
  }),
  ZoneSettings: jsonSchemaOf(zoneSettingsSchema as unknown as Part),
  Status: status,
  RoomOverview: objectOf({
    id,
    name: text,
    description: text,
    host: text,
    path: text,
    modified_on: instant,
    status: { anyOf: [of("Status"), { type: "null" }] },
    starts_last_minute: { ...listOf(whole), maxItems: 60 },
  }),
  LockRuleFields: fieldsOf(rule),
  LockRuleInput: neededOf("LockRuleFields", rule),
  LockRule: answered("LockRuleFields", rule, { created_at: instant, modified_at: instant }),
  WebhookFields: fieldsOf(webhookChange),
  WebhookInput: neededOf("WebhookFields", webhook),
  Webhook: answered("WebhookFields", webhook, webhookState),
  WebhookWithSecret: { allOf: [of("Webhook"), objectOf({ secret: text })] },
  WebhookTry: webhookTry,
  Delivery: objectOf({
    id: text,
    type: { oneOf: ALERT_TYPES.map((type) => ({ const: type, description: ALERT_WORDS[type] })) },
    state: { enum: ["waiting", "delivered", "failed"] },
    noted_at: instant,
    tries: whole,
    next_try_at: orNull(instant),
    last_try: orNull(of("WebhookTry")),
  }),
  Keys: objectOf({ source: { enum: ["registry", "secret"] }, keys: listOf(text) }),
  PaceInput: pace,
  Pace: objectOf({
    ...{ room: text, at: instant, in_effect: paceLimits, operator: paceLimits },
    signals: objectOf({ api: { type: ["object", "null"] }, origin: { type: ["object", "null"] } }),
    adaptive: { type: "object" },
    closed_by: { enum: ["api", "origin", null] },
    changes: listOf({ type: "object" }),
  }),
  TokenFields: fieldsOf(token),
  TokenInput: neededOf("TokenFields", token),
  Token: answered("TokenFields", token, { id, made_at: instant, made_by: text }),
  MadeToken: { allOf: [of("Token"), objectOf({ token: text })] },
  AuditEntry: objectOf({
    id: whole,
    at: instant,
    by: objectOf({ id, name: text }),
    network: { type: ["string", "null"] },
    reference: text,
    action: text,
    room: { anyOf: [objectOf({ id, name: text }), { type: "null" }] },
    target: { type: ["string", "null"] },
    changes: {
      type: "object",
      additionalProperties: { type: "array", minItems: 2, maxItems: 2 },
    },
    left_out: listOf(text),
  }),
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
