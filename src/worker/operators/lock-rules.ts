/** The lock rules' management: mounted at `/.seiriken/api/lock-rules`. */
import { Hono, type Context } from "hono";
import type { FieldProblem } from "../../core/field-problem.ts";
import type { LockRule } from "../../core/locks/rule.ts";
import type { LocksRpc, RuleReply } from "../../durable/locks/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { callObject } from "../isolate/call-object.ts";
import { differencesOf, fullDifferencesOf } from "../../core/differences.ts";
import type { SettingsChange } from "../../core/settings-change.ts";
import { unsafeIn } from "../../core/json/safe.ts";
import { needs, signedIn } from "../sign-in/needs.ts";
import { fieldErrorsOf } from "../answers/own-problem.ts";
import { audit, tellChange, type OperatorAct } from "./audit.ts";
import { ruleChanged } from "./lock-rule-change.ts";
import { jsonBody } from "./bodies.ts";
import { failsAs, isUnreachable, notAllowed, OperatorRefusal } from "./refusal.ts";
import { parseRule, lockRuleResource } from "../../api/lock-rules/schema.ts";
import { rulesObject } from "../isolate/lock-shards.ts";

const UNREACHABLE_RETRY_MS = 2_000;

type C = Context<AppContext>;

export const lockRulesApp = new Hono<AppContext>();

lockRulesApp.use(signedIn());

lockRulesApp.get("/", needs("read"), async (c) => {
  const rules = await listRules(c);
  return c.json({ rules: rules.map(lockRuleResource) });
});

lockRulesApp.post("/", needs("admin"), async (c) => {
  const rule = validRule(await jsonBody(c));
  await audit(c, ruleAct("lock-rule-created", rule.name, {}, lockRuleResource(rule)));
  const made = taken(await ask(c, (object) => object.createRule(rule)));
  c.var.isolate.lockRules.expire();
  tellRule(c, "lock-rule-created", {}, lockRuleResource(made), made.name);
  return c.json(lockRuleResource(made), 201, { Location: `${c.req.path}/${made.name}` });
});

lockRulesApp.get("/:name", needs("read"), async (c) => c.json(lockRuleResource(await findRule(c))));

/** Put: every setting anew. Patch: a JSON merge patch (RFC 7396), null takes one back to its default. */
const changeRule = (by: "put" | "patch") => async (c: C) => {
  const json = await jsonBody(c);
  const unsafe = unsafeIn(json);
  if (unsafe.length > 0) throw refusedFields(unsafe);
  const name = c.req.param("name") ?? "";
  await auditChange(c, await findRule(c), { by, json });
  const reply = await ask(c, (object) => object.changeRule(name, { by, json }));
  const after = taken(reply);
  c.var.isolate.lockRules.expire();
  const before = (reply.ok ? reply.before : null) ?? after;
  if (before.modifiedAt !== after.modifiedAt)
    tellRule(c, "lock-rule-changed", lockRuleResource(before), lockRuleResource(after), after.name);
  return c.json(lockRuleResource(after));
};
lockRulesApp.put("/:name", needs("admin"), changeRule("put"));
lockRulesApp.patch("/:name", needs("admin"), changeRule("patch"));

lockRulesApp.delete("/:name", needs("admin"), async (c) => {
  const rule = await findRule(c);
  await audit(c, ruleAct("lock-rule-deleted", rule.name, lockRuleResource(rule), {}));
  const name = taken(await ask(c, (object) => object.deleteRule(rule.name)));
  c.var.isolate.lockRules.expire();
  tellRule(c, "lock-rule-deleted", {}, {}, name);
  return new Response(null, { status: 204 });
});

lockRulesApp.all("/", (c) => notAllowed(c, "GET, POST"));
lockRulesApp.all("/:name", (c) => notAllowed(c, "GET, PUT, PATCH, DELETE"));
lockRulesApp.all("*", () => {
  throw new OperatorRefusal("not-found");
});

lockRulesApp.onError(
  failsAs({
    code: "locks-unavailable",
    event: "lock-rules-unreachable",
    retryAfterMs: UNREACHABLE_RETRY_MS,
    isIt: isUnreachable,
  }),
);

const ruleAct = (
  action: OperatorAct["action"],
  target: string,
  before: object,
  after: object,
): OperatorAct => ({ action, target, differences: fullDifferencesOf(before, after) });

/** What the change makes of the rule as it stands now. What the object will refuse is no entry. */
const auditChange = async (c: C, before: LockRule, change: SettingsChange): Promise<void> => {
  const after = ruleChanged(before, change);
  if (!after.ok) return;
  const [old, now] = [lockRuleResource(before), lockRuleResource(after.value)];
  const act = ruleAct("lock-rule-changed", before.name, old, now);
  if (Object.keys(act.differences?.changes ?? {}).length > 0) await audit(c, act);
};

const tellRule = (
  c: C,
  action: "lock-rule-created" | "lock-rule-changed" | "lock-rule-deleted",
  before: object,
  after: object,
  target: string,
): void => {
  const { changes, more } = differencesOf(before, after);
  const rest = more === 0 ? {} : { more };
  tellChange(c, { action, target, changes, ...rest });
};

const ask = <T>(c: C, call: (object: LocksRpc) => Promise<T>): Promise<T> => {
  if (c.env.LOCKS === undefined) throw new OperatorRefusal("not-found");
  return callObject(c.var.isolate.ports, () => call(rulesObject(c.env)));
};

const listRules = async (c: C): Promise<readonly LockRule[]> =>
  (await ask(c, (object) => object.rules(null)))?.rules ?? [];

const findRule = async (c: C): Promise<LockRule> => {
  const name = c.req.param("name") ?? "";
  const found = (await listRules(c)).find((rule) => rule.name === name);
  if (found === undefined) throw new OperatorRefusal("rule-not-found");
  return found;
};

const validRule = (json: unknown): LockRule => {
  const parsed = parseRule(json);
  if (!parsed.ok) throw refusedFields(parsed.problems);
  return parsed.rule;
};

const refusedFields = (problems: readonly FieldProblem[]): OperatorRefusal =>
  new OperatorRefusal("rule-invalid", { errors: fieldErrorsOf(problems) });

const REPLY_CODES = {
  "not-found": "rule-not-found",
  "name-taken": "rule-exists",
  "too-many": "too-many-rules",
  "modified-since": "rule-changed",
} as const;

const taken = <T>(reply: RuleReply<T>): T => {
  if (reply.ok) return reply.value;
  if (reply.problem === "invalid") throw refusedFields(reply.problems);
  throw new OperatorRefusal(REPLY_CODES[reply.problem]);
};
