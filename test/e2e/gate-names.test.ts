import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { openRaw } from "../support/http.ts";
import { startProxy } from "../support/proxy.ts";
import type { Proxy } from "../support/proxy.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

/** Nobody gets in: whatever reaches the origin below these paths went round the room. */
const ROOMS = [
  {
    name: "shop",
    host: "shop.example",
    path: "/tickets",
    total_active_users: 1,
    new_users_per_minute: 100,
    queue_all: true,
  },
  {
    name: "one",
    host: "one.example",
    total_active_users: 1,
    new_users_per_minute: 100,
  },
];

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken({ runtime: "workerd", rooms: ROOMS });
});
afterAll(() => seiriken.stop());
beforeEach(() => seiriken.origin.reset());

const reached = () => seiriken.origin.requests.map(({ method, url }) => `${method} ${url}`);

/** An answer is whole once its length, or its last chunk, is there. */
const isWhole = (text: string): boolean => {
  const head = text.indexOf("\r\n\r\n") + 4;
  if (head < 4) return false;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, head))?.[1];
  if (length !== undefined) return text.length >= head + Number(length);
  return text.endsWith("0\r\n\r\n") || / (?:204|304) /.test(text.slice(0, 16));
};

/** The answer to exactly these bytes. */
const answerTo = async (
  target: string,
  headers: readonly string[],
  { method = "GET", body = "" } = {},
) => {
  const socket = await openRaw(seiriken.url);
  const text = await new Promise<string>((resolve, reject) => {
    let heard = "";
    socket.setTimeout(10_000, () => reject(new Error(`no whole answer to ${target}: ${heard}`)));
    socket.on("error", reject);
    socket.on("end", () => resolve(heard));
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      if (isWhole(heard)) resolve(heard);
    });
    const head = [`${method} ${target} HTTP/1.1`, ...headers, "", ""].join("\r\n");
    socket.write(head + body, "latin1");
  });
  socket.destroy();
  return { status: Number(text.slice(9, 12)), text };
};

/** Sends everything on under its upstream's own name, as nginx does unless it is told otherwise. */
const proxyInFront = (): Promise<Proxy> =>
  startProxy(
    () => seiriken.url,
    () => new URL(seiriken.url).host,
  );

test("[HOST-1] none of the machine's own names opens what a room guards on its host", async () => {
  const { port } = new URL(seiriken.url);
  const names = ["localhost", "127.0.0.1", "0x7f.1", "[::1]", "LOCALHOST.", "other.example"];
  for (const name of names)
    for (const path of ["/tickets", "/about"]) {
      const { status, text } = await answerTo(path, [`Host: ${name}:${port}`]);
      expect([name, status]).toEqual([name, 421]);
      expect(text).toContain("proxy_set_header Host");
    }
  expect(reached()).toEqual([]);
  expect((await answerTo("/tickets", ["Host: shop.example"])).status).toBe(503);
  expect((await answerTo("/about", ["Host: shop.example"])).status).toBe(200);
  expect(reached()).toEqual(["GET /about"]);
});

test("[HOST-1] a proxy that sends its upstream's name as Host does not take the gate away", async () => {
  const proxy = await proxyInFront();
  try {
    const answer = await fetch(`${proxy.url}/tickets`, {
      headers: { Accept: "application/json" },
    });
    expect(answer.status).toBe(421);
    expect(await answer.json()).toMatchObject({ code: "unknown-host" });
    expect(reached()).toEqual([]);
  } finally {
    proxy.close();
  }
});

test("[OWN-1] no spelling of a management path takes the admin token to the origin", async () => {
  const rooms = "/.seiriken/client/v4/zones/z/waiting_rooms";
  const targets = [
    `${rooms}/..%2f..`,
    `${rooms}/x%00`,
    "/.seiriken;x/client/v4",
    "/x/..%2f.seiriken/client/v4",
    "/.%ef%bd%93eiriken/client/v4",
    "/.\uff53eiriken/client/v4",
    "/.%c1%b3eiriken",
    "/.Seiriken",
    "//.seiriken",
    "/%2eseiriken/client",
    "/.seiriken/locks/a/..%2f..%00",
    "/.seiriken/../.seiriken;/x",
  ];
  for (const host of ["shop.example", new URL(seiriken.url).host])
    for (const target of targets) {
      const headers = [`Host: ${host}`, `Authorization: Bearer ${seiriken.adminToken}`];
      const { status } = await answerTo(Buffer.from(target).toString("latin1"), headers);
      expect([target, [400, 401, 404].includes(status)]).toEqual([target, true]);
    }
  expect(reached()).toEqual([]);
});

