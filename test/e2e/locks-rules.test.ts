import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openRaw, type Answer } from "../support/http.ts";
import { FREED, lockStage } from "../support/lock-stage.ts";

const RULES = [
  { name: "orders", path: "/orders", key: { from: "json", name: "/user" } },
  { name: "slow", path: "/slow", key: { from: "header", name: "X-Key" }, lease_seconds: 1 },
  {
    name: "pay",
    path: "/pay",
    key: { from: "header", name: "Idempotency-Key" },
    idempotency: true,
    wait_seconds: 30,
    lease_seconds: 2,
  },
  {
    name: "once",
    path: "/once",
    key: { from: "header", name: "Idempotency-Key" },
    idempotency: true,
    lease_seconds: 2,
  },
];

const stage = lockStage(RULES);
const { post } = stage;

const order = (user: string): Promise<Answer> =>
  post("/orders", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ user, seats: 2 }),
  });

/** A kept connection that Node closes just as it is used again would be an unknown outcome. */
const FRESH = { connection: "close" };

/** Effects by what names them, as the origin counted them. */
const effectsBy = (header: string): Map<string, number> => {
  const effects = new Map<string, number>();
  for (const { headers } of stage.server.origin.requests) {
    const name = String(headers[header]);
    effects.set(name, (effects.get(name) ?? 0) + 1);
  }
  return effects;
};

test("[RULE-12] S3 (1) and (5): of two at once one runs; the other is told at once", async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  stage.server.origin.handle(async (_, response) => {
    await mayEnd;
    response.writeHead(201).end("ordered");
  });
  const user = randomUUID();
  const first = order(user);
  await eventually(() => stage.server.origin.running === 1);
  // The first ends only when the second has its answer: it waited for nothing.
  const second = await order(user);
  expect(stage.server.origin.running).toBe(1);
  end();
  expect([second.status, second.headers["content-type"]]).toEqual([
    409,
    "application/problem+json",
  ]);
  expect(second.json()).toMatchObject({ code: "lock-conflict", status: 409 });
  expect(Number(second.headers["retry-after"])).toBeGreaterThan(0);
  expect((await first).text).toBe("ordered");
  expect(stage.server.origin.requests).toHaveLength(1);
  expect(stage.server.origin.requests[0]?.body.toString()).toBe(JSON.stringify({ user, seats: 2 }));
  expect((await order(user)).status).toBe(201);
});

test.each([
  ["(2) the connection is cut before an answer", "cut", 502],
  ["(3) the answer is 500", "500", 500],
  ["(3) the answer is cut off", "half", null],
  ["(4) it succeeds", "ok", 200],
])("[RULE-13] S3 %s: the key is free at once, the next fence is higher", async (_, how, status) => {
  stage.server.origin.handle((_request, response) => {
    if (how === "cut") return void response.socket?.destroy();
    response.writeHead(how === "500" ? 500 : 200, { "content-length": "10" });
    if (how !== "half") return void response.end("0123456789");
    response.write("01234");
    setTimeout(() => response.socket?.destroy(), 50);
  });
  const user = randomUUID();
  const first = await order(user).catch(() => null);
  expect(first?.status ?? null).toBe(status);
  await eventually(async () => {
    stage.server.origin.handle();
    expect((await order(user)).status).toBe(200);
  }, FREED);
  const fences = stage.server.origin.requests.map(({ headers }) =>
    Number(headers["seiriken-fence"]),
  );
  expect(fences).toHaveLength(2);
  expect(fences[1]).toBeGreaterThan(fences[0]!);
});

// The seed's own table: an operation of two steps, and what is called of it.
test.each([
  ["(2) its first step fails", ["first"], "first", 500],
  ["(3) its second step fails", ["first", "second"], "second", 500],
  ["(3) its second step fails without an answer", ["first", "second"], "cut", 502],
  ["(4) both succeed", ["first", "second"], "none", 201],
])("[RULE-13] S3 %s: %j are called, and the key is freed", async (_, steps, failing, status) => {
  const called: string[] = [];
  stage.server.origin.handle((_request, response) => {
    called.push("first");
    if (failing === "first") return void response.writeHead(500).end();
    called.push("second");
    if (failing === "second") return void response.writeHead(500).end();
    if (failing === "cut") return void response.socket?.destroy();
    return void response.writeHead(201).end();
  });
  const user = randomUUID();
  expect((await order(user)).status).toBe(status);
  expect(called).toEqual(steps);
  expect((await order(user)).status).toBe(status);
  expect(called).toEqual([...steps, ...steps]);
});

