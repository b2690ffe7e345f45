/** The calls of the operators' API. A test holds them against the routes. */
import { PAGE_LENGTH_MAX } from "../src/api/rooms/page-template.ts";
import { instant, listOf, objectOf, of, text, whole } from "./openapi-schemas.ts";
import type { JsonSchema } from "./schema-parts.ts";

export interface Call {
  readonly does: string;
  readonly takes?: JsonSchema;
  readonly query?: Readonly<Record<string, JsonSchema>>;
  readonly answers: JsonSchema | null;
  /** What the answer is where it is no JSON. */
  readonly media?: readonly string[];
  readonly status?: number;
  /** Answers this call only, and only who signs in by other means than a token. */
  readonly isOpen?: boolean;
}
type Calls = Readonly<Record<string, Call>>;

const enveloped = (result: JsonSchema): JsonSchema => ({
  allOf: [of("Envelope"), { properties: { result } }],
});

const PAGES = {
  page: { ...whole, minimum: 1 },
  per_page: { ...whole, minimum: 1, maximum: 1_000 },
};
const roomPage: Call = {
  does: "Rooms in the order of their making, in pages",
  query: PAGES,
  answers: enveloped(listOf(of("Room"))),
};
const verified: Call = {
  does: "Is this token good?",
  answers: enveloped(objectOf({ id: text, status: { const: "active" } })),
};

