import { expect, test } from "vitest";
import { GuardBench, heldAnswer } from "./locks-guard-harness.ts";
import { eventually } from "../support/eventually.ts";
import { moment } from "../durable/moment.ts";

const until = async (holds: () => boolean): Promise<void> => {
  for (let i = 0; i < 500 && !holds(); i += 1) await scheduler.wait(10);
  expect(holds()).toBe(true);
};

// S3, case by case: what is called and what is not, and whether the key is free afterwards.

test("[RULE-12] S3 (1) refused: the operation is not called, and the holder's lock still stands", async () => {
  const bench = await GuardBench.with();
  const held = heldAnswer();
  bench.origin = () => held.response;
  const first = bench.open("", { headers: { "Idempotency-Key": "17" } });
  await until(() => bench.seen.length === 1);
  for (let i = 0; i < 3; i += 1) {
    const refused = await bench.keyed("17");
    expect(refused).toMatchObject({ status: 409, code: "lock-conflict" });
    expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  }
  expect(bench.seen).toHaveLength(1);
  void held.end();
  await (await first).text();
  await bench.keyed("17");
  expect(bench.seen).toHaveLength(2);
});

test.each([
  ["(2) fails before it answers", () => Promise.reject(new Error("refused"))],
  ["(3) fails with 500", () => new Response("broken", { status: 500 })],
  ["(3) answers 404", () => new Response(null, { status: 404 })],
  ["(4) succeeds", () => new Response("done", { status: 200 })],
  ["(4) redirects", () => new Response(null, { status: 303, headers: { Location: "/" } })],
])("[RULE-13] S3 the operation %s: the key is free afterwards", async (_, origin) => {
  const bench = await GuardBench.with();
  bench.origin = origin;
  await bench.keyed("17");
  await bench.keyed("17");
  expect(bench.seen).toHaveLength(2);
  const [first, second] = bench.seen;
  expect(second!.fence).toBeGreaterThan(first!.fence!);
});

test("[RULE-13] S3 (3) the answer breaks off: the key is free afterwards", async () => {
  const bench = await GuardBench.with();
  const held = heldAnswer();
  bench.origin = () => held.response;
  const first = await bench.open("", { headers: { "Idempotency-Key": "17" } });
  const reading = first.text().catch(() => "broken off");
  void held.write("half");
  await moment(20);
  void held.fail();
  expect(await reading).toBe("broken off");
  await bench.settled();
  bench.origin = () => new Response("done");
  expect((await bench.keyed("17")).text).toBe("done");
});

test("[RULE-14] S3 (5) of two at once one runs, and the other gets the conflict at once", async () => {
  const bench = await GuardBench.with();
  let isOneAnswered = false;
  bench.origin = async () => {
    await eventually(() => isOneAnswered);
    return new Response("done");
  };
  const both = [bench.keyed("17"), bench.keyed("17")];
  void Promise.race(both).then(() => (isOneAnswered = true));
  const answers = await Promise.all(both);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
  expect(bench.seen).toHaveLength(1);
});

test("[RULE-15] S3 (6) the holder dies: its lease frees the key, after the lock-delay", async () => {
  const bench = await GuardBench.with({ lease_seconds: 1 });
  // A Worker that dies renews no more: its lock is taken by hand, and left alone.
  const { acquire, nameOf } = await import("../durable/locks-objects.ts");
  const name = nameOf("17", `rule:${bench.name}`);
  expect(await acquire(name, "dead", { leaseMs: 1_000 })).toMatchObject({ kind: "granted" });
  expect((await bench.keyed("17")).status).toBe(409);
  await scheduler.wait(11_100);
  expect((await bench.keyed("17")).status).toBe(201);
}, 20_000);

test("[RULE-16] while it forwards the lock is renewed, however long it takes", async () => {
  const bench = await GuardBench.with({ lease_seconds: 1 });
  const held = heldAnswer();
  bench.origin = () => held.response;
  const { locksObjects, nameOf } = await import("../durable/locks-objects.ts");
  const { shardOf } = await import("../../src/core/locks/name.ts");
  const namespace = `rule:${bench.name}`;
  const shard = locksObjects.getByName(String(shardOf(nameOf("17", namespace))));
  const first = await bench.open("", { headers: { "Idempotency-Key": "17" } });
  for (let i = 0; i < 5; i += 1) {
    await scheduler.wait(500);
    const { rows } = await shard.list(namespace, 10);
    expect(rows).toMatchObject([{ key: "17", state: "held", by: "lease" }]);
  }
  void held.end();
  await first.text();
  expect((await shard.list(namespace, 10)).rows).toEqual([]);
}, 20_000);

test("[RULE-17] whoever has the whole answer finds the key free", async () => {
  const bench = await GuardBench.with();
  for (let i = 0; i < 20; i += 1) {
    bench.origin = () =>
      i % 2 === 0
        ? new Response("x".repeat(1_000), { headers: { "Content-Length": "1000" } })
        : new Response("y".repeat(1_000));
    expect((await bench.keyed("17")).status).toBe(200);
  }
  expect(bench.seen).toHaveLength(20);
});

