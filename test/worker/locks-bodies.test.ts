import { expect, test } from "vitest";
import { readBounded, readBoundedText } from "../../src/worker/locks/body.ts";
import { BODY_BYTES_MAX, BodyBudget, TAB_BYTES_MIN } from "../../src/worker/isolate/body-budget.ts";
import { platformPorts, type Ports } from "../../src/worker/platform/ports.ts";
import { GuardBench } from "./locks-guard-harness.ts";
import { moment } from "../durable/moment.ts";

/** A clock of the test's own: a timer goes off when the time is set to it or beyond. */
const heldClock = () => {
  let now = 1_800_000_000_000;
  const timers = new Set<{ at: number; run: () => void }>();
  const ports: Ports = {
    ...platformPorts,
    now: () => now,
    timer: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
  };
  const pass = async (ms: number): Promise<void> => {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run();
    await scheduler.wait(5);
  };
  return { ports, pass };
};

const trickle = (headers: Record<string, string> = {}) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const request = new Request("https://shop.example/", { method: "POST", body: readable, headers });
  return {
    request,
    send: (bytes: number) => void writer.write(new Uint8Array(bytes).fill(7)).catch(() => null),
    end: () => void writer.close().catch(() => null),
  };
};

test("[RULE-40] a client that stalls for 15 s is not waited for", async () => {
  const { ports, pass } = heldClock();
  const { request, send } = trickle();
  const reading = readBounded(request, { ports, bytesMax: 1_000_000 });
  let read: unknown = null;
  void reading.then((value) => (read = value));
  send(10);
  await pass(0);
  await pass(14_999);
  expect(read).toBeNull();
  await pass(1);
  expect(read).toBe("too-slow");
});

test("[RULE-40] nor is one that trickles, however regularly", async () => {
  const { ports, pass } = heldClock();
  const { request, send } = trickle();
  let read: unknown = null;
  void readBounded(request, { ports, bytesMax: 1_000_000 }).then((value) => (read = value));
  await pass(0);
  for (let second = 1; second < 30; second += 1) {
    send(1);
    await pass(1_000);
  }
  expect(read).toBeNull();
  send(1);
  await pass(1_000);
  expect(read).toBe("too-slow");
});

test("[RULE-40] a slow one that keeps a rate is read whole", async () => {
  const { ports, pass } = heldClock();
  const { request, send, end } = trickle();
  const reading = readBounded(request, { ports, bytesMax: 1_000_000 });
  await pass(0);
  for (let second = 0; second < 60; second += 1) {
    send(1_024);
    await pass(1_000);
  }
  end();
  const read = await reading;
  expect(read).toEqual(new Uint8Array(60 * 1_024).fill(7));
});

test("[RULE-40] a small body that was announced and does not come is waited for as long", async () => {
  const { ports, pass } = heldClock();
  const { request } = trickle({ "Content-Length": "100" });
  let read: unknown = null;
  void readBounded(request, { ports, bytesMax: 1_000 }).then((value) => (read = value));
  await pass(14_999);
  expect(read).toBeNull();
  await pass(1);
  expect(read).toBe("too-slow");
});

test.each([
  [1_000, 1_000, 1_000],
  [1_001, 1_000, "too-large"],
  [100_000, 100_000, 100_000],
  [100_001, 100_000, "too-large"],
])("[RULE-23] of %i bytes where %i may be: %j", async (bytes, bytesMax, expected) => {
  const { request, send, end } = trickle();
  const reading = readBounded(request, { ports: platformPorts, bytesMax });
  for (let sent = 0; sent < bytes; sent += 999) send(Math.min(999, bytes - sent));
  end();
  const read = await reading;
  expect(typeof read === "string" ? read : read.byteLength).toBe(expected);
});

test("[RULE-40] a short text is not waited for either", async () => {
  const { ports, pass } = heldClock();
  const { request, send } = trickle({ "Content-Length": "20" });
  let read: unknown = null;
  void readBoundedText(request, { ports, bytesMax: 1_000 }).then((value) => (read = value));
  send(10);
  await pass(0);
  await pass(14_999);
  expect(read).toBeNull();
  await pass(1);
  expect(read).toEqual({ ok: false, refusal: "too-slow" });
});

const BYTES: readonly (readonly [string, readonly number[], string])[] = [
  ["nothing", [], ""],
  ["letters of two bytes", [0x7b, 0xc3, 0xbc, 0x7d], "{ü}"],
  ["a byte order mark", [0xef, 0xbb, 0xbf, 0x7b, 0x7d], "{}"],
  ["what is no UTF-8", [0x7b, 0xff, 0x7d], "{\ufffd}"],
];
test.each(BYTES)(
  "[SERVICE-3] %s is one text, said to be short or not",
  async (_what, bytes, text) => {
    const body = Uint8Array.from(bytes);
    for (const said of [{ "Content-Length": String(body.length) }, {}]) {
      const headers = said as Record<string, string>;
      const request = new Request("https://shop.example/", { method: "POST", body, headers });
      const read = await readBoundedText(request, { ports: platformPorts, bytesMax: 100 });
      expect(read).toEqual({ ok: true, text });
    }
  },
);

