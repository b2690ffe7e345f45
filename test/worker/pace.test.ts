import { describe, expect, test } from "vitest";
import type { EdgeReport } from "../../src/core/edge-report.ts";
import type { PaceAsk } from "../../src/core/pace/signal.ts";
import { instant } from "../../src/core/time.ts";
import { parsePace } from "../../src/api/rooms/pace.ts";
import { cookieFor, DOCUMENT, roomOf, World } from "./fakes.ts";
import type { WorldOptions } from "./fakes.ts";

const TOKEN = "an-admin-token-for-tests";
const ADMIN = { Authorization: `Bearer ${TOKEN}` };
const PATH = "/.seiriken/api/rooms/shop/pace";

/** What isolates have told of the origin's word, with the calls that told it. */
const listening = (pace: () => string | null, options: WorldOptions = {}) => {
  const world = new World({
    ...options,
    origin: () => {
      const said = pace();
      return new Response("x", said === null ? {} : { headers: { "Seiriken-Pace": said } });
    },
  });
  const told: (EdgeReport | null | undefined)[] = [];
  const { snapshot } = world.lobby;
  world.lobby.snapshot = (since, report) => {
    told.push(report);
    return snapshot(since);
  };
  const visit = async (headers: Record<string, string> = {}): Promise<Response> => {
    const Cookie = cookieFor("pass", await world.passToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie, ...headers } });
    await answer.text();
    await world.settled();
    return answer;
  };
  const paces = () => told.flatMap((report) => report?.pace ?? []);
  return { world, visit, paces, calls: () => told.length };
};

describe("what the origin says with its answers", () => {
  test("[SIGNAL-8] goes to the Room at once, and no visitor sees it", async () => {
    const { visit, paces } = listening(
      () => "permits=20; starts=5; new-users=90; left=120; ttl=30",
    );
    const answer = await visit();
    expect(answer.headers.has("Seiriken-Pace")).toBe(false);
    expect(paces()).toEqual([
      {
        ask: {
          permits: 20,
          startsPerSecond: 5,
          startsPerMinute: 90,
          stockLeft: 120,
          ttlSeconds: 30,
          reason: "the origin's answers say so",
        },
        ageMs: 0,
      },
    ]);
  });

  test("[SIGNAL-8] said again costs no call; news at most one a second", async () => {
    let left = 50;
    const { world, visit, paces, calls } = listening(() => `left=${left}`);
    await visit();
    const before = calls();
    for (let time = 0; time < 5; time += 1) await visit();
    expect(calls()).toBe(before);
    for (left = 40; left > 30; left -= 1) await visit();
    expect(calls()).toBe(before);
    await world.advance(1_100);
    await visit();
    expect(paces().at(-1)?.ask.stockLeft).toBe(30);
    expect(calls()).toBeLessThanOrEqual(before + 2);
  });

  test("[SIGNAL-8] of a visitor it is nothing: the origin does not hear it, nor the Room", async () => {
    const { world, visit, paces } = listening(() => null);
    await visit({ "Seiriken-Pace": "permits=1" });
    expect(world.seen[0]?.headers.has("Seiriken-Pace")).toBe(false);
    await world.advance(2_500);
    await visit();
    expect(paces()).toEqual([]);
  });

  test("[SIGNAL-8] counts with what is exempt too, and not outside of the room's paths", async () => {
    const rooms = [roomOf({ exempt: [{ path: "/tickets/paid" }] })];
    const { world, paces } = listening(() => "left=3", { rooms });
    const outside = await world.fetch("/about", { headers: DOCUMENT });
    expect(outside.headers.has("Seiriken-Pace")).toBe(false);
    await world.settled();
    expect(paces()).toEqual([]);
    await (await world.fetch("/tickets/paid", { headers: DOCUMENT })).text();
    await world.settled();
    expect(paces()).toMatchObject([{ ask: { stockLeft: 3, ttlSeconds: 60 } }]);
  });

  test.each([
    ["", "ttl=60", "permits=0", "permits=-1", "permits=1.5", "permits=1; permits=2", "left=x"],
    ["permits=1; ttl=0", "permits=1; ttl=86401", "speed=9", "permits=99999999999", "permits 20"],
    ["permits=1, permits=2", `permits=${" ".repeat(300)}1`, "permits=1; ; left=2"],
  ])("[SIGNAL-8] what cannot be read as a whole says nothing: %s, %s, %s …", async (...texts) => {
    for (const text of texts) {
      const { visit, paces } = listening(() => text);
      const answer = await visit();
      expect(answer.status).toBe(200);
      expect(paces()).toEqual([]);
    }
  });
});