test("[RULE-18] with wait_seconds the second one waits in line, and then runs", async () => {
  const bench = await GuardBench.with({ wait_seconds: 10 });
  let inside = 0;
  let most = 0;
  bench.origin = async () => {
    inside += 1;
    most = Math.max(most, inside);
    await scheduler.wait(30);
    inside -= 1;
    return new Response("done");
  };
  const answers = await Promise.all(Array.from({ length: 5 }, () => bench.keyed("17")));
  expect(answers.every(({ status }) => status === 200)).toBe(true);
  expect([bench.seen.length, most]).toEqual([5, 1]);
  const fences = bench.seen.map(({ fence }) => fence!);
  expect(fences).toEqual(fences.toSorted((a, b) => a - b));
});

test.each([409, 422, 423])(
  "[RULE-19] the conflict is %i where the rule says so",
  async (status) => {
    const bench = await GuardBench.with({ conflict_status: status });
    const held = heldAnswer();
    bench.origin = () => held.response;
    const first = await bench.open("", { headers: { "Idempotency-Key": "17" } });
    const refused = await bench.keyed("17");
    expect(refused).toMatchObject({ status, code: "lock-conflict" });
    expect(JSON.parse(refused.text)).toMatchObject({ status });
    void held.end();
    await first.text();
  },
);

test.each(["GET", "HEAD", "OPTIONS"])("[RULE-20] %s is never locked", async (method) => {
  const bench = await GuardBench.with();
  bench.origin = () => new Response(null);
  await bench.keyed("17", { method });
  expect(bench.seen[0]?.fence).toBeNull();
});

test("[RULE-20] other keys, other methods and other paths go their own way", async () => {
  const bench = await GuardBench.with({ methods: ["POST"] });
  const held = heldAnswer();
  bench.origin = (_, nth) => (nth === 1 ? held.response : new Response("done"));
  const first = await bench.open("", { headers: { "Idempotency-Key": "17" } });
  expect((await bench.keyed("18")).status).toBe(200);
  expect((await bench.keyed("17", { method: "PUT" })).status).toBe(200);
  expect(bench.seen[2]?.fence).toBeNull();
  void held.end();
  await first.text();
});

test("[RULE-21] a body goes on byte for byte, read or not", async () => {
  const body = Uint8Array.from({ length: 100_000 }, (_, i) => (i * 7) % 256);
  for (const rule of [{}, { idempotency: true }, { key: { from: "query", name: "id" } }]) {
    const bench = await GuardBench.with(rule);
    const headers = { "Idempotency-Key": "17", "Content-Type": "application/octet-stream" };
    await bench.ask("?id=17", { body, headers });
    expect(bench.seen[0]?.body).toEqual(body);
    expect(bench.seen[0]?.request.headers.get("Content-Type")).toBe("application/octet-stream");
  }
});

test.each([
  ["of JSON", { from: "json", name: "/order/id" }, "application/json", '{"order":{"id":17}}'],
  ["of a form", { from: "form", name: "id" }, "application/x-www-form-urlencoded", "a=b&id=17"],
  [
    "of a multipart form",
    { from: "form", name: "id" },
    "multipart/form-data; boundary=x",
    '--x\r\nContent-Disposition: form-data; name="id"\r\n\r\n17\r\n--x--\r\n',
  ],
])("[RULE-22] the key is a field %s, and the body goes on as it is", async (_, key, type, body) => {
  const bench = await GuardBench.with({ key });
  const held = heldAnswer();
  bench.origin = () => held.response;
  const init = { body, headers: { "Content-Type": type } };
  const first = await bench.open("", init);
  expect(await bench.ask("", init)).toMatchObject({ status: 409 });
  expect(new TextDecoder().decode(bench.seen[0]?.body)).toBe(body);
  void held.end();
  await first.text();
});

test("[RULE-22] the key is a segment of the path, in whatever spelling", async () => {
  const bench = await GuardBench.with({ path: "/:id/pay", key: { from: "path", name: "id" } });
  const held = heldAnswer();
  bench.origin = (_, nth) => (nth === 1 ? held.response : new Response("done"));
  const first = await bench.open("/a17/pay");
  for (const spelled of ["/a17/pay", "/%61%317/pay", "//A17//pay/", "/x/../a17/pay"])
    expect((await bench.ask(spelled)).status).toBe(409);
  expect((await bench.ask("/a18/pay")).status).toBe(200);
  void held.end();
  await first.text();
});

