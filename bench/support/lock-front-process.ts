/**
 * redis-semaphore's Mutex behind a plain Node front that takes the lock service's questions, over
 * HTTP and over a socket that is the lock. `REDIS_SOCKET TOKEN`
 */
import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Redis } from "ioredis";
import { Mutex } from "redis-semaphore";
import { WebSocketServer, type WebSocket } from "ws";

const [redisSocket = "", token = ""] = process.argv.slice(2);
const redis = new Redis({ path: redisSocket });
const held = new Map<string, Mutex>();

const LEASE_MS = 30_000;
const WAIT_MS = 60_000;

/** A lease is renewed by whoever holds it; a socket's lock by the front, for as long as it is open. */
const mutexFor = (key: string, identifier: string, refreshInterval: number): Mutex =>
  new Mutex(redis, key, {
    identifier,
    lockTimeout: LEASE_MS,
    acquireTimeout: WAIT_MS,
    refreshInterval,
  });

const newOwner = (): string => randomBytes(16).toString("base64url");
const keyOf = ({ url = "" }: IncomingMessage): string => decodeURIComponent(url);
const isTrusted = ({ headers }: IncomingMessage): boolean =>
  headers.authorization === `Bearer ${token}`;

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = "";
  for await (const chunk of request) text += String(chunk);
  return text;
};

const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (!isTrusted(request)) return void response.writeHead(401).end();
  const key = keyOf(request);
  if (request.method === "DELETE") {
    const owner = String(request.headers["seiriken-owner"]);
    await held.get(owner)?.release();
    return void response.writeHead(held.delete(owner) ? 204 : 410).end();
  }
  const { lease_seconds: leaseSeconds } = JSON.parse(await bodyOf(request)) as {
    lease_seconds: number;
  };
  const owner = newOwner();
  const mutex = mutexFor(key, owner, 0);
  await mutex.acquire();
  held.set(owner, mutex);
  const lease_until = new Date(Date.now() + leaseSeconds * 1_000).toISOString();
  const text = JSON.stringify({ key, owner, lease_until });
  const headers = { "Content-Type": "application/json", "Content-Length": text.length };
  return void response.writeHead(201, headers).end(text);
};

const hold = async (socket: WebSocket, key: string): Promise<void> => {
  const owner = newOwner();
  const mutex = mutexFor(key, owner, LEASE_MS * 0.8);
  await mutex.acquire();
  if (socket.readyState !== socket.OPEN) return mutex.release();
  socket.on("close", () => void mutex.release());
  socket.send(JSON.stringify({ type: "granted", owner }));
};

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => {
    console.error(error);
    response.destroy();
  });
});
const sockets = new WebSocketServer({ noServer: true });
server.on("upgrade", (request, stream, head) => {
  if (!isTrusted(request)) return void stream.destroy();
  sockets.handleUpgrade(request, stream, head, (socket) => {
    hold(socket, keyOf(request)).catch((error: unknown) => {
      console.error(error);
      socket.terminate();
    });
  });
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
process.on("disconnect", () => process.exit(0));