test.each([
  ["its length", { "Content-Length": "101" }],
  ["what comes", {}],
])("[SERVICE-3] a text beyond its bound is refused by %s", async (_by, headers) => {
  const { request, send, end } = trickle(headers as Record<string, string>);
  const reading = readBoundedText(request, { ports: platformPorts, bytesMax: 100 });
  send(101);
  end();
  expect(await reading).toEqual({ ok: false, refusal: "too-large" });
});

test("[RULE-41] memory is asked for before it is set aside, and follows what has come", async () => {
  const { request, send, end } = trickle({ "Content-Length": "1000000" });
  const asked: number[] = [];
  const take = (bytes: number) => asked.push(bytes) > 0;
  const reading = readBounded(request, { ports: platformPorts, bytesMax: 1_048_576, take });
  await scheduler.wait(5);
  const atFirst = asked.reduce((sum, bytes) => sum + bytes, 0);
  expect(atFirst).toBeLessThanOrEqual(16_384);
  for (let sent = 0; sent < 1_000_000; sent += 50_000) send(50_000);
  end();
  expect(await reading).toHaveLength(1_000_000);
  expect(asked.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThanOrEqual(1_048_576 + 16_384);
});

test("[RULE-41] a body for which there is no room is not read", async () => {
  const { request, send } = trickle();
  send(10);
  const options = { ports: platformPorts, bytesMax: 1_000, take: () => false };
  expect(await readBounded(request, options)).toBe("no-room");
});

test("[RULE-41] one client may take a fifth, and leaves something for whoever comes after", () => {
  const budget = new BodyBudget(platformPorts);
  const piece = 65_536;
  const greedy = (client: string): number => {
    const tab = budget.open(client);
    let taken = 0;
    while (tab.take(piece)) taken += piece;
    return taken;
  };
  expect(greedy("a")).toBe(Math.floor(BODY_BYTES_MAX / 5 / piece) * piece);
  expect(greedy("a")).toBe(0);
  for (const client of "bcdef") expect(greedy(client)).toBeGreaterThan(0);
});

test("[RULE-41] each body counts for 4,096 bytes at least, until it is closed, once", () => {
  const budget = new BodyBudget(platformPorts);
  const most = Math.floor(BODY_BYTES_MAX / 5 / TAB_BYTES_MIN);
  const tabs = Array.from({ length: most }, () => budget.open("a"));
  expect(tabs.every((tab) => tab.take(1))).toBe(true);
  expect(budget.open("a").take(1)).toBe(false);
  expect(budget.open("b").take(1)).toBe(true);
  tabs[0]?.close();
  tabs[0]?.close();
  expect(budget.open("a").take(1)).toBe(true);
  expect(budget.open("a").take(1)).toBe(false);
});

test("[RULE-41] what was never closed is forgotten after ten minutes", async () => {
  const { ports, pass } = heldClock();
  const budget = new BodyBudget(ports);
  const fill = () => {
    let hasRoom = true;
    while (hasRoom) hasRoom = budget.open("a").take(1_048_576);
  };
  fill();
  await pass(599_999);
  expect(budget.open("a").take(1_048_576)).toBe(false);
  await pass(1);
  expect(budget.open("a").take(1_048_576)).toBe(true);
});

test.each([
  ["passed on as it comes", { from: "header", name: "X-Key" }],
  ["read for its key", { from: "json", name: "/id" }],
])("[RULE-40] a body that is %s and trickles: 408, and the key is free", async (_, key) => {
  const bench = await GuardBench.with({ key, body_seconds: 1 });
  const body = trickle();
  const headers = { "X-Key": "5", "Content-Type": "application/json" };
  body.send(1);
  const slow = bench.ask("", { body: body.request.body, headers });
  expect(await slow).toMatchObject({ status: 408, code: "body-too-slow" });
  await bench.settled();
  expect((await bench.ask("", { body: '{"id":5}', headers })).status).toBe(201);
});

test("[RULE-40] while it is passed on, the key is held", async () => {
  const bench = await GuardBench.with({ key: { from: "header", name: "X-Key" } });
  const body = trickle();
  const headers = { "X-Key": "5" };
  body.send(100_000);
  const first = bench.ask("", { body: body.request.body, headers });
  await moment(50);
  expect(await bench.ask("", { headers })).toMatchObject({ code: "lock-conflict" });
  body.send(17);
  body.end();
  expect((await first).status).toBe(201);
  expect(bench.seen[0]?.body).toEqual(new Uint8Array(100_017).fill(7));
});
