import { expect, test } from "vitest";
import { shardOf } from "../../src/core/locks/name.ts";
import { nameOf } from "../durable/locks-objects.ts";
import { lockBench, newKey, type Answered } from "./locks-harness.ts";
import { moment } from "../durable/moment.ts";

const bench = lockBench();
const { locks } = bench;

const problem = (answer: Answered) => {
  expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
  expect(answer.headers.get("Cache-Control")).toContain("no-store");
  return { status: answer.status, code: answer.json.code as string };
};

test("[LOCK-4] POST takes a lock, and says what it is", async () => {
  const key = newKey();
  const taken = await locks("POST", `orders/${key}`, { body: { lease_seconds: 60 } });
  expect(taken.status).toBe(201);
  expect(Object.keys(taken.json)).toEqual(["namespace", "key", "owner", "fence", "lease_until"]);
  expect(taken.json).toMatchObject({ namespace: "orders", key });
  expect(taken.json.owner).toMatch(/^[\w-]{22}$/);
  const leftMs = Date.parse(taken.json.lease_until) - Date.now();
  expect(leftMs).toBeGreaterThan(55_000);
  expect(leftMs).toBeLessThanOrEqual(60_000);
});

test("[LOCK-5] a second one gets 409 with Retry-After, and the lock still stands", async () => {
  const key = newKey();
  const { json } = await locks("POST", `orders/${key}`);
  const refused = await locks("POST", `orders/${key}`);
  expect(problem(refused)).toEqual({ status: 409, code: "lock-held" });
  expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(refused.text).not.toContain(json.owner);
  const again = await locks("POST", `orders/${key}`, { owner: json.owner });
  expect(again).toMatchObject({ status: 200, json: { owner: json.owner, fence: json.fence } });
});

test("[LOCK-7] PATCH renews for the holder only", async () => {
  const key = newKey();
  const { json } = await locks("POST", `orders/${key}`);
  const renewed = await locks("PATCH", `orders/${key}`, {
    owner: json.owner,
    body: { lease_seconds: 3_600 },
  });
  expect(renewed).toMatchObject({ status: 200, json: { fence: json.fence } });
  expect(Date.parse(renewed.json.lease_until)).toBeGreaterThan(Date.now() + 3_500_000);
  const foreign = await locks("PATCH", `orders/${key}`, { owner: "x".repeat(22) });
  expect(problem(foreign)).toEqual({ status: 410, code: "lock-lost" });
});

test("[LOCK-9] DELETE frees for the holder only, and again says the same", async () => {
  const key = newKey();
  const { json } = await locks("POST", `orders/${key}`);
  const foreign = await locks("DELETE", `orders/${key}`, { owner: "x".repeat(22) });
  expect(problem(foreign)).toEqual({ status: 410, code: "lock-lost" });
  expect((await locks("POST", `orders/${key}`)).status).toBe(409);
  expect((await locks("DELETE", `orders/${key}`, { owner: json.owner })).status).toBe(204);
  expect((await locks("DELETE", `orders/${key}`, { owner: json.owner })).status).toBe(204);
  const next = await locks("POST", `orders/${key}`);
  expect(next.json.fence).toBeGreaterThan(json.fence);
});

test("[WAIT-2] wait_seconds waits in line", async () => {
  const key = newKey();
  const { json } = await locks("POST", `orders/${key}`);
  const waits = locks("POST", `orders/${key}`, { body: { wait_seconds: 20 } });
  await moment(50);
  await locks("DELETE", `orders/${key}`, { owner: json.owner });
  expect((await waits).json.fence).toBeGreaterThan(json.fence);
});

test("[WAIT-4] the same owner asking again ends the older question", async () => {
  const key = newKey();
  await locks("POST", `orders/${key}`);
  const owner = "o".repeat(22);
  const older = locks("POST", `orders/${key}`, { owner, body: { wait_seconds: 20 } });
  await moment(50);
  const newer = locks("POST", `orders/${key}`, { owner, body: { wait_seconds: 1 } });
  expect(problem(await older)).toEqual({ status: 409, code: "lock-taken-over" });
  expect(problem(await newer)).toEqual({ status: 409, code: "lock-held" });
});

