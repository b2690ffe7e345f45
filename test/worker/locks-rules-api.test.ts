import { expect, test } from "vitest";
import { lockBench, type Answered } from "./locks-harness.ts";

const { rules } = lockBench();
const orders = {
  name: "orders",
  path: "/orders",
  key: { from: "header", name: "Idempotency-Key" },
};

const problem = ({ status, json, headers }: Answered) => {
  expect(headers.get("Content-Type")).toBe("application/problem+json");
  return { status, code: json.code as string };
};

test("[RULE-6] rules are made, listed, read, edited and deleted", async () => {
  const made = await rules("POST", "", orders);
  expect(made).toMatchObject({ status: 201, json: { ...orders, key: { required: true } } });
  expect(made.headers.get("Location")).toBe("/.seiriken/api/lock-rules/orders");
  expect((await rules("GET", "/orders")).json).toEqual(made.json);
  expect((await rules("GET", "")).json).toEqual({ rules: [made.json] });

  const patched = await rules("PATCH", "/orders", { wait_seconds: 5, key: { required: false } });
  expect(patched.json).toMatchObject({
    wait_seconds: 5,
    key: { from: "header", name: "Idempotency-Key", required: false },
    created_at: made.json.created_at,
  });
  expect(Date.parse(patched.json.modified_at)).toBeGreaterThan(Date.parse(made.json.modified_at));
  const back = await rules("PATCH", "/orders", { wait_seconds: null });
  expect(back.json).toMatchObject({ wait_seconds: 0 });
  const put = await rules("PUT", "/orders", orders);
  expect(put.json).toMatchObject({ key: { required: true } });
  expect((await rules("PUT", "/orders", put.json)).json).toEqual(put.json);

  expect((await rules("DELETE", "/orders")).status).toBe(204);
  expect(problem(await rules("DELETE", "/orders"))).toEqual({
    status: 404,
    code: "rule-not-found",
  });
  expect((await rules("GET", "")).json).toEqual({ rules: [] });
});

test("[RULE-33] fifty patches of a rule at once all succeed, and a put undoes none of them", async () => {
  const name = "busy";
  await rules("POST", "", { ...orders, name });
  const patches = Array.from({ length: 50 }, (_, n) => ({ wait_seconds: n + 1 }));
  const answers = await Promise.all([
    rules("PATCH", `/${name}`, { lease_seconds: 77 }),
    ...patches.map((patch) => rules("PATCH", `/${name}`, patch)),
  ]);
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const stamps = answers.map(({ json }) => json.modified_at as string);
  expect(new Set(stamps).size).toBe(51);
  const { json } = await rules("GET", `/${name}`);
  const last = answers.find((answer) => answer.json.modified_at === json.modified_at);
  expect(last?.json).toEqual(json);
  expect(json).toMatchObject({ lease_seconds: 77 });
  await rules("DELETE", `/${name}`);
});

test.each(["POST", "PUT", "PATCH"])(
  "[RULE-34] %s: no depth and no name breaks a rule",
  async (method) => {
    const name = `safe-${method.toLowerCase()}`;
    if (method !== "POST") await rules("POST", "", { ...orders, name });
    const path = method === "POST" ? "" : `/${name}`;
    const deep = `${'{"created_at":'.repeat(1_000)}1${"}".repeat(1_000)}`;
    const answer = await rules(method, path, deep);
    expect(problem(answer)).toEqual({ status: 400, code: "rule-invalid" });
    const pointers = (answered: Answered) =>
      answered.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers(answer)).toContain("/created_at".repeat(32));
    for (const word of ["__proto__", "constructor", "prototype"]) {
      const named = await rules(
        method,
        path,
        `{"${word}":{"lease_seconds":9},"key":{"${word}":1}}`,
      );
      expect(problem(named)).toEqual({ status: 400, code: "rule-invalid" });
      expect(pointers(named)).toEqual(expect.arrayContaining([`/${word}`, `/key/${word}`]));
    }
    await rules("DELETE", `/${name}`);
  },
);

test("[RULE-7] what is wrong with a rule is told whole, and nothing changes", async () => {
  const answer = await rules("POST", "", { name: "x", lease_seconds: 0, extra: 1 });
  expect(problem(answer)).toEqual({ status: 400, code: "rule-invalid" });
  expect(answer.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
    "/key",
    "/lease_seconds",
    "/extra",
  ]);
  expect(problem(await rules("POST", "", '{"name":'))).toEqual({ status: 400, code: "not-json" });
  expect(problem(await rules("POST", "", `"${"x".repeat(20_000)}"`))).toEqual({
    status: 413,
    code: "body-too-large",
  });
  expect((await rules("GET", "")).json).toEqual({ rules: [] });
});

test("[RULE-8] a name is taken once, and never changes", async () => {
  await rules("POST", "", { ...orders, name: "once" });
  expect(problem(await rules("POST", "", { ...orders, name: "once" }))).toEqual({
    status: 409,
    code: "rule-exists",
  });
  expect(problem(await rules("PATCH", "/once", { name: "twice" }))).toEqual({
    status: 400,
    code: "rule-invalid",
  });
  expect(problem(await rules("PUT", "/nobody", { ...orders, name: "nobody" }))).toEqual({
    status: 404,
    code: "rule-not-found",
  });
  await rules("DELETE", "/once");
});

test("[RULE-9] patches at the same moment lose nothing", async () => {
  await rules("POST", "", { ...orders, name: "race" });
  const patches = [{ wait_seconds: 7 }, { lease_seconds: 77 }, { conflict_status: 423 }];
  await Promise.all(patches.map((patch) => rules("PATCH", "/race", patch)));
  expect((await rules("GET", "/race")).json).toMatchObject({
    wait_seconds: 7,
    lease_seconds: 77,
    conflict_status: 423,
  });
  await rules("DELETE", "/race");
});

test("[RULE-10] only the administrator comes near", async () => {
  expect(problem(await rules("GET", "", undefined, "wrong"))).toEqual({
    status: 401,
    code: "unauthorized",
  });
  const off = lockBench({ env: { ADMIN_TOKEN: "" } });
  expect(problem(await off.rules("GET", ""))).toEqual({ status: 404, code: "not-found" });
  const none = lockBench({ env: { LOCKS: undefined } as never });
  expect(problem(await none.rules("GET", ""))).toEqual({ status: 404, code: "not-found" });
  expect(problem(await rules("PUT", ""))).toEqual({ status: 405, code: "method-not-allowed" });
  expect(problem(await rules("GET", "/a/b"))).toEqual({ status: 404, code: "not-found" });
});

test("[RULE-11] there are at most 200 rules", async () => {
  for (let i = 0; i < 200; i += 1) await rules("POST", "", { ...orders, name: `rule-${i}` });
  expect(problem(await rules("POST", "", { ...orders, name: "one-more" }))).toEqual({
    status: 409,
    code: "too-many-rules",
  });
});
