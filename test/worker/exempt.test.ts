import { describe, expect, test } from "vitest";
import type { ExemptRule } from "../../src/core/definition.ts";
import { ticketNumber } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

const EVERYTHING = [{ host: "shop.example", path: "/" }];
const worldOf = (...exempt: ExemptRule[]): World => {
  const world = new World({ rooms: [roomOf({ routes: EVERYTHING, exempt })] });
  world.say({ mode: "queues" });
  return world;
};

const isLetThrough = async (
  world: World,
  path: string,
  init: RequestInit = {},
): Promise<boolean> => {
  const before = world.seen.length;
  const answer = await world.fetch(path, {
    ...init,
    headers: { ...JSON_APP, ...(init.headers as object) },
  });
  const status = answer.headers.get("Seiriken-Status");
  expect(["exempt; room=shop", "queued; room=shop", "error"]).toContain(status);
  expect(world.seen.length > before).toBe(status === "exempt; room=shop");
  return status === "exempt; room=shop";
};

test.each([
  ["/.well-known/acme-challenge/x", true],
  ["/.well-known", true],
  ["/robots.txt", true],
  ["/robots.txt.bak", false],
  ["/x/robots.txt", false],
  ["/.well-knownx/", false],
])("[EXEMPT-1] %s by default: %s", async (path, isFree) => {
  expect(await isLetThrough(worldOf(), path)).toBe(isFree);
});

test.each(["POST", "PUT", "DELETE", "OPTIONS", "PROPFIND"])(
  "[EXEMPT-11] %s needs a pass there too, unless a rule of the room's own says otherwise",
  async (method) => {
    expect(await isLetThrough(worldOf(), "/robots.txt", { method })).toBe(false);
    const own = worldOf({ path: "/robots.txt" });
    expect(await isLetThrough(own, "/robots.txt", { method })).toBe(true);
  },
);

test("[EXEMPT-11] so does a WebSocket", async () => {
  const headers = { Upgrade: "websocket" };
  expect(await isLetThrough(worldOf(), "/.well-known/live", { headers })).toBe(false);
  const own = worldOf({ path: "/.well-known/live" });
  expect(await isLetThrough(own, "/.well-known/live", { headers })).toBe(true);
});

const CRAWLER = { cf: { verifiedBotCategory: "Search Engine Crawler" } } as RequestInit;
const crawled = (): World => {
  const world = worldOf();
  world.definitions = { ...world.definitions, settings: { crawlersPass: true } };
  return world;
};

test.each(["GET", "HEAD", "POST"])(
  "[EXEMPT-13] a verified search engine's %s passes where the settings say so, and only there",
  async (method) => {
    expect(await isLetThrough(crawled(), "/", { ...CRAWLER, method })).toBe(true);
    expect(await isLetThrough(worldOf(), "/", { ...CRAWLER, method })).toBe(false);
  },
);