test.each([
  ["%6frder 17", "order 17"],
  ["Order-17", "Order-17"],
  ["a%2Fb", "a/b"],
  ["a%252Fb", "a%2Fb"],
  ["..%2F..%2Fx", "../../x"],
  ["%E6%B3%A8", "注"],
  ["x;y=1", "x;y=1"],
])("[SERVICE-1] the key %s is %j, to the letter", async (spelled, key) => {
  const namespace = newKey();
  const taken = await locks("POST", `${namespace}/${spelled}`);
  expect(taken).toMatchObject({ status: 201, json: { namespace, key } });
});

test.each([
  ["a NUL", "orders/a%00b"],
  ["a line feed", "orders/a%0Ab"],
  ["DEL", "orders/%7F"],
  ["half a character", "orders/%ff"],
  ["an empty key", "orders/"],
  ["an empty namespace", "/17"],
  ["a third segment", "orders/a/b"],
  ["a stray escape", "orders/%zz"],
  ["257 bytes", `orders/${"x".repeat(257)}`],
  ["a key of 10 KB", `orders/${"x".repeat(10_240)}`],
  ["a namespace of 10 KB", `${"x".repeat(10_240)}/17`],
  ["nothing", ""],
])("[SERVICE-2] with %s no lock is named", async (_, path) => {
  expect(problem(await locks("POST", path))).toEqual({ status: 400, code: "lock-name-invalid" });
});

