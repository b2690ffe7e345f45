/** One thing to do, spelled in many ways: none of them gets past the lock of the first. */
import { expect, test } from "vitest";
import { GuardBench, heldAnswer } from "./locks-guard-harness.ts";

const JSON_TYPE = { "Content-Type": "application/json" };
const FORM_TYPE = { "Content-Type": "application/x-www-form-urlencoded" };
const PARTS_TYPE = { "Content-Type": "multipart/form-data; boundary=x" };

/** While the first one runs: the status or code of each further one. */
const whileRunning = async (
  rule: Record<string, unknown>,
  first: readonly [string, RequestInit],
  others: readonly (readonly [string, RequestInit])[],
): Promise<(string | number)[]> => {
  const bench = await GuardBench.with(rule);
  const held = heldAnswer();
  bench.origin = (_, nth) => (nth === 1 ? held.response : new Response("done"));
  const running = await bench.open(...first);
  const codes: (string | number)[] = [];
  for (const other of others) {
    const { status, code } = await bench.ask(...other);
    codes.push(code ?? status);
  }
  void held.end();
  await running.text();
  return codes;
};

const items = { path: "/items/:id", key: { from: "path", name: "id" } };

test.each([
  ["/items/5;x", "ambiguous-url"],
  ["/items/5;", "ambiguous-url"],
  ["/items/5.", "ambiguous-url"],
  ["/items/5%20", "ambiguous-url"],
  ["/items/5%2520", "ambiguous-url"],
  ["/items/%2535", "ambiguous-url"],
  ["/items/5%23x", "ambiguous-url"],
  ["/items/5%3fx", "ambiguous-url"],
  ["/items/5%00", "ambiguous-url"],
  ["/items/5%a0", "ambiguous-url"],
  ["/items/%35", "lock-conflict"],
  ["/items/%EF%BC%95", "lock-conflict"],
  ["/items/5%E2%80%8B", "lock-conflict"],
  ["//items//5/", "lock-conflict"],
  ["/ITEMS/5", "lock-conflict"],
  ["/x/../items/./5", "lock-conflict"],
  ["/items\\5", "lock-conflict"],
  ["/items%2f5", "lock-conflict"],
  ["/items/5/", "lock-conflict"],
  ["/items/5?x", "lock-conflict"],
  ["/items/6", 200],
])("[RULE-38] beside /items/5, %s: %s", async (spelled, code) => {
  expect(await whileRunning(items, ["/items/5", {}], [[spelled, {}]])).toEqual([code]);
});

test("[RULE-38] a segment with escapes is a key like any other", async () => {
  const others = ["/items/caf%c3%a9%20x", "/items/cafe%CC%81%20x"] as const;
  expect(
    await whileRunning(
      items,
      ["/items/caf%C3%A9%20x", {}],
      others.map((to) => [to, {}]),
    ),
  ).toEqual(["lock-conflict", "lock-conflict"]);
});

const header = { key: { from: "header", name: "X-Key" } };
const authorization = { key: { from: "header", name: "Authorization" } };
const idempotency = { key: { from: "header", name: "Idempotency-Key" } };
test.each([
  [header, "5", "5, 5", "lock-key-invalid"],
  [header, "5", "5,", "lock-key-invalid"],
  [header, "5", "\t 5 ", "lock-conflict"],
  [header, "5", "\u00a05", "lock-conflict"],
  [header, "5", "5\u0001", "lock-conflict"],
  [header, "5", "50", 200],
  [idempotency, "k", "k, k", "lock-key-invalid"],
  [idempotency, "k", '"k", "k"', "lock-key-invalid"],
  [authorization, "Bearer t", "bearer \t t", "lock-conflict"],
  [authorization, "Bearer t", "Bearer t, Bearer t", "lock-key-invalid"],
  [authorization, "Bearer t", "Bearer T", 200],
])("[RULE-36] %j: beside %j in the header, %j: %s", async (rule, one, other, code) => {
  const sent = (value: string): [string, RequestInit] => [
    "",
    { headers: { [rule.key.name]: value } },
  ];
  expect(await whileRunning(rule, sent(one), [sent(other)])).toEqual([code]);
});

test("[RULE-36] a header in two lines is no key", async () => {
  const bench = await GuardBench.with(header);
  const headers = new Headers({ "X-Key": "5" });
  headers.append("X-Key", "5");
  expect(await bench.ask("", { headers })).toMatchObject({ code: "lock-key-invalid" });
  expect(bench.seen).toHaveLength(0);
});

