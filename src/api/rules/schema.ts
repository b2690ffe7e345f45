/**
 * The rules of a room in the management API: Cloudflare's
 * (https://developers.cloudflare.com/api/resources/waiting_rooms/subresources/rules/).
 */
import * as v from "valibot";
import type { FieldProblem } from "../../core/field-problem.ts";
import { DESCRIPTION_LENGTH_MAX, RULES_MAX } from "../../core/rules/bypass-rule.ts";
import { EXPRESSION_LENGTH_MAX, parseExpression } from "../../core/rules/parse.ts";
import type { RulePosition, RuleSettings } from "../../core/rules/rule-list.ts";
import {
  exactly,
  flag,
  isRecord,
  listOf,
  matching,
  oneOf,
  settings,
  text,
  whole,
} from "../fields.ts";
import { PLACE_WORDS, POSITION_WORDS, RULE_WORDS } from "./words.ts";
import { unsafeIn } from "../../core/json/safe.ts";

export const ACTION = "bypass_waiting_room";

const expression = v.pipe(
  v.custom<string>((value) => typeof value === "string", "must be an expression"),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const parsed = parseExpression(dataset.value);
    if (parsed.ok) return;
    const { column, message } = parsed.problem;
    addIssue({ message: `is no expression: column ${column}: ${message}` });
  }),
  v.metadata({ shape: { type: "string", maxLength: EXPRESSION_LENGTH_MAX } }),
);

const id = matching(/^[0-9a-f]{32}$/, "must be the id of a rule, 32 hexadecimal digits");
const idOrNone = matching(/^([0-9a-f]{32})?$/, "must be the id of a rule, or empty");

const position = v.pipe(
  settings(POSITION_WORDS, {
    index: v.optional(whole(1, RULES_MAX)),
    before: v.optional(idOrNone),
    after: v.optional(idOrNone),
  }),
  v.check(
    (given) => isRecord(given) && Object.keys(given).length === 1,
    'must be one of {"index": 1}, {"before": …} and {"after": …}',
  ),
);

/** What a rule can say of itself; what is read-only is taken and dropped. */
const FIELDS = {
  action: oneOf([ACTION]),
  expression,
  description: v.nullish(text(DESCRIPTION_LENGTH_MAX), ""),
  enabled: v.nullish(flag, true),
  version: v.optional(v.unknown()),
  last_updated: v.optional(v.unknown()),
};

export const newRuleSchema = settings(
  { ...RULE_WORDS, ...PLACE_WORDS },
  { ...FIELDS, id: v.optional(v.unknown()), position: v.nullish(position) },
);
export const listedRuleSchema = settings(RULE_WORDS, { ...FIELDS, id: v.nullish(id) });
const ruleEdit = exactly({
  ...FIELDS,
  action: v.optional(FIELDS.action),
  expression: v.optional(expression),
  description: v.optional(FIELDS.description),
  enabled: v.optional(FIELDS.enabled),
  id: v.optional(v.unknown()),
  position: v.nullish(position),
});

export type RuleReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export interface PlacedRule {
  readonly settings: RuleSettings;
  readonly position: RulePosition | null;
}

export const readNewRule = (json: unknown): RuleReading<PlacedRule> =>
  read(newRuleSchema, json, (rule) => ({
    settings: settingsOf(rule),
    position: positionOf(rule.position),
  }));

export const readRuleList = (
  json: unknown,
): RuleReading<readonly { readonly named: string | null; readonly settings: RuleSettings }[]> =>
  read(listOf(listedRuleSchema, RULES_MAX), json, (rules) =>
    rules.map((rule) => ({ named: rule.id ?? null, settings: settingsOf(rule) })),
  );

/** Only what it names is to change. */
export const readRuleEdit = (
  json: unknown,
): RuleReading<{
  readonly settings: Partial<RuleSettings>;
  readonly position: RulePosition | null;
}> =>
  read(ruleEdit, json, (edit) => ({
    settings: {
      ...(edit.expression === undefined ? {} : { expression: edit.expression }),
      ...(edit.description === undefined ? {} : { description: edit.description }),
      ...(edit.enabled === undefined ? {} : { enabled: edit.enabled }),
    },
    position: positionOf(edit.position),
  }));

const read = <Schema extends v.GenericSchema, T>(
  schema: Schema,
  json: unknown,
  valueOf: (given: v.InferOutput<Schema>) => T,
): RuleReading<T> => {
  const unsafe = unsafeIn(json);
  if (unsafe.length > 0) return { ok: false, problems: unsafe };
  const result = v.safeParse(schema, json);
  if (result.success) return { ok: true, value: valueOf(result.output) };
  const problems = result.issues.map((issue) => ({
    keys: (issue.path ?? []).map((item) => item.key as string | number),
    message: issue.message,
  }));
  return { ok: false, problems };
};

const settingsOf = ({ expression: given, description, enabled }: RuleSettings): RuleSettings => ({
  expression: given,
  description,
  enabled,
});

type PositionGiven =
  | { index?: number | undefined; before?: string | undefined; after?: string | undefined }
  | null
  | undefined;

const positionOf = (given: PositionGiven): RulePosition | null => {
  if (given === null || given === undefined) return null;
  if (given.index !== undefined) return { index: given.index };
  if (given.before !== undefined) return { before: given.before || null };
  return { after: given.after || null };
};