test.each([
  ["{", [""]],
  ["[]", [""]],
  [{ lease_seconds: 0 }, ["/lease_seconds"]],
  [
    { lease_seconds: 3_601, wait_seconds: -1, lease: 1 },
    ["/lease_seconds", "/wait_seconds", "/lease"],
  ],
  [{ wait_seconds: 301 }, ["/wait_seconds"]],
  [{ wait_seconds: 1.5 }, ["/wait_seconds"]],
  ["[".repeat(400), [""]],
])("[SERVICE-3] the body %j has problems at %j", async (body, pointers) => {
  const answer = await locks("POST", `orders/${newKey()}`, { body });
  expect(problem(answer)).toEqual({ status: 400, code: "lock-body-invalid" });
  const errors = answer.json.errors as { pointer: string }[];
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

test("[SERVICE-3] what a body says depends on what it is sent for, however often it came", async () => {
  const path = `orders/${newKey()}`;
  const body = { lease_seconds: 60, wait_seconds: 0 };
  for (let time = 0; time < 3; time += 1) {
    const { owner } = (await locks("POST", path, { body })).json as { owner: string };
    const renewed = await locks("PATCH", path, { body, owner });
    expect(problem(renewed)).toEqual({ status: 400, code: "lock-body-invalid" });
    expect((await locks("DELETE", path, { owner })).status).toBe(204);
  }
});

test("[SERVICE-3] a body beyond its bound is refused", async () => {
  const body = `{"wait_seconds":${" ".repeat(5_000)}1}`;
  const answer = await locks("POST", `orders/${newKey()}`, { body });
  expect(problem(answer)).toEqual({ status: 400, code: "lock-body-invalid" });
});

test.each([
  ["POST", "short"],
  ["PATCH", undefined],
  ["DELETE", undefined],
  ["DELETE", "x".repeat(129)],
])("[SERVICE-4] %s by the owner %j", async (method, owner) => {
  const asking = owner === undefined ? {} : { owner };
  const answer = await locks(method, `orders/${newKey()}`, asking);
  expect(problem(answer)).toEqual({ status: 400, code: "owner-invalid" });
});

test.each([
  [null, 401, "unauthorized"],
  ["wrong", 401, "unauthorized"],
  ["a-lock-token-for-test", 401, "unauthorized"],
  ["a-lock-token-for-testsx", 401, "unauthorized"],
  ["x".repeat(5_000), 401, "unauthorized"],
])("[SERVICE-5] with the token %j: %i", async (token, status, code) => {
  const answer = await locks("POST", "orders/17", { token });
  expect(problem(answer)).toEqual({ status, code });
  expect(answer.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
});

test.each([[{ LOCK_TOKEN: "" }], [{ LOCKS: undefined }]])(
  "[SERVICE-5] without its secret or its objects the service is not there",
  async (env) => {
    const off = lockBench({ env: env as never });
    const answer = await off.locks("POST", "orders/17", { token: "" });
    expect(problem(answer)).toEqual({ status: 404, code: "not-found" });
  },
);

test.each([[254], [255], [1_000]])("[SERVICE-5] a token of %i characters", async (length) => {
  const token = "t".repeat(length);
  const { locks: ask } = lockBench({ env: { LOCK_TOKEN: token } });
  const key = newKey();
  expect((await ask("POST", `orders/${key}`, { token })).status).toBe(201);
  for (const wrong of [token.slice(1), `${token}t`, token.replace(/t$/, "x")])
    expect((await ask("POST", `orders/${key}`, { token: wrong })).status).toBe(401);
});

test("[SERVICE-6] other methods, plain GETs and namespaces of rules are refused", async () => {
  expect(problem(await locks("PUT", "orders/17"))).toEqual({
    status: 405,
    code: "method-not-allowed",
  });
  expect((await locks("PUT", "orders/17")).headers.get("Allow")).toBe("GET, POST, PATCH, DELETE");
  expect((await locks("POST", "orders")).headers.get("Allow")).toBe("GET");
  expect(problem(await locks("GET", "orders/17"))).toEqual({
    status: 426,
    code: "upgrade-required",
  });
  expect(problem(await locks("POST", "rule:orders/17"))).toEqual({
    status: 403,
    code: "lock-reserved",
  });
});

test("[LOCK-13] GET of a namespace lists holders, waiters and ages over all shards", async () => {
  const namespace = newKey();
  const keys = ["d", "a", "c", "b"];
  expect(new Set(keys.map((key) => shardOf(nameOf(key, namespace)))).size).toBeGreaterThan(1);
  const taken = await Promise.all(keys.map((key) => locks("POST", `${namespace}/${key}`)));
  const wait = locks("POST", `${namespace}/c`, { body: { wait_seconds: 20 } });
  await moment(50);
  const { status, json, text } = await locks("GET", namespace);
  expect(status).toBe(200);
  expect(json).toMatchObject({ namespace, total: 4, waiting: 1 });
  expect(json.locks.map(({ key }: { key: string }) => key)).toEqual(["a", "b", "c", "d"]);
  expect(json.locks[2]).toMatchObject({
    state: "held",
    by: "lease",
    fence: taken[2]!.json.fence,
    held_seconds: expect.any(Number),
    waiting: 1,
    waiting_seconds: expect.any(Number),
  });
  for (const { json: hold } of taken) expect(text).not.toContain(hold.owner);
  await locks("DELETE", `${namespace}/c`, { owner: taken[2]!.json.owner });
  await wait;
});

test("[SERVICE-7] GET with an upgrade is the lock's socket", async () => {
  const path = `/.seiriken/locks/orders/${newKey()}`;
  const headers = { Upgrade: "websocket", Authorization: "Bearer a-lock-token-for-tests" };
  const { status, webSocket } = await bench.fetch(path, { headers });
  expect(status).toBe(101);
  const messages: string[] = [];
  webSocket!.addEventListener("message", ({ data }) => void messages.push(String(data)));
  webSocket!.accept();
  for (let i = 0; i < 100 && messages.length === 0; i += 1) await scheduler.wait(10);
  const granted = JSON.parse(messages[0] ?? "{}");
  expect(granted).toEqual({ type: "granted", owner: granted.owner, fence: granted.fence });
  expect((await bench.fetch(path, { headers: { ...headers, Authorization: "" } })).status).toBe(
    401,
  );
  webSocket!.close(1000, "bye");
});
