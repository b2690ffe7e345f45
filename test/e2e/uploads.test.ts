/** Bodies on their way to the origin. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { Connection } from "../support/connection.ts";
import type { Leaving } from "../support/connection.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { requestRoom } from "../support/requests.ts";
import { roomOver, RUNTIMES, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

/** Three seconds, the shortest lease there is. */
const BRIEF = { total_active_users: 1, session_duration: 0.05 };
const LEASE_MS = 3_000;

const CHUNKED = { "Transfer-Encoding": "chunked" };
const HALF = "5\r\nhello\r\n";
const REST = "5\r\nworld\r\n0\r\n\r\n";

/** What ends a body before its end. */
const BREAKS: readonly (readonly [string, string, Leaving])[] = [
  ["between two chunks, politely", HALF, "fin"],
  ["between two chunks", HALF, "rst"],
  ["within a chunk, politely", "a\r\nhello", "fin"],
  ["within a chunk", "a\r\nhello", "rst"],
];

describe.each(RUNTIMES)("on %s", (runtime) => {
  let seiriken: Seiriken;
  const whole: string[] = [];

  beforeAll(async () => {
    seiriken = await startSeiriken({
      runtime,
      rooms: [
        roomOver("visits"),
        roomOver("brief", BRIEF),
        requestRoom(),
        roomOver("kept", { seiriken: { keep_host: true } }),
      ],
    });
  });
  beforeAll(async () => {
    const key = { from: "header", name: "X-Key", required: false };
    await ask(`${seiriken.url}/.seiriken/api/lock-rules`, {
      method: "POST",
      headers: { authorization: `Bearer ${seiriken.adminToken}` },
      body: JSON.stringify({ name: "locked", path: "/locked", key }),
    });
  });
  afterAll(() => seiriken.stop());
  beforeEach(() => {
    whole.length = 0;
    seiriken.origin.reset();
    seiriken.origin.handle(({ body }, response) => {
      whole.push(body.toString());
      response.end("done");
    });
  });

  const post = (path: string, body: string, headers: Record<string, string> = {}) =>
    Connection.ask(`${seiriken.url}${path}`, {
      method: "POST",
      headers: { ...CHUNKED, ...headers },
      body,
    });

  test.each(BREAKS)(
    "[PROXY-13] a chunked body that its client breaks off %s is no whole one for the origin",
    async (_, body, leaving) => {
      const visitor = await visitorInside(seiriken, "visits");
      const kept = await visitorInside(seiriken, "kept");
      const Cookie = `${visitor.cookieHeader()}; ${kept.cookieHeader()}`;
      seiriken.origin.reset();
      for (const path of ["/plain", "/visits/x", "/report/x", "/kept/x", "/locked"]) {
        const client = await post(path, body, { Cookie });
        await eventually(() => seiriken.origin.requests.some(({ url }) => url === path));
        client.leave(leaving);
        await eventually(() => seiriken.origin.running === 0);
        expect([path, ...whole]).toEqual([path]);
      }
      expect(JSON.stringify(seiriken.events)).not.toContain("origin-lost");
    },
  );

  test.each(["/plain", "/report/x", "/locked", "/locked?key=7"])(
    "[PROXY-13] a whole one to %s is, and its client hears the answer",
    async (path) => {
      const client = await post(path, HALF, path.endsWith("7") ? { "X-Key": "7" } : {});
      await eventually(() => seiriken.origin.running === 1);
      client.send(REST);
      await eventually(() => client.text.includes("done"));
      expect(whole).toEqual(["helloworld"]);
    },
  );

  test.each([
    ["", "/locked", {}],
    [" of a locked request", "/locked", { "X-Key": "9" }],
    [" of a visit", "/visits/x", {}],
    [" of a request that has a permit", "/report/x", {}],
    [" below a kept host", "/kept/x", {}],
  ])(
    "[PROXY-14] an origin may answer before it has the body%s, take no more of it, and close",
    async (_, path, headers) => {
      let close = (): unknown => undefined;
      const visitor = await visitorInside(seiriken, "visits");
      const kept = await visitorInside(seiriken, "kept");
      const Cookie = `${visitor.cookieHeader()}; ${kept.cookieHeader()}`;
      seiriken.origin.reset();
      seiriken.origin.handle(
        (_request, response, request) => {
          response.writeHead(413).write("too ");
          close = () => request.socket.destroy();
          setTimeout(() => response.end("much", () => request.socket.pause()), 100);
        },
        { stream: true },
      );
      const client = await post(path, HALF, { Cookie, ...headers });
      const sending = setInterval(() => client.send(`10000\r\n${"x".repeat(65_536)}\r\n`), 10);
      await client.until(() => client.text.includes("much"));
      close();
      await client.until(() => client.isWhole);
      clearInterval(sending);
      expect(client.status).toBe(413);
      expect(client.text).toMatch(/too .*much/s);
      expect(client.isWhole).toBe(true);
      client.leave("rst");
    },
  );

  test.each([
    ["a success, to a chunked body", 200, CHUNKED, HALF],
    ["an error, to a short body that is there", 500, { "Content-Length": "5" }, "hello"],
  ])("[PROXY-8] [PROXY-14] broken off as before: %s", async (_, status, headers, body) => {
    seiriken.origin.handle(
      (_request, response, request) => {
        response.writeHead(status).write("too ");
        setTimeout(() => request.socket.destroy(), 200);
      },
      { stream: true },
    );
    for (const path of ["/plain", "/report/x"]) {
      const url = `${seiriken.url}${path}`;
      const client = await Connection.ask(url, { method: "POST", headers, body });
      const isChunked = headers === CHUNKED;
      const sending = setInterval(() => isChunked && client.send("5\r\nhello\r\n"), 10);
      await client.closed;
      clearInterval(sending);
      expect([path, client.status, client.isWhole]).toEqual([path, status, false]);
    }
  });

  test("[STAY-8] nobody else is let in while a visitor uploads for longer than the lease", async () => {
    const visitor = await visitorInside(seiriken, "brief");
    const client = await post("/brief/x", HALF, { Cookie: visitor.cookieHeader() });
    const until = performance.now() + 1.5 * LEASE_MS;
    while (performance.now() < until) {
      client.send(HALF);
      await sleep(250);
    }
    const other = await ask(`${seiriken.url}/brief`, { headers: { accept: "text/html" } });
    expect(other.status).toBe(503);
    client.send("0\r\n\r\n");
    await client.until(() => client.isWhole);
    expect(client.text).toContain("done");
  });
});