test.each([
  ["X_Key", "lock-key-invalid"],
  ["x.key", "lock-key-invalid"],
  ["X-Keys", 201],
])("[RULE-36] a gateway could take %s for X-Key: %s", async (other, expected) => {
  const bench = await GuardBench.with(header);
  const { status, code } = await bench.ask("", { headers: { "X-Key": "6", [other]: "5" } });
  expect(code ?? status).toBe(expected);
  const alone = await GuardBench.with({ key: { ...header.key, required: false } });
  const only = await alone.ask("", { headers: { [other]: "5" } });
  expect(only.code ?? only.status).toBe(expected);
});

test.each([
  ['{"id":5.0}', "lock-conflict"],
  ['{"id":50e-1}', "lock-conflict"],
  ['{"id":"5"}', "lock-conflict"],
  ['{"id":" ５\\ufeff"}', "lock-conflict"],
  ['\ufeff{"\\u0069d":5}', "lock-conflict"],
  ['{"id":5.00000000000000000001}', "lock-key-invalid"],
  ['{"id":"5\\u0000"}', "lock-key-invalid"],
  ['{"id":"\\u001f5\\u0085"}', "lock-conflict"],
  ['{"id":6,"id\\u0000x":5}', "lock-key-invalid"],
  ['{"id":6,"id":5}', "lock-key-invalid"],
  ['{"id":6,"ID":5}', "lock-key-invalid"],
  ['{"Id":5}', "lock-key-invalid"],
  ['{"id":6,"\\u0131d":5}', 200],
  ['{"id":6,"ıd":5}', 200],
  ['{"id":6,"\\uff49d":5}', "lock-key-invalid"],
])("[RULE-37] beside the JSON 5, %s: %s", async (body, code) => {
  const rule = { key: { from: "json", name: "/id" } };
  const first: [string, RequestInit] = ["", { body: '{"id":5}', headers: JSON_TYPE }];
  expect(await whileRunning(rule, first, [["", { body, headers: JSON_TYPE }]])).toEqual([code]);
});

test("[RULE-35] two large numbers beside each other are two keys", async () => {
  const rule = { key: { from: "json", name: "/id" } };
  const sent = (id: string): [string, RequestInit] => [
    "",
    { body: `{"id":${id}}`, headers: JSON_TYPE },
  ];
  expect(
    await whileRunning(rule, sent("1746829374650183680"), [
      sent("1746829374650183681"),
      sent("1746829374650183680"),
      sent('"1746829374650183680"'),
    ]),
  ).toEqual([200, "lock-conflict", "lock-conflict"]);
});

const pairs = [
  ["user_id=%35", "lock-conflict"],
  ["user_id=5+", "lock-conflict"],
  ["x=1&user_id=5", "lock-conflict"],
  ["user%5Fid=5", "lock-conflict"],
  ["user_id=6&user_id=5", "lock-key-invalid"],
  ["user_id=6&user.id=5", "lock-key-invalid"],
  ["user_id=6&User_Id=5", "lock-key-invalid"],
  ["user_id=6&user_id[]=5", "lock-key-invalid"],
  ["user_id=6&user_id%5b0%5d=5", "lock-key-invalid"],
  ["user_id=6&us%65r_id%00=5", "lock-key-invalid"],
  ["user_id=6;user_id=5", "lock-key-invalid"],
  ["x=1;user_id=5&user_id=6", "lock-key-invalid"],
  ["user_id=5;x", "lock-key-invalid"],
  ["user.id=5", "lock-key-invalid"],
  ["user_id=%2535", "lock-key-invalid"],
  ["user_id=%u0035", "lock-key-invalid"],
  ["user_id=5%", "lock-key-invalid"],
  ["user_id=5%FF", "lock-key-invalid"],
  ["user_id=5%00", "lock-key-invalid"],
  ["user_id=6&x=100%25&user=5", 200],
] as const;
test.each(pairs)("[RULE-37] beside the parameter user_id=5, %s: %s", async (query, code) => {
  const rule = { key: { from: "query", name: "user_id" } };
  expect(await whileRunning(rule, ["?user_id=5", {}], [[`?${query}`, {}]])).toEqual([code]);
});

test.each(pairs)("[RULE-37] beside the form's user_id=5, %s: %s", async (body, code) => {
  const rule = { key: { from: "form", name: "user_id" } };
  const sent = (text: string): [string, RequestInit] => ["", { body: text, headers: FORM_TYPE }];
  expect(await whileRunning(rule, sent("user_id=5"), [sent(body)])).toEqual([code]);
});

const part = (disposition: string, value = "5", more = "") =>
  `--x\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${value}\r\n`;
