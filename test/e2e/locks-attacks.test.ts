/** What strangers try with lock rules, on a running server. */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { openRaw } from "../support/http.ts";
import { FREED, lockStage } from "../support/lock-stage.ts";
import type { Sent } from "../support/lock-stage.ts";

const RULES = [
  {
    name: "pay",
    path: "/pay",
    key: { from: "header", name: "Idempotency-Key" },
    idempotency: true,
    session: { from: "cookie", name: "sid" },
  },
  { name: "items", path: "/items/:id", key: { from: "path", name: "id" } },
  { name: "header", path: "/header", key: { from: "header", name: "X-Key" } },
  { name: "json", path: "/json", key: { from: "json", name: "/id" } },
  { name: "short", path: "/short", key: { from: "header", name: "X-Key" }, body_seconds: 1 },
];

const stage = lockStage(RULES);
const { post } = stage;

test("[IDEM-17] an answer on record is given to nobody but its client, and never with its cookies", async () => {
  stage.server.origin.handle((_, response) => {
    response.writeHead(201, { "set-cookie": ["sid=new", "b=2"] }).end("secret order");
  });
  const key = { "idempotency-key": randomUUID() };
  const first = await post("/pay", { headers: { ...key, cookie: "sid=alice" } });
  expect([first.status, first.text, first.setCookies]).toEqual([
    201,
    "secret order",
    ["sid=new", "b=2"],
  ]);
  for (const headers of [
    { cookie: "sid=mallory" },
    { cookie: ["sid=mallory", "sid=alice"] },
    {},
    { cookie: "sid=alice", authorization: "Bearer other" },
    { cookie: "sid=alice", host: "localhost" },
  ]) {
    const other = await post("/pay", { headers: { ...key, ...headers } });
    expect([other.status, other.setCookies]).toEqual([422, []]);
    expect(other.text).not.toContain("secret");
  }
  const again = await post("/pay", { headers: { ...key, cookie: "x=1; sid=alice" } });
  expect([again.status, again.text, again.setCookies]).toEqual([201, "secret order", []]);
  expect(stage.server.origin.requests).toHaveLength(1);
});

test.each([
  ["/items/5;x", "ambiguous-url"],
  ["/items/5.", "ambiguous-url"],
  ["/items/5%20", "ambiguous-url"],
  ["/items/%2535", "ambiguous-url"],
  ["/items/%35", "lock-conflict"],
])("[RULE-38] beside /items/5, %s: %s", async (path, code) => {
  expect(await stage.beside(["/items/5", {}], [path, {}])).toBe(code);
});

test.each([
  [["5", "5"], "lock-key-invalid"],
  ["5, 5", "lock-key-invalid"],
  [" 5\t", "lock-conflict"],
])("[RULE-36] beside the header 5, %j: %s", async (value, code) => {
  const sent = (key: string | string[]): Sent => ["/header", { headers: { "x-key": key } }];
  expect(await stage.beside(sent("5"), sent(value as string | string[]))).toBe(code);
});

test.each([
  ["1746829374650183681", 201],
  ["1746829374650183680", "lock-conflict"],
  ["1746829374650183681.0", "lock-key-invalid"],
])("[RULE-35] beside the number 1746829374650183680, %s: %s", async (id, code) => {
  const sent = (body: string): Sent => [
    "/json",
    { body, headers: { "content-type": "application/json" } },
  ];
  const first = sent('{"id":1746829374650183680}');
  expect(await stage.beside(first, sent(`{"id":${id}}`))).toBe(code);
});

/** What workerd takes of the memory, in MB. */
const residentMb = (): number =>
  stage.server.pids().reduce((sum, pid) => {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return sum + Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  }, 0);

const opened = async (head: string): Promise<{ socket: Socket; heard: () => string }> => {
  const socket = await openRaw(stage.server.url);
  let text = "";
  socket.on("error", () => undefined);
  socket.on("data", (data: Buffer) => (text += data.toString("latin1")));
  socket.write(`${head}\r\nHost: 127.0.0.1\r\n`);
  return { socket, heard: () => text };
};

test.each(["Content-Length: 1000000", "Transfer-Encoding: chunked"])(
  "[RULE-40] a POST that trickles (%s) holds its key no longer than its rule lets it",
  async (length) => {
    const key = randomUUID();
    const { socket, heard } = await opened(`POST /short HTTP/1.1\r\nX-Key: ${key}\r\n${length}`);
    socket.write("\r\n");
    const drip = length.startsWith("C") ? "x" : "1\r\nx\r\n";
    const trickling = setInterval(() => socket.write(drip), 50);
    await eventually(() => stage.server.origin.running === 1);
    const headers = { "x-key": key };
    expect((await post("/short", { headers })).status).toBe(409);
    await eventually(async () => (await post("/short", { headers })).status === 200);
    await eventually(() => heard().includes(" 408 "));
    expect(heard()).toContain("body-too-slow");
    clearInterval(trickling);
    socket.destroy();
  },
);

test.each(["Content-Length: 10", "Transfer-Encoding: chunked"])(
  "[RULE-42] a locked body (%s) that its client breaks off is no whole one for the origin",
  async (length) => {
    const handled: string[] = [];
    stage.server.origin.handle((_, response) => {
      handled.push("whole");
      response.end();
    });
    const headers = { "x-key": randomUUID() };
    const { socket } = await opened(
      `POST /header HTTP/1.1\r\nX-Key: ${headers["x-key"]}\r\n${length}`,
    );
    socket.write(length.startsWith("C") ? "\r\nhello" : "\r\n5\r\nhello\r\n");
    await eventually(() => stage.server.origin.running === 1);
    socket.destroy();
    await eventually(() => stage.server.origin.running === 0, FREED);
    expect(handled).toEqual([]);
    await eventually(async () => (await post("/header", { headers })).status === 200, FREED);
  },
);

test("[RULE-41] 150 bodies that stall cost next to nothing, and one client takes no more than its share", async () => {
  const send = async (bytes: number) => {
    const one = await opened("POST /json HTTP/1.1\r\nContent-Type: application/json");
    one.socket.write(`Content-Length: 1048576\r\n\r\n{"id":1,"x":"${"x".repeat(bytes)}`);
    return one;
  };
  const before = residentMb();
  const stalled = await Promise.all(Array.from({ length: 150 }, () => send(0)));
  await sleep(300);
  expect(residentMb() - before).toBeLessThan(50);
  const greedy = await Promise.all(Array.from({ length: 20 }, () => send(1_000_000)));
  await eventually(() => greedy.filter(({ heard }) => heard().includes(" 503 ")).length >= 14);
  expect(greedy.some(({ heard }) => heard().includes("too-many-bodies"))).toBe(true);
  for (const { socket } of [...stalled, ...greedy]) socket.destroy();
  // What those took is given back as they go.
  const body = JSON.stringify({ id: randomUUID(), x: "x".repeat(1_000_000) });
  await eventually(async () => (await post("/json", { body })).status === 200);
});