test("[RULE-12] S3 (1) refused: no step is called, and the holder's key stands", async () => {
  const called: string[] = [];
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  stage.server.origin.handle(async (_request, response) => {
    called.push("first");
    await ended;
    called.push("second");
    response.writeHead(201).end();
  });
  const user = randomUUID();
  const holder = order(user);
  await eventually(() => called.length === 1);
  for (let i = 0; i < 5; i += 1) expect((await order(user)).status).toBe(409);
  expect(called).toEqual(["first"]);
  end();
  expect((await holder).status).toBe(201);
  expect(called).toEqual(["first", "second"]);
});

test("[RULE-15] S3 (6) the holder dies: its lease frees the key, and nothing earlier does", async () => {
  const key = randomUUID();
  stage.server.origin.handle(() => sleep(60_000));
  const dead = post("/slow", { headers: { "x-key": key } }).catch(() => null);
  await eventually(() => stage.server.origin.running === 1);
  // Longer than its lease: it is renewed.
  await sleep(2_000);
  const killedAt = performance.now();
  await stage.server.kill9();
  await dead;
  stage.server.origin.handle();
  expect((await post("/slow", { headers: { "x-key": key } })).status).toBe(409);
  await eventually(
    async () => (await post("/slow", { headers: { "x-key": key } })).status === 200,
    { every: 200 },
  );
  const freeAfterMs = performance.now() - killedAt;
  expect(freeAfterMs).toBeGreaterThan(9_900);
  expect(freeAfterMs).toBeLessThan(30_000);
});

test("[IDEM-4] killed in the middle: the outcome is unknown, and it never runs again", async () => {
  const key = randomUUID();
  stage.server.origin.handle(() => sleep(60_000));
  const headers = { "idempotency-key": key };
  const dead = post("/once", { headers }).catch(() => null);
  await eventually(() => stage.server.origin.running === 1);
  await stage.server.kill9();
  await dead;
  stage.server.origin.handle();
  expect((await post("/once", { headers })).json()).toMatchObject({ code: "lock-conflict" });
  await sleep(13_000);
  for (let i = 0; i < 3; i += 1) {
    const answer = await post("/once", { headers });
    expect([answer.status, answer.json<{ code: string }>().code]).toEqual([502, "outcome-unknown"]);
  }
  expect(effectsBy("idempotency-key").get(key)).toBe(1);
});

test("[IDEM-2] killed after the answer: it is replayed byte for byte by the next life", async () => {
  const key = randomUUID();
  const bytes = Buffer.from(Array.from({ length: 3_000 }, (_, i) => (i * 7) % 256));
  stage.server.origin.handle((_, response) => {
    response.writeHead(201, { ...FRESH, "x-order": "17", "set-cookie": ["a=1", "b=2"] }).end(bytes);
  });
  const headers = { "idempotency-key": key };
  const first = await post("/once", { headers });
  expect([first.status, first.body.equals(bytes)]).toEqual([201, true]);
  await stage.server.kill9();
  const again = await post("/once", { headers });
  expect([again.status, again.body.equals(bytes)]).toEqual([201, true]);
  expect(again.headers).toMatchObject({ "x-order": "17", "idempotent-replayed": "true" });
  expect([first.setCookies.length, again.setCookies]).toEqual([2, []]);
  expect(effectsBy("idempotency-key").get(key)).toBe(1);
});

