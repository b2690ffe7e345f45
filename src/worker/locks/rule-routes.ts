/** The lock rules' management: mounted at `/.seiriken/api/lock-rules`. */
import { Hono, type Context } from "hono";
import type { LockRule } from "../../core/locks/rule.ts";
import type { LocksRpc, RuleReply } from "../../durable/locks-contract.ts";
import type { AppContext } from "../context.ts";
import { callObject, UnreachableError } from "../isolate/call-object.ts";
import { isRecord } from "../management/fields.ts";
import { firstJsonError } from "../management/json-position.ts";
import { pointer, type FieldProblem } from "../management/schema.ts";
import { adminOnly } from "../middleware/bearer.ts";
import { readBounded } from "./body.ts";
import { lockProblem, type FieldError } from "./problems.ts";
import { parseRule, ruleResource } from "./rule-schema.ts";
import { rulesObject } from "./shards.ts";

const BODY_BYTES_MAX = 16_384;
const UNREACHABLE_RETRY_MS = 2_000;
/** How often a patch is laid on anew when others change the same rule at the same moment. */
const PATCH_TRIES = 3;

type C = Context<AppContext>;

/** A "no" of these routes, thrown inside them. */
class Refused extends Error {
  readonly code: Parameters<typeof lockProblem>[1];
  readonly errors: readonly FieldError[] | null;

  constructor(
    code: Parameters<typeof lockProblem>[1],
    errors: readonly FieldError[] | null = null,
  ) {
    super(code);
    this.code = code;
    this.errors = errors;
  }
}

export const lockRulesApp = new Hono<AppContext>();

lockRulesApp.use(adminOnly);

lockRulesApp.get("/", async (c) => {
  const rules = await listRules(c);
  return c.json({ rules: rules.map(ruleResource) });
});

lockRulesApp.post("/", async (c) => {
  const rule = validRule(await jsonOf(c));
  const made = taken(await ask(c, (object) => object.createRule(rule)));
  c.var.isolate.lockRules.expire();
  return c.json(ruleResource(made), 201, { Location: `${c.req.path}/${made.name}` });
});

lockRulesApp.get("/:name", async (c) => c.json(ruleResource(await findRule(c))));

lockRulesApp.put("/:name", async (c) => {
  const json = await jsonOf(c);
  const rule = validRule(named(json, c.req.param("name")));
  const after = taken(await ask(c, (object) => object.replaceRule(rule)));
  c.var.isolate.lockRules.expire();
  return c.json(ruleResource(after));
});

/** A JSON merge patch (RFC 7396): null takes a setting back to its default. */
lockRulesApp.patch("/:name", async (c) => {
  const json = await jsonOf(c);
  if (!isRecord(json)) throw refusedFields([{ keys: [], message: "must be an object" }]);
  for (let tries = 1; ; tries += 1) {
    const before = await findRule(c);
    const rule = validRule(named(merged({ ...ruleResource(before) }, json), before.name));
    const reply = await ask(c, (object) => object.replaceRule(rule, before.modifiedAt));
    const raced = !reply.ok && reply.problem === "modified-since";
    if (raced && tries < PATCH_TRIES) continue;
    c.var.isolate.lockRules.expire();
    return c.json(ruleResource(taken(reply)));
  }
});

lockRulesApp.delete("/:name", async (c) => {
  taken(await ask(c, (object) => object.deleteRule(c.req.param("name"))));
  c.var.isolate.lockRules.expire();
  return new Response(null, { status: 204 });
});

lockRulesApp.all("/", (c) => notAllowed(c, "GET, POST"));
lockRulesApp.all("/:name", (c) => notAllowed(c, "GET, PUT, PATCH, DELETE"));
lockRulesApp.all("*", () => {
  throw new Refused("not-found");
});

lockRulesApp.onError((error, c) => {
  const { arrival, isolate } = c.var;
  if (error instanceof Refused)
    return lockProblem(arrival, error.code, error.errors === null ? {} : { errors: error.errors });
  if (!(error instanceof UnreachableError)) throw error;
  const { reference } = arrival;
  const reason = error.message;
  isolate.ports.log({ level: "error", event: "lock-rules-unreachable", reference, reason });
  return lockProblem(arrival, "locks-unavailable", { retryAfterMs: UNREACHABLE_RETRY_MS });
});

const notAllowed = (c: C, allow: string): Response =>
  lockProblem(c.var.arrival, "method-not-allowed", { headers: { Allow: allow } });

const ask = <T>(c: C, call: (object: LocksRpc) => Promise<T>): Promise<T> => {
  if (c.env.LOCKS === undefined) throw new Refused("not-found");
  return callObject(c.var.isolate.ports, () => call(rulesObject(c.env)));
};

const listRules = async (c: C): Promise<readonly LockRule[]> =>
  (await ask(c, (object) => object.rules(null)))?.rules ?? [];

const findRule = async (c: C): Promise<LockRule> => {
  const name = c.req.param("name");
  const found = (await listRules(c)).find((rule) => rule.name === name);
  if (found === undefined) throw new Refused("rule-not-found");
  return found;
};

/** The name is the rule's identity, for its locks go by it: a body may repeat it, not change it. */
const named = (json: unknown, name: string): unknown => {
  if (!isRecord(json)) return json;
  if ((json["name"] ?? name) === name) return { ...json, name };
  throw refusedFields([
    { keys: ["name"], message: "can't be changed; make a new rule and delete this one" },
  ]);
};

const validRule = (json: unknown): LockRule => {
  const parsed = parseRule(json);
  if (!parsed.ok) throw refusedFields(parsed.problems);
  return parsed.rule;
};

const refusedFields = (problems: readonly FieldProblem[]): Refused =>
  new Refused(
    "rule-invalid",
    problems.map(({ keys, message }) => ({ pointer: pointer(keys), detail: message })),
  );

const REPLY_CODES = {
  "not-found": "rule-not-found",
  "name-taken": "rule-exists",
  "too-many": "too-many-rules",
  "modified-since": "rule-changed",
} as const;

const taken = <T>(reply: RuleReply<T>): T => {
  if (reply.ok) return reply.value;
  throw new Refused(REPLY_CODES[reply.problem]);
};

const jsonOf = async (c: C): Promise<unknown> => {
  const body = await readBounded(c.req.raw, BODY_BYTES_MAX);
  if (body === "too-large") throw new Refused("body-too-large");
  const text = new TextDecoder().decode(body);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const at = firstJsonError(text);
    const detail = at === null ? "is not JSON" : `line ${at.line}, column ${at.column}`;
    throw new Refused("not-json", [{ pointer: "", detail }]);
  }
};

const merged = (onto: Record<string, unknown>, patch: Record<string, unknown>) => {
  const result = { ...onto };
  for (const [key, value] of Object.entries(patch)) {
    const inner = onto[key];
    if (value === null) delete result[key];
    else result[key] = isRecord(value) ? merged(isRecord(inner) ? inner : {}, value) : value;
  }
  return result;
};
