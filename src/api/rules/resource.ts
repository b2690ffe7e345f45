import type { BypassRule } from "../../core/rules/bypass-rule.ts";
import { fieldsAsked } from "../../core/rules/fields-asked.ts";
import { parseExpression } from "../../core/rules/parse.ts";
import { rfc3339 } from "../../core/time.ts";
import { ACTION } from "./schema.ts";

/** A rule as the API answers it. */
export interface RuleResource {
  readonly id: string;
  readonly version: string;
  readonly action: typeof ACTION;
  readonly expression: string;
  readonly description: string;
  readonly enabled: boolean;
  readonly last_updated: string;
}

export const ruleResource = (rule: BypassRule): RuleResource => ({
  id: rule.id,
  version: String(rule.version),
  action: ACTION,
  expression: rule.expression,
  description: rule.description,
  enabled: rule.enabled,
  last_updated: rfc3339(rule.updatedAt),
});

/** The fields of an expression that only Cloudflare's edge can tell, each once. */
export const edgeFieldsOf = ({ expression }: BypassRule): readonly string[] => {
  const parsed = parseExpression(expression);
  if (!parsed.ok) return [];
  const names = fieldsAsked(parsed.expression).flatMap(({ name, isEdges }) =>
    isEdges ? name : [],
  );
  return [...new Set(names)];
};