/** Cloudflare's API: its envelope, and its errors. Below `/client/v4`. */
export const MANAGEMENT: Calls = {
  "GET /user/tokens/verify": verified,
  "GET /accounts/{account}/tokens/verify": verified,
  "POST /graphql": {
    does: "viewer { zones { waitingRoomAnalyticsAdaptiveGroups } } of Cloudflare's GraphQL Analytics API",
    takes: {
      type: "object",
      properties: { query: text, variables: { type: "object" }, operationName: text },
      required: ["query"],
    },
    answers: objectOf({ data: { type: ["object", "null"] }, errors: { type: ["array", "null"] } }),
  },
  "GET /zones/{zone}/waiting_rooms": roomPage,
  "GET /accounts/{account}/waiting_rooms": roomPage,
  "POST /zones/{zone}/waiting_rooms": {
    does: "Makes a room",
    takes: of("RoomInput"),
    answers: enveloped(of("Room")),
  },
  "POST /zones/{zone}/waiting_rooms/preview": {
    does: "A link that shows a page of one's own for an hour",
    takes: objectOf({ custom_html: { type: "string", maxLength: PAGE_LENGTH_MAX } }),
    answers: enveloped(objectOf({ preview_url: text })),
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
  "GET /zones/{zone}/waiting_rooms/{room}/events": {
    does: "Events of a room in the order of their making, in pages, with their version as ETag",
    query: PAGES,
    answers: enveloped(listOf(of("Event"))),
  },
  "POST /zones/{zone}/waiting_rooms/{room}/events": {
    does: "Makes an event",
    takes: of("EventInput"),
    answers: enveloped(of("Event")),
  },
  "GET /zones/{zone}/waiting_rooms/{room}/events/{event}": {
    does: "An event, with its version as ETag; 304 where If-None-Match names it",
    answers: enveloped(of("Event")),
  },
  "GET /zones/{zone}/waiting_rooms/{room}/events/{event}/details": {
    does: "An event, with the room's settings where it sets none",
    answers: enveloped(of("Event")),
  },
  "PUT /zones/{zone}/waiting_rooms/{room}/events/{event}": {
    does: "Replaces an event's settings",
    takes: of("EventInput"),
    answers: enveloped(of("Event")),
  },
  "PATCH /zones/{zone}/waiting_rooms/{room}/events/{event}": {
    does: "Changes what the body names; null: as the room has it",
    takes: of("EventFields"),
    answers: enveloped(of("Event")),
  },
  "DELETE /zones/{zone}/waiting_rooms/{room}/events/{event}": {
    does: "Deletes an event; one that is on is over",
    answers: enveloped(objectOf({ id: text })),
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
export const OWN: Calls = {
  "GET /openapi.json": { does: "This document", answers: { type: "object" }, isOpen: true },
  "GET /rooms": {
    does: "Rooms with their status and the starts of their last minute (200 at most); with deleted=true those that were deleted within a day",
    query: { deleted: { const: "true" } },
    answers: {
      anyOf: [
        objectOf({ rooms: listOf(of("RoomOverview")), total: whole }),
        objectOf({ rooms: listOf(of("Room")) }),
      ],
    },
  },
  "POST /rooms/{room}/restore": { does: "Restores a deleted room", answers: of("Room") },
  "POST /rooms/{room}/revoke": {
    does: "Ends every visit; tickets stay",
    answers: objectOf({ room: text, revoked: whole }),
  },
  "DELETE /rooms/{room}/visits/{visit}": { does: "Ends a visit", answers: null, status: 204 },
  "GET /rooms/{room}/live": {
    does: "A WebSocket: how the room stands, each second while anything happens (docs/PROTOCOL.md)",
    answers: null,
    status: 101,
  },
  "GET /rooms/{room}/visitors/{visitor}": {
    does: "Where a visitor stands, found by its number, its visit or its reference",
    answers: { type: "object" },
  },
  "PATCH /rooms/{room}/visitors/{visitor}": {
    does: "Gives a visit or a called number more time, or forgets a number's missed calls",
    takes: {
      ...objectOf({
        more_minutes: { ...whole, minimum: 1, maximum: 60 },
        call_again: { const: true },
      }),
      required: [],
      minProperties: 1,
      maxProperties: 1,
    },
    answers: { type: "object" },
  },
  "DELETE /rooms/{room}/visitors/{visitor}": {
    does: "Ends a visitor's visit, or gives its place up",
    answers: null,
    status: 204,
  },
  "GET /rooms/{room}/history": {
    does: "A row for each minute in which anything happened",
    query: {
      minutes: { ...whole, minimum: 1, maximum: 10_080 },
      from: instant,
      to: instant,
      step: { enum: ["minute", "hour", "day"] },
      format: { enum: ["json", "csv"] },
    },
    answers: objectOf({ room: text, step: text, minutes: listOf({ type: "object" }) }),
  },
  "GET /rooms/{room}/pace": {
    does: "The limits in effect, the operator's, what lowers them, and the last 50 changes",
    answers: of("Pace"),
  },
  "PUT /rooms/{room}/pace": {
    does: "Lowers limits for a while, replacing what was signalled before",
    takes: of("PaceInput"),
    answers: of("Pace"),
  },
  "DELETE /rooms/{room}/pace": {
    does: "Takes back every signal, and opens what one has closed",
    answers: of("Pace"),
  },
  "PUT /rooms/{room}/draws/{event}": {
    does: "Makes the draw of an event by the text that was entered before witnesses",
    takes: objectOf({ text: { ...text, minLength: 1, maxLength: 1_000 } }),
    answers: { type: "object" },
  },
  "GET /keys": { does: "The names of the signing keys; the first signs", answers: of("Keys") },
  "POST /keys/rotate": { does: "Makes a new signing key", answers: of("Keys") },
  "DELETE /keys/{kid}": { does: "Revokes a signing key", answers: of("Keys") },
  "GET /tokens": {
    does: "The tokens of operators, as far as the caller's own covers their rooms",
    answers: objectOf({ tokens: listOf(of("Token")) }),
  },
  "POST /tokens": {
    does: "Makes a token, and shows it this once",
    takes: of("TokenInput"),
    answers: of("MadeToken"),
    status: 201,
  },
  "GET /tokens/{token}": { does: "A token, without what it is known by", answers: of("Token") },
  "DELETE /tokens/{token}": { does: "Revokes a token", answers: null, status: 204 },
  "GET /audit": {
    does: "Who changed what, the newest first",
    query: {
      ...{ room: text, by: text, action: text, from: instant, to: instant },
      before: { ...whole, minimum: 1 },
      limit: { ...whole, minimum: 1, maximum: 1_000 },
      format: { enum: ["json", "jsonl"] },
    },
    answers: objectOf({
      entries: listOf(of("AuditEntry")),
      next_before: { type: ["integer", "null"] },
    }),
  },
  "GET /webhooks": {
    does: "The webhooks; whoever may not change them sees whose their URLs are, and no more",
    answers: objectOf({ webhooks: listOf(of("Webhook")) }),
  },
  "POST /webhooks": {
    does: "Makes a webhook; its secret is told in this answer and never again",
    takes: of("WebhookInput"),
    answers: of("WebhookWithSecret"),
    status: 201,
  },
  "GET /webhooks/{id}": {
    does: "A webhook, with its version as ETag; 304 where If-None-Match names it",
    answers: of("Webhook"),
  },
  "PATCH /webhooks/{id}": {
    does: "Changes what the body names; null in types or rooms: all of them",
    takes: of("WebhookFields"),
    answers: of("Webhook"),
  },
  "DELETE /webhooks/{id}": {
    does: "Deletes a webhook and what waits for it",
    answers: null,
    status: 204,
  },
  "POST /webhooks/{id}/test": {
    does: "Sends a test alert now, once, and answers what came of it",
    answers: of("WebhookTry"),
  },
  "POST /webhooks/{id}/secret": {
    does: "Makes a new secret, told in this answer and never again; the one before signs too for a day",
    answers: of("WebhookWithSecret"),
  },
  "GET /webhooks/{id}/deliveries": {
    does: "The latest deliveries, the last first",
    query: { limit: { ...whole, minimum: 1, maximum: 1_000 } },
    answers: objectOf({ deliveries: listOf(of("Delivery")) }),
  },
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

/** What machines read besides. Below nothing. */
export const MACHINES: Calls = {
  "GET /metrics": {
    does: "Figures of every room, for monitoring: OpenMetrics, or the text format of Prometheus",
    answers: text,
    media: ["application/openmetrics-text", "text/plain"],
  },
};
