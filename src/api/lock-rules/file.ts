/** locks.json: an array of lock rules in the API's shape. Free of Worker imports. */
import { firstJsonError } from "../json-position.ts";
import type { FileProblem } from "../rooms/file.ts";
import { jsonPath } from "../rooms/schema.ts";
import { parseRule } from "./schema.ts";

/** A rule as it stands in the file: valid, and without the defaults filled in. */
export type RuleJson = Readonly<Record<string, unknown>> & { readonly name: string };

export type ParsedRules =
  | { readonly ok: true; readonly rules: readonly RuleJson[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

const RULES_MAX = 200;

/** Every problem at once; line and column where it is no JSON at all. */
export const parseRulesText = (text: string): ParsedRules => {
  const bare = text.replace(/^\uFEFF/, "");
  try {
    return parseRules(JSON.parse(bare));
  } catch {
    const at = firstJsonError(bare);
    return refuse(at === null ? "" : `line ${at.line}, column ${at.column}`, "is not JSON");
  }
};

const parseRules = (json: unknown): ParsedRules => {
  if (!Array.isArray(json)) return refuse("", 'must be an array of rules: [{"name": …, "key": …}]');
  if (json.length > RULES_MAX) return refuse("", `must have at most ${RULES_MAX} rules`);
  const problems: FileProblem[] = [];
  const names = new Map<string, number>();
  for (const [index, rule] of json.entries()) {
    const parsed = parseRule(rule);
    if (!parsed.ok) {
      for (const { keys, message } of parsed.problems)
        problems.push({ path: jsonPath([index, ...keys]), message });
      continue;
    }
    const namesake = names.get(parsed.rule.name);
    if (namesake === undefined) names.set(parsed.rule.name, index);
    else
      problems.push({
        path: jsonPath([index, "name"]),
        message: `is the name of [${namesake}] too`,
      });
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rules: json as RuleJson[] };
};

const refuse = (path: string, message: string): ParsedRules => ({
  ok: false,
  problems: [{ path, message }],
});
