/** What is asked as the origin leads back to us, as when a proxy in front is named in its place. */
import { once } from "node:events";
import { createServer, request as httpRequest } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../support/http.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
let proxy: Server;
let proxied: string[] = [];

/** Sends all on to us, under the host that its visitors asked for. */
const leadsBack = async (): Promise<Server> => {
  const server = createServer((request, response) => {
    const { method = "GET", headers, url = "/" } = request;
    proxied.push(`${method} ${url}`);
    const host = String(headers["x-forwarded-host"] ?? headers.host);
    const passed = httpRequest(
      new URL(url, seiriken.url),
      { method, headers: { ...headers, host } },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    passed.on("error", () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
};

beforeAll(async () => {
  proxy = await leadsBack();
  const origin = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  seiriken = await startSeiriken({
    rooms: [
      { name: "round", host: "round.example", path: "/shop", seiriken: { origin } },
      { name: "straight", host: "straight.example", path: "/shop" },
    ].map((room) => ({ ...room, total_active_users: 100, new_users_per_minute: 1_000 })),
  });
});
afterAll(async () => {
  await seiriken.stop();
  proxy.closeAllConnections();
  proxy.close();
});

test.each(["GET", "POST"])(
  "[ORIGIN-29] a %s goes round four times, and is answered",
  async (method) => {
    proxied = [];
    const answer = await ask(`${seiriken.url}/shop`, {
      method,
      headers: { host: "round.example", accept: "application/json" },
      ...(method === "POST" ? { body: "an order" } : {}),
    });
    expect([answer.status, answer.json().code]).toEqual([508, "origin-loop"]);
    expect(proxied).toEqual(Array.from({ length: 4 }, () => `${method} /shop`));
    expect(JSON.stringify(seiriken.events)).toContain("origin-loop");
  },
);

test("[ORIGIN-29] and a room whose origin is its own goes on meanwhile", async () => {
  const headers = { host: "straight.example" };
  const [answer] = await Promise.all([
    ask(`${seiriken.url}/shop`, { headers }),
    ...Array.from({ length: 20 }, () =>
      ask(`${seiriken.url}/shop`, { headers: { host: "round.example" } }),
    ),
  ]);
  expect(answer.status).toBe(200);
  expect(seiriken.origin.requests).toHaveLength(1);
});
