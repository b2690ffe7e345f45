/** What a PUT or a PATCH makes of a lock rule. The object that owns the rules runs it with its write. */
import type { LockRule } from "../../core/locks/rule.ts";
import type { ChangeOf } from "../../core/settings-change.ts";
import { isRecord } from "../../api/fields.ts";
import { merged } from "../../api/merge-patch.ts";
import { parseRule, lockRuleResource } from "../../api/lock-rules/schema.ts";

/** The name is the rule's identity, for its locks go by it: a body may repeat it, not change it. */
export const ruleChanged: ChangeOf<LockRule> = (before, { by, json }) => {
  if (!isRecord(json)) return { ok: false, problems: [{ keys: [], message: "must be an object" }] };
  const { name } = before;
  if ((json["name"] ?? name) !== name) return { ok: false, problems: [OTHER_NAME] };
  const whole = by === "put" ? json : merged({ ...lockRuleResource(before) }, json);
  const parsed = parseRule({ ...whole, name });
  return parsed.ok ? { ok: true, value: parsed.rule } : { ok: false, problems: parsed.problems };
};

const OTHER_NAME = {
  keys: ["name"],
  message: "can't be changed; make a new rule and delete this one",
} as const;
