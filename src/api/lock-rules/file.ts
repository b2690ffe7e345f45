/** locks.json: an array of lock rules in the API's shape. Free of Worker imports. */
import { inFile, listInText, Namesakes, type FileProblem } from "../list-file.ts";
import { parseRule } from "./schema.ts";

/** A rule as it stands in the file: valid, and without the defaults filled in. */
export type LockRuleJson = Readonly<Record<string, unknown>> & { readonly name: string };

export type ParsedRules =
  | { readonly ok: true; readonly rules: readonly LockRuleJson[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

const KIND = { of: "rules", example: '[{"name": …, "key": …}]', lengthMax: 200 };

/** Every problem at once; line and column where it is no JSON at all. */
export const parseRulesText = (text: string): ParsedRules => {
  const list = listInText(text, KIND);
  if (!list.ok) return list;
  const problems: FileProblem[] = [];
  const names = new Namesakes();
  for (const [index, rule] of list.entries.entries()) {
    const parsed = parseRule(rule);
    if (!parsed.ok) {
      problems.push(...parsed.problems.map((problem) => inFile(index, problem)));
      continue;
    }
    const namesake = names.problemOf(parsed.rule.name, index);
    if (namesake !== null) problems.push(namesake);
  }
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, rules: list.entries as readonly LockRuleJson[] };
};
