/** The shape of a lock rule in the API and in locks.json. Runs in the Worker and on the command line. */
import * as v from "valibot";
import type { FieldProblem } from "../../core/field-problem.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import { instant, rfc3339, SECOND_MS } from "../../core/time.ts";
import {
  routeHostOf,
  routePathOf,
  documentBy,
  flag,
  hostField,
  HTTP_TOKEN,
  listOf,
  matching,
  oneOf,
  orNone,
  pathField,
  settings,
  whole,
} from "../fields.ts";
import { segmentsOf } from "../../core/url/path-segments.ts";
import { RULE_KEY_WORDS, RULE_SESSION_WORDS, RULE_WORDS } from "./words.ts";

const LEASE_SECONDS_MAX = 3_600;
const WAIT_SECONDS_MAX = 300;
const BODY_SECONDS_MAX = 3_600;
const BODY_SECONDS_DEFAULT = 300;
const DAY_SECONDS = 86_400;
/** They change nothing (RFC 9110, 9.2.1), or are not requests for the origin. */
const NEVER_LOCKED = /^(?!(?:GET|HEAD|OPTIONS|TRACE|CONNECT)$)[A-Z]{1,20}$/;

const keySchema = settings(RULE_KEY_WORDS, {
  from: oneOf(["header", "query", "path", "json", "form"]),
  name: v.pipe(
    matching(/^[^\p{Cc}]{0,256}$/u, "must be a text of at most 256 characters"),
    v.string(),
  ),
  required: v.nullish(flag, true),
});

const sessionSchema = settings(RULE_SESSION_WORDS, {
  from: oneOf(["cookie", "header"]),
  name: matching(HTTP_TOKEN, "must be the name of a cookie or header"),
});

export const ruleSchema = settings(RULE_WORDS, {
  name: matching(/^[a-z0-9_-]{1,64}$/, "must be 1 to 64 of a-z, 0-9, - and _"),
  host: v.nullish(hostField, "*"),
  path: v.nullish(pathField, "/"),
  methods: v.nullish(
    v.pipe(
      listOf(matching(NEVER_LOCKED, 'must be a method that changes something, such as "POST"'), 16),
      v.minLength(1, "must name at least one method"),
    ),
    ["POST", "PUT", "PATCH", "DELETE"],
  ),
  key: keySchema,
  lease_seconds: v.nullish(whole(1, LEASE_SECONDS_MAX), 30),
  wait_seconds: v.nullish(whole(0, WAIT_SECONDS_MAX), 0),
  conflict_status: v.nullish(oneOf([409, 422, 423]), 409),
  idempotency: v.nullish(flag, false),
  retention_seconds: v.nullish(whole(60, 7 * DAY_SECONDS), DAY_SECONDS),
  session: orNone(sessionSchema),
  body_seconds: v.nullish(whole(1, BODY_SECONDS_MAX), BODY_SECONDS_DEFAULT),
  // Read-only in the API: taken and dropped, so that what was read can be sent back.
  created_at: v.optional(v.unknown()),
  modified_at: v.optional(v.unknown()),
});
type RuleInput = v.InferOutput<typeof ruleSchema>;

export type ParsedRule =
  | { readonly ok: true; readonly rule: LockRule }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads one rule and reports every problem at once. Its instants are for the store to set. */
export const parseRule = (json: unknown): ParsedRule => {
  const read = documentBy(ruleSchema, json, problemsBetween);
  return read.ok ? { ok: true, rule: ruleOf(read.output) } : read;
};

/** RFC 6901. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)+$/;

const problemsBetween = (rule: RuleInput): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const { from, name } = rule.key;
  const wrongName = (message: string) => problems.push({ keys: ["key", "name"], message });
  if (from === "header" && !HTTP_TOKEN.test(name)) wrongName("must be an HTTP header name");
  if (from === "json" && !JSON_POINTER.test(name))
    wrongName('must be a JSON pointer such as "/order/id"');
  if ((from === "query" || from === "form") && name === "") wrongName("must not be empty");
  const segments = segmentsOf(rule.path);
  if (from === "path" && segments.filter((one) => one === `:${name.toLowerCase()}`).length !== 1)
    wrongName(`must be the name of one :segment of the path, such as "id" in "/orders/:id"`);
  if (rule.idempotency && from !== "header")
    problems.push({
      keys: ["key", "from"],
      message:
        'must be "header" with idempotency: the client makes the key up, and keeps it secret',
    });
  return problems;
};

const ruleOf = (input: RuleInput): LockRule => ({
  name: input.name,
  host: routeHostOf(input.host) ?? "*",
  path: routePathOf(input.path) ?? "/",
  methods: [...new Set(input.methods)],
  key: {
    from: input.key.from,
    name: input.key.from === "path" ? input.key.name.toLowerCase() : input.key.name,
    required: input.key.required,
  },
  leaseMs: input.lease_seconds * SECOND_MS,
  waitMs: input.wait_seconds * SECOND_MS,
  conflictStatus: input.conflict_status,
  idempotency: input.idempotency,
  retentionMs: input.retention_seconds * SECOND_MS,
  session: input.session,
  bodyMs: input.body_seconds * SECOND_MS,
  createdAt: instant(0),
  modifiedAt: instant(0),
});

/** A rule as the API gives it. */
export const lockRuleResource = (rule: LockRule) => ({
  name: rule.name,
  host: rule.host,
  path: rule.path,
  methods: rule.methods,
  key: rule.key,
  lease_seconds: rule.leaseMs / SECOND_MS,
  wait_seconds: rule.waitMs / SECOND_MS,
  conflict_status: rule.conflictStatus,
  idempotency: rule.idempotency,
  retention_seconds: rule.retentionMs / SECOND_MS,
  session: rule.session,
  body_seconds: rule.bodyMs / SECOND_MS,
  created_at: rfc3339(rule.createdAt),
  modified_at: rfc3339(rule.modifiedAt),
});
export type LockRuleResource = ReturnType<typeof lockRuleResource>;
