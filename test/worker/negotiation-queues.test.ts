import { beforeEach, describe, expect, test } from "vitest";
import { bootOf, cookieFor, DOCUMENT, JSON_APP, roomOf, World } from "./fakes.ts";

/** The gate of a room that queues, for those who come for the first time. */

const FORM = { ...DOCUMENT, "Content-Type": "application/x-www-form-urlencoded" };
const PREFLIGHT = { Origin: "https://app.example", "Access-Control-Request-Method": "PUT" };
const NEWCOMER = { known: true, seconds: 186, low: 136, high: 254 } as const;
const SUBRESOURCES = ["image", "script", "style", "font"] as const;

let world: World;
beforeEach(() => {
  world = new World();
});

const statusOf = (answer: Response): string | null => answer.headers.get("Seiriken-Status");
const text = (answer: Response): Promise<string> => answer.text();

describe("a room that queues", () => {
  beforeEach(() => world.say({ mode: "queues", waiting: 30, newcomer: NEWCOMER }));

  test.each([503, 429, 202, 200] as const)(
    "[GATE-10] gives a document the page, with status %i and Retry-After",
    async (queueingStatusCode) => {
      world = new World({ rooms: [roomOf({ queueingStatusCode })] });
      world.say({ mode: "queues" });
      const answer = await world.fetch("/tickets?day=1", { headers: DOCUMENT });
      expect(answer.status).toBe(queueingStatusCode);
      expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect(statusOf(answer)).toBe("queued; room=shop");
      const html = await text(answer.clone());
      expect(html.includes(answer.headers.get("Seiriken-Reference")!)).toBe(true);
      expect((await bootOf(answer)).to).toBe("/tickets?day=1");
      expect(world.seen).toEqual([]);
    },
  );

  test("[GATE-11] asks no object for a first contact, and hands out a visitor id", async () => {
    for (const headers of [DOCUMENT, JSON_APP]) {
      const answer = await world.fetch("/tickets", { headers });
      expect(answer.headers.getSetCookie()).toHaveLength(1);
      expect(answer.headers.getSetCookie()[0]).toContain("seiriken-visitor-shop=");
    }
    expect(world.asked).toEqual([]);
  });

  test("[GATE-58] gives an app the page where JSON is off", async () => {
    const rooms = [roomOf({ jsonResponseEnabled: false, queueingStatusCode: 202 })];
    const html = new World({ rooms });
    html.say({ mode: "queues" });
    const answer = await html.fetch("/tickets", { headers: JSON_APP });
    expect(answer.status).toBe(202);
    expect(answer.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    expect(await answer.text()).toContain("<!doctype html>");
    const picture = await html.fetch("/tickets", { headers: { "Sec-Fetch-Dest": "image" } });
    expect(picture.headers.get("Content-Type")).toBe("text/plain; charset=utf-8");
  });

  test("[GATE-12] gives an app cfWaitingRoom, with exactly Cloudflare's keys, and the ticket", async () => {
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Content-Type")).toBe("application/json");
    const body = (await answer.json()) as Record<string, Record<string, unknown>>;
    expect(Object.keys(body)).toEqual(["cfWaitingRoom", "seiriken"]);
    expect(body["cfWaitingRoom"]).toEqual({
      inWaitingRoom: true,
      waitTimeKnown: true,
      waitTime: 4,
      waitTime25Percentile: 3,
      waitTime50Percentile: 4,
      waitTime75Percentile: 5,
      waitTimeFormatted: "4 minutes",
      queueIsFull: false,
      queueAll: false,
      lastUpdated: "2026-11-20T09:00:00.000Z",
      refreshIntervalSeconds: 2,
      queueingMethod: "fifo",
      isFIFOQueue: true,
      isRandomQueue: false,
      isPassthroughQueue: false,
      isRejectQueue: false,
      isEventActive: false,
      isEventPrequeueing: false,
      timeUntilEventStart: 0,
      timeUntilEventStartFormatted: "unavailable",
      timeUntilEventEnd: 0,
      timeUntilEventEndFormatted: "unavailable",
      shuffleAtEventStart: false,
    });
    expect(body["seiriken"]).toEqual({
      room: "shop",
      number: null,
      state: "none",
      ahead: 30,
      eta: NEWCOMER,
      claim_by: null,
      poll_after_seconds: 2,
      ticket: null,
      page: "/.seiriken/rooms/shop/wait",
    });
  });

  test("[RANDOM-8] tells an app among how many it would be, where turns are drawn", async () => {
    const drawing = new World({ rooms: [roomOf({ queueingMethod: "random" })] });
    const newcomer = { known: false, reason: "random" } as const;
    drawing.say({ mode: "queues", waiting: 30, newcomer });
    const answer = await drawing.fetch("/tickets", { headers: JSON_APP });
    expect(await answer.json()).toMatchObject({
      cfWaitingRoom: {
        queueingMethod: "random",
        isRandomQueue: true,
        isFIFOQueue: false,
        waitTimeKnown: false,
      },
      seiriken: { ahead: null, among: 31, eta: { known: false, reason: "random" } },
    });
  });

  test.each(SUBRESOURCES)(
    "[GATE-13] gives %s 503 and a short text, never a ticket",
    async (dest) => {
      for (const Cookie of ["", cookieFor("visitor", await world.visitorToken())]) {
        const headers = { "Sec-Fetch-Dest": dest, Cookie };
        const answer = await world.fetch("/tickets/x.png", { headers });
        expect(answer.status).toBe(503);
        expect(answer.headers.get("Content-Type")).toContain("text/plain");
        expect((await text(answer)).length).toBeLessThan(100);
        expect(answer.headers.getSetCookie()).toEqual([]);
      }
      expect(world.asked).toEqual([]);
    },
  );

  test("[GATE-13] a part of a page is 503 whatever the page's own status is", async () => {
    world = new World({ rooms: [roomOf({ queueingStatusCode: 200 })] });
    world.say({ mode: "queues" });
    const answer = await world.fetch("/tickets", { headers: { "Sec-Fetch-Dest": "script" } });
    expect(answer.status).toBe(503);
  });

  test.each(["POST", "PUT", "DELETE"])(
    "[GATE-14] says that a form sent by %s was not sent, takes no place, and comes back by GET",
    async (method) => {
      const Cookie = cookieFor("visitor", await world.visitorToken());
      const init = { method, headers: { ...FORM, Cookie }, body: "a=1" };
      const sent = await bootOf(await world.fetch("/tickets", init));
      const opened = await bootOf(await world.fetch("/tickets", { headers: DOCUMENT }));
      expect(sent).toMatchObject({ to: "/tickets", state: { formLost: true } });
      expect(opened.state).not.toHaveProperty("formLost");
      expect(world.seen).toEqual([]);
      expect(world.asked).toEqual([]);
    },
  );

  test("[GATE-15] tells an app where its ticket stands, also when it sends a POST", async () => {
    const headers = { ...JSON_APP, Cookie: cookieFor("ticket", await world.ticketToken()) };
    const answer = await world.fetch("/tickets", { method: "POST", headers, body: "{}" });
    expect(await answer.json()).toMatchObject({ seiriken: { state: "waiting", number: 42 } });
    expect(world.asked).toEqual(["lobby/0 where"]);
    world.lobby.where = async () => ({ kind: "ended" });
    const ended = await world.fetch("/tickets", { method: "POST", headers, body: "{}" });
    expect(await ended.json()).toMatchObject({ seiriken: { state: "none" } });
    expect(ended.headers.getSetCookie()[0]).toMatch(/ticket-shop=; .*Max-Age=0/);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-9] forwards a preflight", async () => {
    const answer = await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT });
    expect(statusOf(answer)).toBe("exempt; room=shop");
    expect(world.seen).toHaveLength(1);
  });

  const LADEN = {
    ...PREFLIGHT,
    "Access-Control-Request-Headers": "x-own",
    "Accept-Language": "de",
    "User-Agent": "a browser",
    Authorization: "Bearer secret",
    Cookie: "session=secret",
    "X-Api-Key": "secret",
    "X-HTTP-Method-Override": "DELETE",
    "X-Original-URL": "/tickets/vip",
    "Idempotency-Key": "1",
    "Content-Type": "application/json",
    Upgrade: "websocket",
  };

  test.each([{}, { ORIGIN: "http://origin.test" }, { ORIGIN: "service:SHOP" }])(
    "[GATE-56] a preflight takes no body, no credentials and no other method along (%j)",
    async (env) => {
      const seen: Request[] = [];
      const answer = (asked: Request) => {
        seen.push(asked);
        return new Response(null, { status: 204 });
      };
      const service = { fetch: (asked: Request) => Promise.resolve(answer(asked)) };
      world = new World({ env: { ...env, SHOP: service } as object, origin: answer });
      world.say({ mode: "queues" });
      const init = { method: "OPTIONS", headers: LADEN, body: "a body" };
      expect((await world.fetch("/tickets", init)).status).toBe(204);
      const [asked] = seen;
      expect([asked?.method, asked?.body]).toEqual(["OPTIONS", null]);
      const names = [...asked!.headers.keys()].filter(
        (name) => !/^(?:x-forwarded|seiriken)/.test(name),
      );
      expect(names).toEqual([
        "accept-language",
        "access-control-request-headers",
        "access-control-request-method",
        "origin",
        "user-agent",
      ]);
    },
  );

  test.each([
    [1, 10],
    [10, 10],
    [11, 11],
  ])("[GATE-57] with %i permits %i preflights go through in a second", async (permitsMax, most) => {
    world = new World({ rooms: [roomOf({ limits: { permitsMax } })] });
    for (const mode of ["queues", "paused", "closed"] as const) {
      world.say({ mode });
      await world.advance(2_000);
      const before = world.seen.length;
      const statuses = [];
      for (let sent = 0; sent < most + 2; sent++)
        statuses.push(
          (await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT })).status,
        );
      expect(statuses).toEqual([...Array<number>(most).fill(200), 429, 429]);
      expect(world.seen.length - before).toBe(most);
    }
    const refused = await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT });
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(await refused.json()).toMatchObject({ code: "too-many-preflights" });
    await world.advance(1_000);
    const later = await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT });
    expect(later.status).toBe(200);
  });

  test("[GATE-57] each room has a rate of its own, and a suspended one none", async () => {
    const two = roomOf(
      { name: "two", routes: [{ host: "shop.example", path: "/two" }] },
      "b".repeat(32),
    );
    world = new World({ rooms: [roomOf({ limits: { permitsMax: 1 } }), two] });
    world.say({ mode: "queues" });
    const send = async (path: string) =>
      (await world.fetch(path, { method: "OPTIONS", headers: PREFLIGHT })).status;
    for (let sent = 0; sent < 11; sent++) await send("/tickets");
    expect([await send("/tickets"), await send("/two")]).toEqual([429, 200]);
    world.say({ mode: "suspended" });
    await world.advance(2_000);
    for (let sent = 0; sent < 30; sent++) expect(await send("/tickets")).toBe(200);
  });

  test("[GATE-9] an OPTIONS that is no preflight waits like the rest", async () => {
    const answer = await world.fetch("/tickets", { method: "OPTIONS" });
    expect(answer.status).toBe(503);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-16] HEAD, prefetches and prerenders take no place and no cookie", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const requests: RequestInit[] = [
      { method: "HEAD", headers: { ...DOCUMENT, Cookie } },
      { method: "HEAD", headers: DOCUMENT },
      { headers: { ...DOCUMENT, Cookie, "Sec-Purpose": "prefetch" } },
      { headers: { ...DOCUMENT, "Sec-Purpose": "prefetch;prerender" } },
      { headers: { ...JSON_APP, Cookie, Purpose: "prefetch" } },
      { headers: { ...DOCUMENT, Cookie, "X-Moz": "prefetch" } },
    ];
    for (const init of requests) {
      const answer = await world.fetch("/tickets", init);
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(world.asked).toEqual([]);
  });

  test("[GATE-16] what is fetched in advance gets 503, whatever the room's status code is", async () => {
    world = new World({ rooms: [roomOf({ queueingStatusCode: 200 })] });
    world.say({ mode: "queues" });
    const headers = { ...DOCUMENT, "Sec-Purpose": "prefetch" };
    const answer = await world.fetch("/tickets", { headers });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Content-Type")).toContain("text/plain");
  });

  test.each(["iframe", "frame", "fencedframe"])(
    "[GATE-51] in an %s of another site the page leads out of it, and keeps no place",
    async (dest) => {
      const framed = {
        Accept: "text/html",
        "Sec-Fetch-Dest": dest,
        "Sec-Fetch-Site": "cross-site",
      };
      const answer = await world.fetch(`/tickets?a="><b>&c`, { headers: framed });
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(answer.headers.get("Content-Security-Policy")).not.toContain("frame-ancestors");
      const html = await text(answer);
      expect(html).toContain(`href="https://shop.example/tickets?a=%22%3E%3Cb%3E&#38;c"`);
      expect(html).not.toContain("<script");
      expect(world.asked).toEqual([]);

      for (const site of ["same-site", "same-origin"]) {
        const headers = { ...framed, "Sec-Fetch-Site": site };
        expect((await world.fetch("/tickets", { headers })).headers.getSetCookie()).toHaveLength(1);
      }
    },
  );

  test("[GATE-52] the page stands in frames of its own site and of cors_origins", async () => {
    const ancestorsWith = async (corsOrigins: readonly string[]): Promise<string | undefined> => {
      world = new World({ rooms: [roomOf({ corsOrigins })] });
      world.say({ mode: "queues" });
      const answer = await world.fetch("/tickets", { headers: DOCUMENT });
      const policy = answer.headers.get("Content-Security-Policy") ?? "";
      return policy.split("; ").find((rule) => rule.startsWith("frame-ancestors"));
    };
    expect(await ancestorsWith([])).toBe("frame-ancestors 'self'");
    const two = ["https://www.shop.example", "https://app.example"];
    expect(await ancestorsWith(two)).toBe(`frame-ancestors 'self' ${two.join(" ")}`);
  });

  test("[GATE-17] HEAD has the page's headers and no body", async () => {
    const answer = await world.fetch("/tickets", { method: "HEAD", headers: DOCUMENT });
    expect(answer.headers.get("Content-Type")).toContain("text/html");
    expect(await text(answer)).toBe("");
  });
});