test.each([
  [part('name="id"'), "lock-conflict"],
  [part("name=id"), "body-invalid"],
  [part('name="id"', "6") + part('name="id"'), "lock-key-invalid"],
  [part('name="id"', "6") + part('name="ID"'), "lock-key-invalid"],
  [part('name="id"', "6") + part('name="id[]"'), "lock-key-invalid"],
  [part('name="id"', "6") + part('name="x"; name="id"'), "lock-key-invalid"],
  [part('name="x"; name="id"'), "lock-key-invalid"],
  [part('name="id"', "6") + part('name="x";\r\n\tname="id"'), "body-invalid"],
  [part('name="id"', "6") + part(`name="x"; name*=utf-8''id`), "lock-key-invalid"],
  [part('name="id"', "NQ==", "Content-Transfer-Encoding: base64\r\n"), "lock-key-invalid"],
  [part('name="id"; filename="f"'), "lock-key-invalid"],
  [part('name="f"; filename="id=5;name=id"', "x") + part('name="id"', "6"), 200],
])("[RULE-37] beside the multipart field id=5, %j: %s", async (parts, code) => {
  const rule = { key: { from: "form", name: "id" } };
  const sent = (text: string): [string, RequestInit] => [
    "",
    { body: `${text}--x--\r\n`, headers: PARTS_TYPE },
  ];
  expect(await whileRunning(rule, sent(part('name="id"')), [sent(parts)])).toEqual([code]);
});

test.each([
  ["application/json; charset=utf-16", "body-encoded"],
  ["application/x-www-form-urlencoded; charset=ibm037", "body-encoded"],
  ["multipart/form-data; boundary=x; boundary=y", "body-invalid"],
  ["application/x-www-form-urlencoded; charset=ISO-8859-1", "lock-key-invalid"],
])("[RULE-37] a body of type %s that would name é: %s", async (type, code) => {
  const from = type.includes("json") ? "json" : "form";
  const bench = await GuardBench.with({ key: { from, name: from === "json" ? "/id" : "id" } });
  const body = from === "json" ? '{"id":"é"}' : "id=%C3%A9";
  expect(await bench.ask("", { body, headers: { "Content-Type": type } })).toMatchObject({ code });
  expect(bench.seen).toHaveLength(0);
});

test("[RULE-37] forms of Latin-1 that name things in ASCII, and of UTF-8, are read", async () => {
  const rule = { key: { from: "form", name: "id" } };
  const sent = (charset: string): [string, RequestInit] => [
    "",
    {
      body: "id=5&x=%E9",
      headers: { "Content-Type": `application/x-www-form-urlencoded; charset=${charset}` },
    },
  ];
  const others = [sent("ISO-8859-1"), sent("utf8"), sent("UTF-8"), sent('"us-ascii"')];
  expect(await whileRunning(rule, sent("utf-8"), others)).toEqual(
    others.map(() => "lock-conflict"),
  );
});

test("[RULE-37] a form of more fields than anybody fills in is not read", async () => {
  const bench = await GuardBench.with({ key: { from: "form", name: "id" } });
  const ask = (fields: number) =>
    bench.ask("", { body: `id=5${"&".repeat(fields - 1)}`, headers: FORM_TYPE });
  expect((await ask(10_000)).status).toBe(201);
  expect(await ask(10_001)).toMatchObject({ code: "lock-key-invalid" });
});

test.each(["X-HTTP-Method-Override", "X_HTTP_Method", "X-Method-Override", "?_method"])(
  "[RULE-39] a POST that %s makes a DELETE is locked as one",
  async (how) => {
    const rule = { ...items, methods: ["DELETE"] };
    const over: [string, RequestInit] = how.startsWith("?")
      ? [`/items/5${how}=delete`, {}]
      : ["/items/5", { headers: { [how]: "delete" } }];
    expect(
      await whileRunning(rule, ["/items/5", { method: "DELETE" }], [over, ["/items/5", {}]]),
    ).toEqual(["lock-conflict", 200]);
  },
);

test("[RULE-39] a POST that falls under one rule and its override under another is refused", async () => {
  const bench = await GuardBench.with({ ...items, methods: ["DELETE"] });
  const { lockBench, newKey } = await import("./locks-harness.ts");
  const made = await lockBench().rules("POST", "", {
    ...items,
    name: newKey().slice(0, 40),
    path: `${bench.path}${items.path}`,
    methods: ["POST"],
  });
  expect(made.status).toBe(201);
  const headers = { "X-HTTP-Method-Override": "DELETE" };
  expect(await bench.ask("/items/5", { headers })).toMatchObject({
    status: 400,
    code: "ambiguous-method",
  });
  expect(bench.seen).toHaveLength(0);
});
