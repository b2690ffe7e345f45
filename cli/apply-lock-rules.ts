import { readFileSync } from "node:fs";
import { parseRulesText, type LockRuleJson } from "../src/api/lock-rules/file.ts";
import { describe, Failure } from "./launch/failure.ts";
import type { LockRulesClient } from "./lock-rules-client.ts";

export interface AppliedRule {
  readonly name: string;
  readonly action: "created" | "updated" | "unchanged" | "deleted";
}

/** Every problem of the file at once, each with its path. `-` is standard input. */
export const readRulesFile = (path: string): readonly LockRuleJson[] => {
  let text: string;
  try {
    text = readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (thrown) {
    throw new Failure("locks-file", `${path} can't be read: ${describe(thrown)}`);
  }
  const parsed = parseRulesText(text);
  if (parsed.ok) return parsed.rules;
  const lines = parsed.problems.map((problem) => `${problem.path} ${problem.message}`.trim());
  throw new Failure("locks-file", `${path} has problems; nothing was changed`, lines);
};

/** Makes the rules like the file, by name. With `prune`, rules that it does not name go first. */
export const applyLockRules = async (
  client: Pick<LockRulesClient, "list" | "create" | "replace" | "delete">,
  rules: readonly LockRuleJson[],
  { prune, onApplied }: { prune: boolean; onApplied: (applied: AppliedRule) => void },
): Promise<void> => {
  const existing = new Map((await client.list()).map((rule) => [rule.name, rule]));
  const named = new Set(rules.map(({ name }) => name));
  for (const name of existing.keys()) {
    if (!prune || named.has(name)) continue;
    await client.delete(name);
    onApplied({ name, action: "deleted" });
  }
  for (const rule of rules) {
    const before = existing.get(rule.name);
    const after = before === undefined ? await client.create(rule) : await client.replace(rule);
    const isSame = before?.modified_at === after.modified_at;
    const action = before === undefined ? "created" : isSame ? "unchanged" : "updated";
    onApplied({ name: rule.name, action });
  }
};
