import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Locks } from "../../src/client/locks.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask, openRaw } from "../support/http.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

let server: Seiriken;
let locks: Locks;
const commands: Command[] = [];

beforeAll(async () => {
  server = await startSeiriken({ runtime: "workerd" });
  locks = new Locks({ server: server.url, token: server.lockToken });
});
afterAll(async () => {
  for (const command of commands) command.signal("SIGKILL");
  await server.stop();
});

const client = (namespace: string, key: string, by = "socket", url = server.url): Command => {
  const args = [url, server.lockToken, namespace, key, by];
  const command = new Command("test/support/lock-client.ts", args);
  commands.push(command);
  return command;
};

test.concurrent("[DELAY-1] a holder's process is killed: the next in line gets it after the lock-delay", async () => {
  const a = client("killed", "key");
  const { fence } = await a.event("granted");
  const b = client("killed", "key");
  const inLine = async () => (await service("GET", "killed", "")).json().waiting;
  await eventually(async () => expect(await inLine()).toBe(1));
  const killedAt = Date.now();
  a.signal("SIGKILL");
  const c = locks.acquire("killed", "key");
  const granted = await b.event("granted");
  const tookMs = Date.now() - killedAt;
  expect(tookMs).toBeGreaterThan(9_500);
  expect(tookMs).toBeLessThan(25_000);
  expect(granted["fence"]).toBeGreaterThan(fence as number);
  b.signal("SIGKILL");
  expect((await c).fence).toBeGreaterThan(granted["fence"] as number);
  await (await c).release();
});

test.concurrent("[DROP-6] a stopped process loses its lock, and knows it the moment it wakes", async () => {
  const a = client("loss", "stopped");
  const { fence } = await a.event("granted");
  a.signal("SIGSTOP");
  const stoppedAt = Date.now();
  const next = await locks.acquire("loss", "stopped", { waitSeconds: 55 });
  // Silent for 30 s, then the lock-delay; workerd's alarms may be a little late.
  expect(Date.now() - stoppedAt).toBeGreaterThan(36_000);
  expect(Date.now() - stoppedAt).toBeLessThan(54_000);
  expect(next.fence).toBeGreaterThan(fence as number);
  a.signal("SIGCONT");
  await a.event("lost");
  const after = a.events.slice(a.events.findLastIndex(({ event }) => event === "held"));
  expect(
    after.filter(({ event }) => event === "held").every(({ isHeld }) => isHeld === false),
  ).toBe(true);
  await next.release();
});

test.concurrent("[DELAY-1] a stopped process with a lease loses it at its end, and the fences tell", async () => {
  const a = client("loss", "lease", "lease");
  const { fence } = await a.event("granted");
  a.signal("SIGSTOP");
  const next = await locks.acquire("loss", "lease", { waitSeconds: 55 });
  expect(next.fence).toBeGreaterThan(fence as number);
  a.signal("SIGCONT");
  await a.event("lost");
  await next.release();
});

test.concurrent("[DROP-6] half-open: a link that swallows everything is noticed on both sides", async () => {
  const link = await blackHoleLink(server.port);
  const a = client("loss", "half-open", "socket", `http://127.0.0.1:${link.port}`);
  const { fence } = await a.event("granted");
  link.swallow();
  const swallowedAt = Date.now();
  await a.event("lost");
  const lostMs = Date.now() - swallowedAt;
  const next = await locks.acquire("loss", "half-open", { waitSeconds: 55 });
  const grantedMs = Date.now() - swallowedAt;
  expect(lostMs).toBeLessThan(10_000);
  expect(grantedMs).toBeGreaterThan(lostMs);
  expect(grantedMs).toBeLessThan(54_000);
  expect(next.fence).toBeGreaterThan(fence as number);
  await next.release();
  link.close();
});

const service = (method: string, path: string, owner: string, body?: object) =>
  ask(`${server.url}/.seiriken/locks/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.lockToken}`, "seiriken-owner": owner },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

