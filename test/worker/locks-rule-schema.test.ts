import { expect, test } from "vitest";
import { parseRule, lockRuleResource } from "../../src/api/lock-rules/schema.ts";
import { RuleTable } from "../../src/core/locks/rule-table.ts";
import { tokensOf } from "../../src/core/json/pointer.ts";
import { scalarAt } from "../../src/core/json/scalar.ts";

const orders = { name: "orders", key: { from: "header", name: "Idempotency-Key" } };

const rule = (more: Record<string, unknown> = {}) => {
  const parsed = parseRule({ ...orders, ...more });
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.problems));
  return parsed.rule;
};

test("[RULE-1] every default is filled in, and what was read can be sent back", () => {
  const resource = lockRuleResource(rule());
  expect(resource).toEqual({
    name: "orders",
    host: "*",
    path: "/",
    methods: ["POST", "PUT", "PATCH", "DELETE"],
    key: { from: "header", name: "Idempotency-Key", required: true },
    lease_seconds: 30,
    wait_seconds: 0,
    conflict_status: 409,
    idempotency: false,
    retention_seconds: 86_400,
    session: null,
    body_seconds: 300,
    created_at: "1970-01-01T00:00:00.000Z",
    modified_at: "1970-01-01T00:00:00.000Z",
  });
  expect(parseRule(resource).ok).toBe(true);
});

test("[RULE-2] every problem is told at once, with its place", () => {
  const parsed = parseRule({
    name: "Orders!",
    host: "https://shop.example",
    path: "orders?x",
    methods: ["GET"],
    key: { from: "body", name: "x", nmae: 1 },
    lease_seconds: 0,
    wait_seconds: 301,
    conflict_status: 500,
    retention_seconds: 59,
    leas: 1,
  });
  expect(parsed.ok ? [] : parsed.problems.map(({ keys }) => keys.join("."))).toEqual([
    "name",
    "host",
    "path",
    "methods.0",
    "key.from",
    "key.nmae",
    "lease_seconds",
    "wait_seconds",
    "conflict_status",
    "retention_seconds",
    "leas",
  ]);
});

test.each([
  [{ key: { from: "header", name: "a b" } }, "key.name"],
  [{ key: { from: "json", name: "order.id" } }, "key.name"],
  [{ key: { from: "json", name: "/a~2" } }, "key.name"],
  [{ key: { from: "query", name: "" } }, "key.name"],
  [{ key: { from: "path", name: "id" }, path: "/orders" }, "key.name"],
  [{ key: { from: "path", name: "id" }, path: "/a/:id/:id" }, "key.name"],
  [{ key: { from: "json", name: "/id" }, idempotency: true }, "key.from"],
  [{ session: { from: "query", name: "sid" } }, "session.from"],
  [{ session: { from: "cookie", name: "a b" } }, "session.name"],
  [{ session: { from: "cookie" } }, "session.name"],
  [{ session: "sid" }, "session"],
  [{ body_seconds: 0 }, "body_seconds"],
  [{ body_seconds: 3_601 }, "body_seconds"],
  [{ methods: [] }, "methods"],
  [null, ""],
])("[RULE-2] %j has its problem at %j", (more, at) => {
  const parsed = parseRule(more === null ? null : { ...orders, ...more });
  expect(parsed.ok ? [] : parsed.problems.map(({ keys }) => keys.join("."))).toEqual([at]);
});

const table = new RuleTable([
  rule({ name: "all" }),
  rule({ name: "orders", path: "/orders" }),
  rule({ name: "order", path: "/orders/:id" }),
  rule({ name: "new", path: "/orders/new" }),
  rule({ name: "pay", path: "/orders/:id/pay", methods: ["POST"] }),
  rule({ name: "host", path: "/orders/:id", host: "shop.example" }),
]);

test.each([
  ["POST", "a.example", "/", "all"],
  ["POST", "a.example", "/orders", "orders"],
  ["POST", "a.example", "/ordersx", "all"],
  ["POST", "a.example", "/orders/17", "order"],
  ["POST", "a.example", "/orders/17/items", "order"],
  ["POST", "a.example", "/orders/new", "new"],
  ["POST", "a.example", "/orders/17/pay", "pay"],
  ["PUT", "a.example", "/orders/17/pay", "order"],
  ["POST", "shop.example", "/orders/17", "host"],
  ["POST", "shop.example", "/orders/new", "new"],
  ["PROPFIND", "a.example", "/orders", null],
])("[RULE-3] %s %s%s: %s, the most specific", (method, host, path, name) => {
  const match = table.match(method, (named) => named === host, [path]);
  expect(match.kind === "one" ? match.rule.name : null).toBe(name);
});

test("[RULE-3] a path whose readings fall under two rules has no meaning", () => {
  const hosts = (named: string) => named === "a.example";
  expect(table.match("POST", hosts, ["/orders/new", "/orders/17"]).kind).toBe("several");
  expect(table.match("POST", hosts, ["/orders/1", "/orders/2"]).kind).toBe("one");
});

test.each([
  ['{"id":17}', "/id", "17"],
  ['{"id":"a b"}', "/id", "a b"],
  ['{"id":1.70e1}', "/id", "17"],
  ['{"id":true}', "/id", "true"],
  ['{"a":{"b":[1,{"c":"x"}]}}', "/a/b/1/c", "x"],
  ['{"a/b":{"~":"x"}}', "/a~1b/~0", "x"],
  ['{"":"x"}', "/", "x"],
  ['{"\\u0069d":"x"}', "/id", "x"],
  [' { "z" : [ ] , "id" : "x" } ', "/id", "x"],
  ['{"id":null}', "/id", "missing"],
  ['{"other":{"id":1}}', "/id", "missing"],
  ["[]", "/id", "missing"],
  ['"text"', "/id", "missing"],
  ['{"id":{"id":1}}', "/id", "not-scalar"],
  ['{"id":[]}', "/id", "not-scalar"],
  ['{"id":1,"id":2}', "/id", "twice"],
  ['{"a":{"id":1},"a":{"id":1}}', "/a/id", "twice"],
  ['{"id":1', "/id", "not-json"],
  ['{"id":01}', "/id", "not-json"],
  ['{"id":1,}', "/id", "not-json"],
  ["{'id':1}", "/id", "not-json"],
  ['{"id":1} x', "/id", "not-json"],
  ['{"id":"\n"}', "/id", "not-json"],
  ["", "/id", "not-json"],
])("[RULE-4] %s at %s: %s", (text, pointer, expected) => {
  const found = scalarAt(text, tokensOf(pointer));
  expect(found.kind === "found" ? found.text : found.kind).toBe(expected);
});

test.each([
  ['{"id":1,"deep":', "[", "]", 98, "found"],
  ['{"id":1,"deep":', "[", "]", 100_000, "not-json"],
  ['{"id":1,"deep":', '{"a":', "}", 100_000, "not-json"],
])("[RULE-5] %s… with %j, %j %i deep: %s", (start, open, close, depth, kind) => {
  const text = `${start}${open.repeat(depth)}${open === "[" ? "" : "1"}${close.repeat(depth)}}`;
  expect(scalarAt(text, ["id"]).kind).toBe(kind);
});

test("[RULE-5] a string of a megabyte is read in passing", () => {
  const text = JSON.stringify({ note: `\\"${"x".repeat(1_000_000)}\\n`, id: 17 });
  expect(scalarAt(text, ["id"])).toEqual({ kind: "found", text: "17" });
});