test("[RULE-14] two thousand pairs at once: exactly one effect each, the other gets the conflict", async () => {
  // The one that runs ends when the other has its answer: however slow the machine, they overlap.
  const ends = new Map<string, () => void>();
  const mayEnd = new Map<string, Promise<void>>();
  stage.server.origin.handle(async ({ headers }, response) => {
    await mayEnd.get(String(headers["x-key"]));
    response.writeHead(201, FRESH).end();
  });
  const statuses = new Map<string, number[]>();
  await pairs(2_000, async (key) => {
    if (!mayEnd.has(key))
      mayEnd.set(key, new Promise<void>((resolve) => void ends.set(key, resolve)));
    const { status } = await post("/slow", { headers: { "x-key": key }, within: 170_000 });
    if (status !== 201) ends.get(key)?.();
    statuses.set(
      key,
      [...(statuses.get(key) ?? []), status].toSorted((a, b) => a - b),
    );
  });
  expect(statuses.size).toBe(2_000);
  expect([...statuses].filter(([, both]) => both.join() !== "201,409")).toEqual([]);
  const effects = effectsBy("x-key");
  expect(effects.size).toBe(2_000);
  expect([...effects].filter(([, count]) => count !== 1)).toEqual([]);
}, 300_000);

test("[IDEM-15] two thousand pairs at once with idempotency: one effect each, the same bytes", async () => {
  let orders = 0;
  stage.server.origin.handle(async (_, response) => {
    orders += 1;
    const body = `order ${orders} ${randomUUID()}`;
    await sleep(10);
    response.writeHead(201, { ...FRESH, "content-type": "text/plain" }).end(body);
  });
  const answers = new Map<string, string[]>();
  await pairs(2_000, async (key) => {
    const answer = await post("/pay", { headers: { "idempotency-key": key }, within: 170_000 });
    answers.set(key, [...(answers.get(key) ?? []), `${answer.status} ${answer.text}`]);
  });
  const different = [...answers.values()].filter(([one, other]) => one !== other);
  expect(different).toEqual([]);
  expect([...answers.values()].every(([one]) => one?.startsWith("201 order ") === true)).toBe(true);
  const effects = effectsBy("idempotency-key");
  expect([...effects.values()].every((count) => count === 1)).toBe(true);
  expect(effects.size).toBe(2_000);
}, 300_000);

/** So many keys, each asked for twice at once, a few hundred requests under way at a time. */
const pairs = async (count: number, run: (key: string) => Promise<void>): Promise<void> => {
  const keys = Array.from({ length: count }, () => randomUUID());
  const workers = Array.from({ length: 100 }, async () => {
    for (let key = keys.pop(); key !== undefined; key = keys.pop())
      await Promise.all([run(key), run(key)]);
  });
  await Promise.all(workers);
};

test.each(["end", "resetAndDestroy"] as const)(
  "[RULE-26] a client that leaves by %s: the lock stays until the origin has answered",
  async (leave) => {
    stage.server.origin.handle(async (_, response) => {
      await sleep(1_500);
      response.writeHead(201).end("done");
    });
    const key = randomUUID();
    const socket = await openRaw(stage.server.url);
    socket.on("error", () => undefined);
    socket.write(
      `POST /once HTTP/1.1\r\nHost: 127.0.0.1\r\nIdempotency-Key: ${key}\r\nContent-Length: 0\r\n\r\n`,
    );
    await eventually(() => stage.server.origin.running === 1);
    socket[leave]();
    const headers = { "idempotency-key": key };
    expect((await post("/once", { headers })).status).toBe(409);
    await eventually(async () => (await post("/once", { headers })).status === 201);
    const again = await post("/once", { headers });
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual(["done", "true"]);
    expect(effectsBy("idempotency-key").get(key)).toBe(1);
  },
);

test("[RULE-31] what a client says in Seiriken-Fence the origin never hears", async () => {
  await post("/free", { headers: { "seiriken-fence": "999" } });
  expect(stage.server.origin.requests[0]?.headers["seiriken-fence"]).toBeUndefined();
  await post("/slow", { headers: { "seiriken-fence": "999", "x-key": randomUUID() } });
  expect(stage.server.origin.requests[1]?.headers["seiriken-fence"]).toMatch(/^\d+$/);
  expect(stage.server.origin.requests[1]?.headers["seiriken-fence"]).not.toBe("999");
});