test.concurrent("[LOCK-7] over HTTP: a renewal before the lease ends, in the lock-delay, and after it", async () => {
  const path = "loss/renewal";
  const owner = "r".repeat(22);
  const { fence } = (await service("POST", path, owner, { lease_seconds: 1 })).json();
  expect((await service("PATCH", path, owner, { lease_seconds: 1 })).status).toBe(200);
  await sleep(3_000);
  const resumed = await service("PATCH", path, owner, { lease_seconds: 1 });
  expect([resumed.status, resumed.json().fence]).toEqual([200, fence]);
  await sleep(11_100);
  const late = await service("PATCH", path, owner, { lease_seconds: 1 });
  expect([late.status, late.json().code]).toEqual([410, "lock-lost"]);
  expect((await service("DELETE", path, owner)).status).toBe(410);
  const next = await service("POST", path, "n".repeat(22));
  expect(next.json().fence).toBeGreaterThan(fence);
});

test.concurrent.each([
  ["closes its connection", 100, (socket: Socket) => socket.destroy()],
  ["closes its connection after a long wait", 1_500, (socket: Socket) => socket.destroy()],
  ["resets its connection", 100, (socket: Socket) => socket.resetAndDestroy()],
] as const)(
  "[WAIT-8] a plain HTTP client that waits and %s keeps nobody from the lock",
  async (_, waitMs, leave) => {
    const path = `loss/gone-${waitMs}-${leave.toString().length}`;
    const holder = "h".repeat(22);
    expect((await service("POST", path, holder)).status).toBe(201);
    const socket = await openRaw(server.url);
    socket.on("error", () => undefined);
    socket.write(postOf(path));
    await sleep(waitMs);
    leave(socket);
    await sleep(100);
    expect((await service("DELETE", path, holder)).status).toBe(204);
    const owner = "n".repeat(22);
    await eventually(async () => (await service("POST", path, owner)).status === 201, {
      within: 15_000,
    });
  },
);

test.concurrent("[WAIT-8] a client that only stops sending is there, and gets the lock", async () => {
  const path = "loss/half-closed";
  const holder = "h".repeat(22);
  await service("POST", path, holder);
  const socket = await openRaw(server.url);
  let heard = "";
  socket.on("data", (chunk: Buffer) => (heard += chunk.toString()));
  socket.write(postOf(path));
  await sleep(100);
  socket.end();
  await sleep(1_200);
  await service("DELETE", path, holder);
  await eventually(() => /201 Created[^]*"fence":\d+[^]*}$/.test(heard));
  expect((await service("POST", path, "n".repeat(22))).status).toBe(409);
});

const postOf = (path: string): string => {
  const body = JSON.stringify({ lease_seconds: 60, wait_seconds: 30 });
  return [
    `POST /.seiriken/locks/${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    `Authorization: Bearer ${server.lockToken}`,
    `Content-Length: ${body.length}`,
    "",
    body,
  ].join("\r\n");
};

/** A TCP relay that can stop passing anything on, without closing a thing. */
const blackHoleLink = async (to: number) => {
  const sockets = new Set<Socket>();
  let isSwallowing = false;
  const relay = createServer((near) => {
    const far = connect(to, "127.0.0.1");
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on("error", () => socket.destroy());
    }
    near.on("data", (chunk) => void (isSwallowing || far.write(chunk)));
    far.on("data", (chunk) => void (isSwallowing || near.write(chunk)));
    near.on("close", () => void (isSwallowing || far.destroy()));
    far.on("close", () => void (isSwallowing || near.destroy()));
  });
  relay.listen(0, "127.0.0.1");
  await once(relay, "listening");
  return {
    port: (relay.address() as { port: number }).port,
    swallow: () => void (isSwallowing = true),
    close() {
      for (const socket of sockets) socket.destroy();
      relay.close();
    },
  };
};
