/** Operators who send too much, with the clients that they have. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const MIB = 1_048_576;
const ROOMS = "/.seiriken/client/v4/zones/local/waiting_rooms";
const RULES = "/.seiriken/api/lock-rules";

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken();
});
afterAll(() => seiriken.stop());

/** Node's own client, which sends while it waits, and keeps its connections. */
const send = (method: string, path: string, bytes: number, token = seiriken.adminToken) =>
  fetch(seiriken.url + path, {
    method,
    body: new Uint8Array(bytes).fill(0x20),
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
  });

test.each([
  ["POST", ROOMS, 262_145],
  ["POST", ROOMS, 5 * MIB],
  ["PUT", `${RULES}/orders`, 5 * MIB],
  ["POST", ROOMS, 32 * MIB],
])("[API-28] a %s to %s of %i bytes is told that it is too large", async (method, path, bytes) => {
  for (let times = 0; times < 5; times += 1) {
    const answer = await send(method, path, bytes);
    expect(answer.status).toBe(413);
    expect(await answer.text()).toMatch(/larger than this path takes|at most \d+ bytes/);
  }
  expect((await fetch(`${seiriken.url}/.seiriken/rooms/none`)).status).toBe(404);
});

test("[API-28] so is one that is refused for something else", async () => {
  for (let times = 0; times < 5; times += 1)
    expect((await send("PUT", RULES, 5 * MIB)).status).toBe(405);
});

/** Says that so much comes, sends nothing of it, and hears this. */
const announced = (bytes: number, token: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect(seiriken.port, "127.0.0.1");
    let heard = "";
    socket.setTimeout(30_000, () => reject(new Error(`no answer but ${heard}`)));
    socket.on("error", reject);
    socket.on("data", (piece) => {
      heard += piece.toString("latin1");
      if (!heard.includes("\r\n\r\n")) return;
      socket.destroy();
      resolve(heard);
    });
    socket.write(
      `POST ${ROOMS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
    );
  });

test("[API-28] nobody waits for a larger one, nor for a stranger's", async () => {
  const askedAt = performance.now();
  expect(await announced(32 * MIB + 1, seiriken.adminToken)).toContain(" 413 ");
  expect(await announced(5 * MIB, "not-the-token-of-this-place")).toContain(" 401 ");
  expect(performance.now() - askedAt).toBeLessThan(9_000);
});

test("[API-28] one that never comes is waited for no longer than 10 s", async () => {
  const askedAt = performance.now();
  expect(await announced(5 * MIB, seiriken.adminToken)).toContain(" 413 ");
  expect(performance.now() - askedAt).toBeGreaterThan(9_000);
});
