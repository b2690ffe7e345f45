import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { eventually, PATIENCE_MS } from "../support/eventually.ts";
import { startSeiriken, type Seiriken } from "../support/seiriken.ts";

/** Before a lock-delay could be over: at once, on a busy machine. */
const PASSED_ON_MS = 9_000;

let server: Seiriken;
let bridge: Command;
let port: number;
const commands: Command[] = [];
const lines: Line[] = [];

beforeAll(async () => {
  server = await startSeiriken({ runtime: "workerd" });
  bridge = new Command("cli/lock-bridge.ts", [
    ...["--port", "0", "--server", server.url, "--token", server.lockToken],
  ]);
  await eventually(() => bridge.lines.length > 0);
  port = Number(/^ready .*:(\d+)$/.exec(bridge.lines[0] ?? "")?.[1]);
});
afterAll(async () => {
  for (const line of lines) line.socket.destroy();
  for (const command of [bridge, ...commands]) await command.end();
  await server.stop();
});

/** A client of the original protocol. */
class Line {
  readonly said: string[] = [];
  isClosed = false;
  readonly socket: Socket;
  #rest = "";

  constructor(socket: Socket) {
    this.socket = socket;
    socket.on("error", () => undefined);
    socket.on("close", () => (this.isClosed = true));
    socket.on("data", (chunk: Buffer) => {
      const parts = (this.#rest + chunk.toString()).split("\n");
      this.#rest = parts.pop() ?? "";
      this.said.push(...parts);
    });
  }

  static async open(): Promise<Line> {
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const line = new Line(socket);
    lines.push(line);
    return line;
  }

  static async locked(key: string): Promise<Line> {
    const line = await Line.open();
    line.say(`LOCK ${key}`);
    return line;
  }

  say(text: string): void {
    this.socket.write(`${text}\n`);
  }

  ok(count = 1, within = PATIENCE_MS): Promise<unknown> {
    return eventually(() => this.said.filter((one) => one === "ok").length >= count, { within });
  }
}

test.concurrent("[BRIDGE-1] A holds, B and C wait in that order; closing passes the lock on at once", async () => {
  const a = await Line.locked("order");
  await a.ok();
  const b = await Line.locked("order");
  await sleep(200);
  const c = await Line.locked("order");
  await sleep(200);
  expect([b.said, c.said]).toEqual([[], []]);
  a.socket.end();
  await b.ok(1, PASSED_ON_MS);
  expect(c.said).toEqual([]);
  b.socket.end();
  await c.ok(1, PASSED_ON_MS);
});

test.concurrent("[BRIDGE-2] A's process is killed: B gets ok next, then C", async () => {
  const script = `const s = require("node:net").connect(${port}, "127.0.0.1");
    s.write("LOCK killed\\n"); s.on("data", (d) => process.stdout.write(d));`;
  const a = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = (await once(a.stdout, "data")) as [Buffer];
  expect(said.toString()).toBe("ok\n");
  const b = await Line.locked("killed");
  await sleep(200);
  const c = await Line.locked("killed");
  await sleep(200);
  a.kill("SIGKILL");
  await b.ok(1, PASSED_ON_MS);
  expect(c.said).toEqual([]);
  b.socket.end();
  await c.ok(1, PASSED_ON_MS);
});

test.concurrent("[BRIDGE-3] a connection that is reset keeps its lock for the lock-delay", async () => {
  const a = await Line.locked("reset");
  await a.ok();
  const b = await Line.locked("reset");
  await sleep(200);
  const resetAt = Date.now();
  a.socket.resetAndDestroy();
  await b.ok();
  expect(Date.now() - resetAt).toBeGreaterThan(9_000);
});

test.concurrent.each([
  ["another protocol", "GET / HTTP/1.1"],
  ["no key", "LOCK"],
  ["a blank key", "LOCK  "],
  ["a key beyond its bound", `LOCK ${"x".repeat(300)}`],
  ["a line beyond its bound", `LOCK ${"x".repeat(2_000)}`],
  ["a control character", "LOCK a\u0000b"],
])("[BRIDGE-6] %s is answered with an error and closed", async (_, text) => {
  const line = await Line.open();
  line.say(text);
  await eventually(() => line.isClosed);
  expect(line.said).toEqual([expect.stringMatching(/^error /)]);
});

test.concurrent("[BRIDGE-6] a line without end is cut off", async () => {
  const line = await Line.open();
  line.socket.write("x".repeat(5_000));
  await eventually(() => line.isClosed);
});

test.concurrent("[BRIDGE-7] a lock that is lost upstream cuts its connection", async () => {
  const gone = await startSeiriken({ runtime: "workerd" });
  const own = new Command("cli/lock-bridge.ts", [
    ...["--port", "0", "--server", gone.url, "--token", gone.lockToken],
  ]);
  commands.push(own);
  await eventually(() => own.lines.length > 0);
  const ownPort = Number(/:(\d+)$/.exec(own.lines[0] ?? "")?.[1]);
  const socket = connect(ownPort, "127.0.0.1");
  await once(socket, "connect");
  const line = new Line(socket);
  lines.push(line);
  line.say("LOCK 17");
  await line.ok();
  await gone.stop();
  await eventually(() => line.isClosed);
});

// These fill the machine; what the others wait for has its bounds in seconds.

test("[BRIDGE-4] two hundred clients of one key: never two at once, each in its turn", async () => {
  let inside = 0;
  let most = 0;
  const clients = await Promise.all(Array.from({ length: 200 }, () => Line.locked("crowd")));
  await Promise.all(
    clients.map(async (client) => {
      await client.ok(1, 120_000);
      inside += 1;
      most = Math.max(most, inside);
      await sleep(1);
      inside -= 1;
      client.socket.end();
    }),
  );
  expect(most).toBe(1);
  expect(clients.every(({ said }) => said.length === 1)).toBe(true);
});

test("[BRIDGE-5] many lines on one connection are answered in order, a key of its own never twice", async () => {
  const one = await Line.open();
  one.socket.write(Array.from({ length: 200 }, (_, i) => `LOCK many-${i}\r\n`).join(""));
  await one.ok(200, 60_000);
  one.say("LOCK many-7");
  await eventually(() => one.said.length > 200);
  expect(one.said.at(-1)).toMatch(/^error /);
  expect(one.said.filter((said) => said === "ok")).toHaveLength(200);
  const other = await Line.locked("many-199");
  await sleep(200);
  expect(other.said).toEqual([]);
  one.socket.end();
  await other.ok();
});

test("[BRIDGE-8] five hundred connections at once, each with a key of its own", async () => {
  const keys = Array.from({ length: 500 }, (_, i) => `own-${i}`);
  const clients = await Promise.all(keys.map((key) => Line.locked(key)));
  await Promise.all(clients.map((client) => client.ok(1, 120_000)));
  const next = await Promise.all(keys.slice(0, 20).map((key) => Line.locked(key)));
  await sleep(500);
  expect(next.flatMap(({ said }) => said)).toEqual([]);
  for (const client of clients) client.socket.end();
  await Promise.all(next.map((client) => client.ok(1, 60_000)));
  expect([...clients, ...next].every(({ said }) => said.length === 1)).toBe(true);
});