test.each([
  ["no header", {}, "", {}, "lock-key-missing"],
  ["no parameter", { from: "query", name: "id" }, "?x=1", {}, "lock-key-missing"],
  ["an empty one", { from: "query", name: "id" }, "?id=", {}, "lock-key-missing"],
  ["two parameters", { from: "query", name: "id" }, "?id=1&id=2", {}, "lock-key-invalid"],
  [
    "two members",
    { from: "json", name: "/id" },
    "",
    { "Content-Type": "application/json", body: '{"id":1,"id":2}' },
    "lock-key-invalid",
  ],
  [
    "a body that claims JSON and is not",
    { from: "json", name: "/id" },
    "",
    { "Content-Type": "application/json", body: '{"id":1' },
    "body-invalid",
  ],
  [
    "JSON nested 100,000 deep",
    { from: "json", name: "/id" },
    "",
    {
      "Content-Type": "application/json",
      body: `{"id":1,"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    },
    "body-invalid",
  ],
  [
    "a compressed body",
    { from: "json", name: "/id" },
    "",
    { "Content-Type": "application/json", "Content-Encoding": "gzip", body: "x" },
    "body-encoded",
  ],
  [
    "a body over the bound",
    { from: "json", name: "/id" },
    "",
    { "Content-Type": "application/json", body: `{"id":1,"a":"${"x".repeat(1_048_576)}"}` },
    "body-too-large",
  ],
  [
    "a broken multipart form",
    { from: "form", name: "id" },
    "",
    { "Content-Type": "multipart/form-data; boundary=x", body: "--y" },
    "body-invalid",
  ],
])("[RULE-23] with %s nothing is done, and %s", async (_, key, to, sent, code) => {
  const bench = await GuardBench.with("from" in key ? { key } : {});
  const { body, ...headers } = { body: null, ...sent } as Record<string, string | null>;
  const answer = await bench.ask(to, {
    headers: headers as Record<string, string>,
    body: body ?? null,
  });
  expect(answer.code).toBe(code);
  expect(bench.seen).toHaveLength(0);
});

test("[RULE-24] where the key is not required, a request without it passes unlocked", async () => {
  const key = { from: "json", name: "/id", required: false };
  const bench = await GuardBench.with({ key });
  const headers = { "Content-Type": "application/json" };
  const answer = await bench.ask("", { body: '{"x":1}', headers });
  expect(answer.status).toBe(201);
  expect(bench.seen[0]?.fence).toBeNull();
  expect(new TextDecoder().decode(bench.seen[0]?.body)).toBe('{"x":1}');
});

test.each([
  ["a secret header", { from: "header", name: "Authorization" }, "Bearer short"],
  ["a key of 10 KB", { from: "header", name: "X-Key" }, "k".repeat(10_240)],
  ["a key with a tab", { from: "header", name: "X-Key" }, "a\tb"],
])("[RULE-25] %s is named by its hash", async (_, key, value) => {
  const bench = await GuardBench.with({ key });
  const held = heldAnswer();
  bench.origin = () => held.response;
  const first = await bench.open("", { headers: { [key.name]: value } });
  const { lockBench } = await import("./locks-harness.ts");
  const { json } = await lockBench().locks("GET", `rule:${bench.name}`);
  expect(json.locks).toMatchObject([{ key: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) }]);
  expect((await bench.ask("", { headers: { [key.name]: value } })).status).toBe(409);
  void held.end();
  await first.text();
});

test("[RULE-26] a client that goes away frees nothing before the origin has ended", async () => {
  const bench = await GuardBench.with();
  const held = heldAnswer();
  bench.origin = (_, nth) => (nth === 1 ? held.response : new Response("done"));
  const stop = new AbortController();
  const first = await bench.open("", {
    headers: { "Idempotency-Key": "17" },
    signal: stop.signal,
  });
  void held.write("half");
  stop.abort();
  await first.body?.cancel().catch(() => null);
  await moment(50);
  expect((await bench.keyed("17")).status).toBe(409);
  void held.end();
  await bench.settled();
  expect((await bench.keyed("17")).status).toBe(200);
});

test("[RULE-27] a slow reader does not hold the lock once the origin has ended", async () => {
  const bench = await GuardBench.with();
  bench.origin = () => new Response("x".repeat(400_000));
  const unread = await bench.open("", { headers: { "Idempotency-Key": "17" } });
  await moment(200);
  expect((await bench.keyed("17")).status).toBe(200);
  expect((await unread.text()).length).toBe(400_000);
});

test("[RULE-28] without the rules at hand nothing unsafe passes", async () => {
  const bench = await GuardBench.with();
  const broken = { LOCKS: { getByName: () => ({ rules: () => Promise.reject(new Error("no")) }) } };
  const { createIsolate } = await import("../../src/worker/isolate/isolate.ts");
  const { platformPorts } = await import("../../src/worker/platform/ports.ts");
  const { Arrival } = await import("../../src/worker/arrival/arrival.ts");
  const { guardWithLock } = await import("../../src/worker/locks/guard.ts");
  const ports = { ...platformPorts, log: () => undefined };
  const isolate = createIsolate(ports);
  const ask = (method: string) =>
    guardWithLock(
      isolate,
      new Arrival(
        ports,
        new Request(`https://a.example${bench.path}`, { method }),
        broken as never,
        () => undefined,
      ),
      () => Promise.reject(new Error("must not be asked")),
    );
  expect(await ask("POST")).toMatchObject({ response: { status: 503 } });
  expect(await ask("GET")).toBeNull();
});