describe("the call for the pace", () => {
  const view = (api: PaceAsk | null) => ({
    now: instant(1_000),
    operator: { permitsMax: 10, startsPerSecondMax: null, startsPerMinuteMax: 100 },
    inEffect: { permitsMax: api?.permits ?? 10, startsPerSecondMax: null, startsPerMinuteMax: 100 },
    settings: { adaptive: false, leastPermits: null, soldOut: null },
    signals: {
      api: api === null ? null : { ...api, saidAt: instant(1_000), until: instant(61_000) },
      origin: null,
    },
    adaptiveMax: null,
    quietMs: null,
    closedBy: null,
    changes: [],
  });

  const worldOf = () => {
    const world = new World({ env: { ADMIN_TOKEN: TOKEN } });
    const asks: (PaceAsk | "taken-back")[] = [];
    let stands: PaceAsk | null = null;
    world.room.pace = async (ask) => {
      if (ask !== null) asks.push(ask);
      if (ask !== null) stands = ask === "taken-back" ? null : ask;
      return view(stands);
    };
    const call = (method: string, body?: unknown, headers: Record<string, string> = ADMIN) =>
      world.fetch(PATH, {
        method,
        headers,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    return { world, asks, call };
  };
  const SLOW = { permits: 4, ttl_seconds: 60, reason: "the shop is slow" };

  test("[SIGNAL-9] is set, read and taken back", async () => {
    const { world, asks, call } = worldOf();
    const put = await call("PUT", SLOW);
    expect(put.status).toBe(200);
    expect(await put.json()).toMatchObject({
      room: "shop",
      in_effect: { permits: 4 },
      operator: { permits: 10, starts_per_second: null, new_users_per_minute: 100 },
      signals: { api: { permits: 4, stock_left: null, reason: "the shop is slow" }, origin: null },
    });
    expect(await (await call("GET")).json()).toMatchObject({ in_effect: { permits: 4 } });
    expect(await (await call("DELETE")).json()).toMatchObject({ in_effect: { permits: 10 } });
    // Where nothing stands there is nothing to take back, and nothing to enter.
    expect(await (await call("DELETE")).json()).toMatchObject({ in_effect: { permits: 10 } });
    expect(asks).toEqual([
      {
        permits: 4,
        startsPerSecond: null,
        startsPerMinute: null,
        stockLeft: null,
        ttlSeconds: 60,
        reason: "the shop is slow",
      },
      "taken-back",
    ]);
    const changes = world.log.filter(({ event }) => event === "operator-change");
    expect(changes.map(({ action }) => action)).toEqual(["pace-signalled", "pace-taken-back"]);
    expect((await call("POST", SLOW)).headers.get("Allow")).toBe("GET, PUT, DELETE");
  });

  test("[SIGNAL-9] a machine that says the same again, or how much is left, fills no audit log", async () => {
    const { world, call } = worldOf();
    for (let left = 500; left > 480; left -= 1)
      await call("PUT", { ...SLOW, stock_left: left, ttl_seconds: left });
    await call("PUT", { ...SLOW, stock_left: 0 });
    const changes = world.log.filter(({ event }) => event === "operator-change");
    expect(changes).toHaveLength(2);
  });

  test("[SIGNAL-9] wrong tokens get nowhere", async () => {
    const { asks, call } = worldOf();
    for (const Authorization of ["", "Bearer wrong", `Bearer ${TOKEN}x`])
      for (const method of ["GET", "PUT", "DELETE"])
        expect(
          (await call(method, method === "PUT" ? SLOW : undefined, { Authorization })).status,
        ).toBe(401);
    expect(asks).toEqual([]);
  });

  test("[SIGNAL-9] every problem is told at once, and nothing was done", async () => {
    const { asks, call } = worldOf();
    const refused = await call("PUT", {
      permits: 0,
      starts_per_second: 1.5,
      ttl_seconds: 86_401,
      speed: 1,
    });
    expect(refused.status).toBe(400);
    const { code, errors } = (await refused.json()) as {
      code: string;
      errors: { pointer: string }[];
    };
    expect(code).toBe("pace-invalid");
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      "/permits",
      "/reason",
      "/speed",
      "/starts_per_second",
      "/ttl_seconds",
    ]);
    expect((await call("PUT", { ttl_seconds: 60, reason: "nothing" })).status).toBe(400);
    expect((await call("PUT", "not an object")).status).toBe(400);
    expect(asks).toEqual([]);
  });

  test.each([
    [{ ttl_seconds: 0 }, false],
    [{ ttl_seconds: 1 }, true],
    [{ ttl_seconds: 86_400 }, true],
    [{ permits: null, stock_left: 0 }, true],
    [{ permits: null, stock_left: -1 }, false],
    [{ reason: "two\nlines" }, false],
    [{ reason: " " }, false],
    [{ reason: "x".repeat(201) }, false],
    [{ permits: 2 ** 31 }, false],
  ])("[SIGNAL-9] %o: %s", (change, isTaken) => {
    expect(parsePace({ ...SLOW, ...change }).ok).toBe(isTaken);
  });
});