test("[EXEMPT-13] nobody else passes, whatever they say, and no WebSocket does", async () => {
  const other = { cf: { verifiedBotCategory: "Search Engine Optimization" } } as RequestInit;
  expect(await isLetThrough(crawled(), "/", other)).toBe(false);
  const says = { headers: { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" } };
  expect(await isLetThrough(crawled(), "/", says)).toBe(false);
  const socket = { ...CRAWLER, headers: { Upgrade: "websocket" } };
  expect(await isLetThrough(crawled(), "/", socket)).toBe(false);
  const local = new World({ rooms: crawled().definitions.rooms, env: { LOCAL: "1" } });
  local.definitions = { ...local.definitions, settings: { crawlersPass: true } };
  local.say({ mode: "queues" });
  expect(await isLetThrough(local, "/", CRAWLER)).toBe(false);
});

test("[EXEMPT-12] by default 100 a second need none", async () => {
  const world = worldOf();
  const results = [];
  for (let sent = 0; sent < 102; sent++) results.push(await isLetThrough(world, "/robots.txt"));
  expect(results.filter(Boolean)).toHaveLength(100);
  expect(results.lastIndexOf(true)).toBe(99);
  expect(await isLetThrough(world, "/.well-known/x", { method: "HEAD" })).toBe(true);
  await world.advance(1_000);
  expect(await isLetThrough(world, "/robots.txt")).toBe(true);
});

test.each<[string, ExemptRule, string, RequestInit, boolean]>([
  ["its path", { path: "/hook" }, "/hook/paid", {}, true],
  ["another path", { path: "/hook" }, "/hooks", {}, false],
  ["a path with a star", { path: "/hook/*" }, "/hook/paid", {}, true],
  ["its host", { host: "SHOP.example", path: "/hook" }, "/hook", {}, true],
  ["another host", { host: "api.example", path: "/hook" }, "/hook", {}, false],
  ["its method", { path: "/hook", methods: ["post"] }, "/hook", { method: "POST" }, true],
  ["another method", { path: "/hook", methods: ["POST"] }, "/hook", {}, false],
  ["its header", { header: { name: "X-Key" } }, "/a", { headers: { "x-key": "1" } }, true],
  ["no header", { header: { name: "X-Key" } }, "/a", {}, false],
  [
    "the value",
    { header: { name: "X-Key", value: "s" } },
    "/a",
    { headers: { "X-Key": "s" } },
    true,
  ],
  [
    "another value",
    { header: { name: "X-Key", value: "s" } },
    "/a",
    { headers: { "X-Key": "S" } },
    false,
  ],
])("[EXEMPT-2] every condition must hold: %s", async (_what, rule, path, init, isFree) => {
  expect(await isLetThrough(worldOf(rule), path, init)).toBe(isFree);
});

test.each([
  "/hook%2f..%2ftickets",
  "/hook;/../tickets",
  "/hook/..;/tickets",
  "/%2568ook/x",
  "/hook%00",
])("[EXEMPT-3] no spelling of a protected path passes for an exempt one: %s", async (path) => {
  expect(await isLetThrough(worldOf({ path: "/hook" }), path)).toBe(false);
});

test("[EXEMPT-3] a path that holds more than ASCII is exempt as browsers spell it", async () => {
  expect(await isLetThrough(worldOf({ path: "/straße" }), "/straße/x")).toBe(true);
  expect(await isLetThrough(worldOf({ path: "/straße" }), "/Stra%C3%9Fe")).toBe(true);
  expect(await isLetThrough(worldOf({ path: "/straße" }), "/strasse")).toBe(true);
  expect(await isLetThrough(worldOf({ path: "/hook" }), "/hoo%e2%84%aa")).toBe(false);
});

test("[EXEMPT-4] beyond its rate a rule does not apply", async () => {
  const world = worldOf({ path: "/hook", requestsPerSecondMax: 2 });
  const results = [];
  for (let request = 0; request < 3; request++) results.push(await isLetThrough(world, "/hook"));
  expect(results).toEqual([true, true, false]);
  await world.advance(1_000);
  expect(await isLetThrough(world, "/hook")).toBe(true);
});

test("[EXEMPT-5] an exempt request asks no object and tells the origin of no visit", async () => {
  const world = worldOf({ path: "/hook" });
  const forged = { "Seiriken-Visit": "1", "Seiriken-Room": "other" };
  await isLetThrough(world, "/hook", { headers: forged });
  expect(world.asked).toEqual([]);
  expect(world.seen[0]?.headers.get("Seiriken-Room")).toBe("shop");
  expect(world.seen[0]?.headers.has("Seiriken-Visit")).toBe(false);
});

test("[EXEMPT-6] exempt paths go on when no object can be reached", async () => {
  const world = worldOf({ path: "/hook" });
  world.breakObjects();
  expect(await isLetThrough(world, "/hook")).toBe(true);
});

test("[EXEMPT-7] a live pass goes before: its request is a visit's", async () => {
  const world = worldOf({ path: "/hook" });
  const headers = { ...DOCUMENT, Cookie: cookieFor("pass", await world.passToken()) };
  const answer = await world.fetch("/hook", { headers });
  expect(answer.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
  expect(world.seen[0]?.headers.get("Seiriken-Visit")).toBe("7");
});

describe("if: ended-pass", () => {
  const rule: ExemptRule = { path: "/paid", if: "ended-pass" };
  const payer = async (world: World, endedAgoMs: number, visit = 7): Promise<RequestInit> => {
    const until = after(world.now, -endedAgoMs);
    const mintedAt = after(until, -300_000);
    const pass = await world.passToken({ until, mintedAt, visit: ticketNumber(visit) });
    return {
      method: "POST",
      headers: { Cookie: cookieFor("pass", pass), "Sec-Fetch-Site": "cross-site" },
    };
  };
  const paidWorld = (): World => {
    const world = worldOf(rule);
    world.lobby.renew = async () => ({ kind: "ended" });
    return world;
  };

  test.each([
    [0, true],
    [3_599_999, true],
    [3_600_000, false],
  ])("[EXEMPT-8] a pass that ended %i ms ago: %s", async (endedAgoMs, isFree) => {
    const world = paidWorld();
    expect(await isLetThrough(world, "/paid", await payer(world, endedAgoMs))).toBe(isFree);
  });

  test("[EXEMPT-8] a pass whose visit was ended before it expired counts from then", async () => {
    const world = paidWorld();
    const ended = { visit: ticketNumber(7), version: 1, passesUntil: after(world.now, 60_000) };
    world.say({ ended: [ended] });
    expect(await isLetThrough(world, "/paid", await payer(world, -60_000))).toBe(true);
  });

  test("[TOKEN-18] a pass from the future has ended never, and pays for nothing", async () => {
    const world = paidWorld();
    expect(await isLetThrough(world, "/paid", await payer(world, -3_600_000))).toBe(false);
  });

  test("[EXEMPT-9] without a pass, with a forged one, or elsewhere it does not apply", async () => {
    const world = paidWorld();
    expect(await isLetThrough(world, "/paid")).toBe(false);
    const forged = { headers: { Cookie: cookieFor("pass", "a.b.c") } };
    expect(await isLetThrough(world, "/paid", forged)).toBe(false);
    expect(await isLetThrough(world, "/tickets", await payer(world, 60_000))).toBe(false);
  });

  test("[EXEMPT-10] a pass pays for 20 requests, and each pass for its own", async () => {
    const world = paidWorld();
    const first = await payer(world, 60_000);
    for (let request = 0; request < 20; request++)
      expect(await isLetThrough(world, "/paid", first)).toBe(true);
    expect(await isLetThrough(world, "/paid", first)).toBe(false);
    expect(await isLetThrough(world, "/paid", await payer(world, 60_000, 8))).toBe(true);
  });
});
