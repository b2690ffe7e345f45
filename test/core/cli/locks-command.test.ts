import { describe, expect, test } from "vitest";
import { applyLockRules } from "../../../cli/apply-lock-rules.ts";
import { Failure } from "../../../cli/launch/failure.ts";
import { parseLocksCommand } from "../../../cli/locks-command.ts";
import { parseRulesText, type LockRuleJson } from "../../../src/api/lock-rules/file.ts";

const env = { ADMIN_TOKEN: "admin", LOCK_TOKEN: "lock" };
const parse = (line: string) => parseLocksCommand(line.split(" "), env);

describe("[RULE-30] npm run locks", () => {
  test.each([
    ["apply locks.json", { kind: "apply", file: "locks.json", prune: false }],
    ["apply - --prune", { kind: "apply", file: "-", prune: true }],
    ["list --json", { kind: "list", json: true }],
    ["delete orders", { kind: "delete", name: "orders" }],
    ["holders rule:orders", { kind: "holders", namespace: "rule:orders", json: false }],
    ["--help", { kind: "help" }],
  ])("%s", (line, expected) => {
    expect(parse(line)).toMatchObject(expected);
  });

  test("rules want the ADMIN_TOKEN, holders the LOCK_TOKEN", () => {
    expect(parse("list")).toMatchObject({ deployment: { token: "admin" } });
    expect(parse("holders a")).toMatchObject({ deployment: { token: "lock" } });
    expect(parse("holders a --token t")).toMatchObject({ deployment: { token: "t" } });
  });

  test.each([
    "apply",
    "apply a b",
    "list x",
    "delete",
    "holders",
    "frobnicate",
    "list --prune",
    "x",
  ])("%s is called wrongly", (line) => {
    expect(() => parse(line)).toThrow(Failure);
  });
});

const key = { from: "header", name: "Idempotency-Key" };

describe("[RULE-29] locks.json", () => {
  test("every problem is told with its place", () => {
    const parsed = parseRulesText(
      JSON.stringify([
        { name: "a", key },
        { name: "A", key },
        { name: "a", key, x: 1 },
      ]),
    );
    expect(parsed.ok ? [] : parsed.problems.map(({ path }) => path)).toEqual(["[1].name", "[2].x"]);
    const twice = parseRulesText(
      JSON.stringify([
        { name: "a", key },
        { name: "a", key },
      ]),
    );
    expect(twice.ok ? [] : twice.problems).toEqual([
      { path: "[1].name", message: "is the name of [0] too" },
    ]);
  });

  test.each([
    ["{}", ""],
    ["[\n{]", "line 2, column 2"],
    [JSON.stringify(Array.from({ length: 201 }, () => ({}))), ""],
  ])("%#: a file that is none", (text, path) => {
    const parsed = parseRulesText(text);
    expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.path)).toEqual([path]);
  });

  test("rules are made like the file, and others go only when asked", async () => {
    const there = new Map([
      ["same", { name: "same", modified_at: "1" }],
      ["old", { name: "old", modified_at: "1" }],
      ["gone", { name: "gone", modified_at: "1" }],
    ]);
    const client = {
      list: () => Promise.resolve([...there.values()]),
      create: (rule: LockRuleJson) => Promise.resolve({ ...rule, modified_at: "1" }),
      replace: (rule: LockRuleJson) =>
        Promise.resolve({ ...rule, modified_at: rule.name === "same" ? "1" : "2" }),
      delete: () => Promise.resolve(),
    };
    const rules = ["same", "old", "new"].map((name) => ({ name }));
    for (const prune of [false, true]) {
      const applied: string[] = [];
      await applyLockRules(client as never, rules, {
        prune,
        onApplied: ({ name, action }) => applied.push(`${action} ${name}`),
      });
      const deleted = prune ? ["deleted gone"] : [];
      expect(applied).toEqual([...deleted, "unchanged same", "updated old", "created new"]);
    }
  });
});

test.each([
  ['"__proto__":{"idempotency":true}', "[0].__proto__"],
  ['"created_at":{"constructor":1}', "[0].created_at.constructor"],
  [`"created_at":${"[".repeat(32)}1${"]".repeat(32)}`, `[0].created_at${"[0]".repeat(31)}`],
])("[RULE-34] a rule of a file with %s has its problem there", (field, path) => {
  const parsed = parseRulesText(`[{"name":"a","key":{"from":"header","name":"K"},${field}}]`);
  expect(parsed.ok ? [] : parsed.problems.map((problem) => problem.path)).toEqual([path]);
});