test("[ORIGIN-9] [ORIGIN-26] [ORIGIN-28] [COOKIE-10] what a gateway could read as ours, or as another address, stays here", async () => {
  const sent = [
    "Host: shop.example",
    "Seiriken_Visit: 7",
    "Seiriken.Room: shop",
    "Forwarded: host=shop.example",
    "X-Original-URL: /tickets",
    "X_Rewrite_URL: /tickets",
    "MF-Original-URL: http://shop.example/tickets",
    'MF-CF-Blob: {"clientIp":"192.0.2.66"}',
    "X-HTTP-Method-Override: DELETE",
    "X_Forwarded_Host: evil.example",
    "X-Real-IP: 192.0.2.66",
    "True_Client_IP: 192.0.2.66",
    "CF-Connecting-IPv6: 2001:db8::66",
    "X-Forwarded-Ssl: on",
    "X-Own: kept",
    "Cookie: a=1",
    "Cookie: __Host-seiriken-pass-shop=secret; b=2",
    "Cookie: seiriken-ticket-shop=secret",
  ];
  expect((await answerTo("/about", sent)).status).toBe(200);
  const [heard] = seiriken.origin.requests;
  expect(Object.keys(heard?.headers ?? {}).toSorted()).toEqual([
    "cdn-loop",
    "cookie",
    "host",
    "x-forwarded-for",
    "x-forwarded-host",
    "x-forwarded-proto",
    "x-own",
  ]);
  expect(heard?.headers["x-forwarded-host"]).toBe("shop.example");
  expect(heard?.headers.cookie).toBe("a=1; b=2");
});

test("[COOKIE-15] no blank but our own kind stands before the name of a cookie", async () => {
  const host = ["Host: one.example", "X-Forwarded-Proto: https", "Accept: text/html"];
  const entered = await answerTo("/", host);
  expect(entered.status).toBe(200);
  const pass = /__Host-seiriken-pass-one=[^;]+/.exec(entered.text)?.[0] ?? "";
  const statusWith = async (before: string) =>
    (await answerTo("/", [...host, `Cookie: a=1;${before}${pass}`])).status;
  expect(await statusWith(" \t")).toBe(200);
  for (const blank of ["\u00a0", "\u00c2\u00a0", "\u00e2\u0080\u0083", "\u00ef\u00bb\u00bf"])
    expect([blank, await statusWith(blank)]).toEqual([blank, 503]);
});

test("[GATE-56] [GATE-57] preflights past a paused room are few, and carry nothing", async () => {
  const startedAt = performance.now();
  const laden = [
    "Host: shop.example",
    "Origin: https://app.example",
    "Access-Control-Request-Method: PUT",
    "Authorization: Bearer secret",
    "Cookie: session=secret",
    "X-HTTP-Method-Override: DELETE",
    "Content-Length: 6",
  ];
  const statuses: number[] = [];
  for (let round = 0; round < 15; round++) {
    const asked = Array.from({ length: 20 }, () =>
      answerTo("/tickets/7", laden, { method: "OPTIONS", body: "a body" }),
    );
    for (const { status } of await Promise.all(asked)) statuses.push(status);
  }
  const seconds = Math.ceil((performance.now() - startedAt) / 1_000) + 1;
  const { requests } = seiriken.origin;
  expect(statuses.filter((status) => status === 200)).toHaveLength(requests.length);
  expect(statuses.filter((status) => status === 429)).toHaveLength(300 - requests.length);
  expect(requests.length).toBeGreaterThanOrEqual(10);
  expect(requests.length).toBeLessThanOrEqual(10 * seconds);
  for (const { method, headers, body } of requests) {
    expect([method, body.length]).toEqual(["OPTIONS", 0]);
    expect(JSON.stringify(headers)).not.toMatch(/secret|override/i);
    expect(headers.origin).toBe("https://app.example");
  }
});
