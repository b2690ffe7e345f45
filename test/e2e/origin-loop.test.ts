/** What is asked as the origin leads back to us, as when a proxy in front is named in its place. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { ask } from "../support/http.ts";
import { startProxy } from "../support/proxy.ts";
import type { Proxy } from "../support/proxy.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
/** Sends all on to us, under the host that its visitors asked for. */
let proxy: Proxy;

beforeAll(async () => {
  proxy = await startProxy(
    () => seiriken.url,
    (headers) => String(headers["x-forwarded-host"] ?? headers.host),
  );
  seiriken = await startSeiriken({
    rooms: [
      { name: "round", host: "round.example", path: "/shop", seiriken: { origin: proxy.url } },
      { name: "straight", host: "straight.example", path: "/shop" },
    ].map((room) => ({ ...room, total_active_users: 100, new_users_per_minute: 1_000 })),
  });
});
afterAll(async () => {
  await seiriken.stop();
  proxy.close();
});

test.each(["GET", "POST"])(
  "[ORIGIN-29] a %s goes round four times, and is answered",
  async (method) => {
    proxy.reset();
    const answer = await ask(`${seiriken.url}/shop`, {
      method,
      headers: { host: "round.example", accept: "application/json" },
      ...(method === "POST" ? { body: "an order" } : {}),
    });
    expect([answer.status, answer.json().code]).toEqual([508, "origin-loop"]);
    expect(proxy.passed).toEqual(Array.from({ length: 4 }, () => `${method} /shop`));
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
