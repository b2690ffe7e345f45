import { beforeEach, describe, expect, test } from "vitest";
import { currentEvent } from "../../src/core/events/phases.ts";
import { instant } from "../../src/core/time.ts";
import type { EnterAsk } from "../../src/durable/contract.ts";
import { roomEvent } from "../support/events.ts";
import {
  bootOf,
  cookieFor,
  DOCUMENT,
  JSON_APP,
  roomOf,
  ROOM_START,
  viewOf,
  VISITOR,
  World,
} from "./fakes.ts";

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

describe("a live pass", () => {
  describe.each(["open", "queues", "paused", "closed"] as const)("while the room is %s", (mode) => {
    test.each(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
      "[GATE-2] %s gets the origin's answer, and no object is asked",
      async (method) => {
        world.say({ mode });
        const headers = { ...JSON_APP, Cookie: cookieFor("pass", await world.passToken()) };
        const body = ["POST", "PUT", "PATCH"].includes(method) ? "a body" : null;
        const answer = await world.fetch("/tickets/1?q=1", { method, headers, body });
        expect(answer.status).toBe(200);
        expect(statusOf(answer)).toBe("admitted; room=shop");
        expect(answer.headers.getSetCookie()).toEqual([]);
        expect(world.seen).toHaveLength(1);
        expect(world.seen[0]?.method).toBe(method);
        expect(await world.seen[0]?.text()).toBe(body ?? "");
        expect(world.asked).toEqual([]);
      },
    );
  });

  test.each(["document", "empty", "image", "script"])(
    "[GATE-2] lets %s through while the room queues",
    async (dest) => {
      world.say({ mode: "queues" });
      const Cookie = cookieFor("pass", await world.passToken());
      const answer = await world.fetch("/tickets", { headers: { "Sec-Fetch-Dest": dest, Cookie } });
      expect(answer.status).toBe(200);
    },
  );
});

describe("an open room", () => {
  test("[GATE-3] admits a document in the same request, with a pass", async () => {
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(await text(answer)).toBe("from the origin");
    expect(statusOf(answer)).toBe("admitted; room=shop");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
    expect(answer.headers.get("Seiriken-Pass")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(world.asked).toEqual(["lobby/0 enter"]);
  });

  test("[GATE-3] admits a document with an unsafe method, body and all", async () => {
    const answer = await world.fetch("/tickets", { method: "POST", headers: FORM, body: "a=1" });
    expect(statusOf(answer)).toBe("admitted; room=shop");
    expect(await world.seen[0]?.text()).toBe("a=1");
    expect(answer.headers.getSetCookie()).toHaveLength(1);
  });

  test("[GATE-4] admits an app without a visitor id for this answer only", async () => {
    const answer = await world.fetch("/tickets", { headers: JSON_APP });
    expect(await text(answer)).toBe("from the origin");
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test("[GATE-5] admits an app that brings a visitor id for a visit", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie } });
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=");
    expect(world.asked).toEqual(["lobby/0 enter"]);
  });

  test.each(SUBRESOURCES)("[GATE-4] admits %s for this answer only", async (dest) => {
    const answer = await world.fetch("/tickets/x", { headers: { "Sec-Fetch-Dest": dest } });
    expect(await text(answer)).toBe("from the origin");
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test("[GATE-6] admits HEAD for this answer only, even with a visitor id", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const headers = { ...DOCUMENT, Cookie };
    const answer = await world.fetch("/tickets", { method: "HEAD", headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()).toEqual([]);
    await world.settled();
    expect(world.asked).toEqual(["lobby/0 enter", "lobby/0 end"]);
  });

  test.each([
    ["Sec-Purpose", "prefetch;prerender"],
    ["Next-Router-Prefetch", "1"],
  ])("[GATE-7] does not admit what is fetched in advance: %s", async (name, value) => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    for (const headers of [DOCUMENT, JSON_APP, { ...DOCUMENT, Cookie }]) {
      const answer = await world.fetch("/tickets", { headers: { ...headers, [name]: value } });
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
      expect(await text(answer)).toContain("waiting room");
    }
    expect(world.asked).toEqual([]);
    expect(world.seen).toEqual([]);
    const Pass = cookieFor("pass", await world.passToken());
    const headers = { ...DOCUMENT, Cookie: Pass, [name]: value };
    expect((await world.fetch("/tickets", { headers })).status).toBe(200);
  });

  test("[GATE-8] that has no permit left queues in the same request", async () => {
    world.lobby.enter = async () => ({ kind: "queue" });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.status).toBe(503);
    expect(statusOf(answer)).toBe("queued; room=shop");
    expect(world.seen).toEqual([]);
  });

  test("[GATE-8] that refuses tells for how long", async () => {
    world.lobby.enter = async () => ({ kind: "refused", refusal: "busy", retryAfterMs: 2_500 });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("3");
  });

  test("[GATE-8] whoever is refused may keep a visitor id, and take a ticket later", async () => {
    world.lobby.enter = async () => ({
      kind: "refused",
      refusal: "too-many-joins",
      retryAfterMs: 41_000,
    });
    const answer = await world.fetch("/tickets", { headers: DOCUMENT });
    expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "41"]);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-visitor-shop=");
    const image = await world.fetch("/tickets", { headers: { "Sec-Fetch-Dest": "image" } });
    expect(image.status).toBe(503);
    expect(image.headers.getSetCookie()).toEqual([]);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-22] a visitor who lost the pass gets it back, however often it asks at once", async () => {
    const headers = { ...DOCUMENT, Cookie: cookieFor("visitor", await world.visitorToken()) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => world.fetch("/tickets", { headers })),
    );
    expect(new Set(answers.map(statusOf))).toEqual(new Set(["admitted; room=shop"]));
    expect(new Set(world.seen.map((request) => request.headers.get("Seiriken-Visit"))).size).toBe(
      1,
    );
    world.say({ mode: "queues" });
    await world.advance(2_000);
    const back = await world.fetch("/tickets", { headers });
    expect(statusOf(back)).toBe("admitted; room=shop");
    expect(back.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(world.asked.slice(8)).toEqual(["lobby/0 take", "lobby/0 claim"]);
  });

  test("[ISSUE-9] tells its lobby whose the address is, for a visit and for one answer", async () => {
    world = new World({ rooms: [roomOf({ limits: { joinsPerAddressPerMinuteMax: 5 } })] });
    const asks: EnterAsk[] = [];
    const { enter } = world.lobby;
    world.lobby.enter = async (ask) => {
      asks.push(ask);
      return enter(ask);
    };
    const client = { "CF-Connecting-IP": "192.0.2.1" };
    await world.fetch("/tickets", { headers: { ...DOCUMENT, ...client } });
    await world.fetch("/tickets", { headers: { ...JSON_APP, ...client } });
    expect(asks.map(({ transient }) => transient)).toEqual([false, true]);
    expect(asks[0]?.address).toMatch(/^[0-9a-f]{16}$/);
    expect(asks[1]?.address).toBe(asks[0]?.address);
  });

  test("[VISIT-7] tells its lobby what number a form's sender holds", async () => {
    const numbers: (number | null)[] = [];
    const { enter } = world.lobby;
    world.lobby.enter = async (ask) => {
      numbers.push(ask.number);
      return enter(ask);
    };
    const headers = { ...FORM, Cookie: cookieFor("ticket", await world.ticketToken()) };
    await world.fetch("/tickets", { method: "POST", headers, body: "a=1" });
    await world.fetch("/tickets", { method: "POST", headers: FORM, body: "a=1" });
    expect(numbers).toEqual([42, null]);
  });

  test("[GATE-9] forwards a preflight", async () => {
    const answer = await world.fetch("/tickets", { method: "OPTIONS", headers: PREFLIGHT });
    expect(statusOf(answer)).toBe("exempt; room=shop");
    expect(world.seen[0]?.method).toBe("OPTIONS");
    expect(world.asked).toEqual([]);
  });
});

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
      expect(opened.state.formLost).toBe(false);
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
      world = new World({ env: { ...env, SHOP: { fetch: answer } } as object, origin: answer });
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

describe("second contact", () => {
  beforeEach(() => world.say({ mode: "queues" }));

  test.each([
    ["a document", DOCUMENT],
    ["an app", JSON_APP],
  ])("[GATE-18] %s that brings its visitor id back takes a ticket", async (_who, headers) => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...headers, Cookie } });
    expect(answer.status).toBe(503);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-ticket-shop=");
    expect(answer.headers.get("Seiriken-Ticket")).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(answer.headers.get("Retry-After")).toBe("9");
    expect(world.asked).toEqual(["lobby/0 take"]);
  });

  test("[GATE-19] an app's answer holds its ticket", async () => {
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const Referer = "https://shop.example/tickets/plan";
    const answer = await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie, Referer } });
    const body = (await answer.json()) as Record<string, Record<string, unknown>>;
    expect(body["seiriken"]).toEqual({
      room: "shop",
      number: 42,
      state: "waiting",
      ahead: 3,
      eta: { known: true, seconds: 90, low: 60, high: 150 },
      claim_by: null,
      poll_after_seconds: 9,
      ticket: answer.headers.get("Seiriken-Ticket"),
      page: "/.seiriken/rooms/shop/wait?to=%2Ftickets%2Fplan",
    });
    expect(body["cfWaitingRoom"]).toMatchObject({ waitTime: 2, refreshIntervalSeconds: 9 });
  });

  test.each([
    ["a document", DOCUMENT],
    ["an app that only repeats its GET", JSON_APP],
  ])("[GATE-20] %s whose number is called goes in with the same request", async (_who, headers) => {
    const Cookie = cookieFor("ticket", await world.ticketToken());
    world.callNumber(42);
    const answer = await world.fetch("/tickets/plan", { headers: { ...headers, Cookie } });
    expect(await text(answer)).toBe("from the origin");
    expect(statusOf(answer)).toBe("admitted; room=shop");
    const [pass, ticket] = answer.headers.getSetCookie();
    expect(pass).toContain("seiriken-pass-shop=ey");
    expect(ticket).toMatch(/^__Host-seiriken-ticket-shop=; .*Max-Age=0/);
    expect(world.seen[0]?.headers.get("Seiriken-Visit")).toBe("42");
    expect(world.asked).toEqual(["lobby/0 take", "lobby/0 claim"]);
  });

  test("[GATE-21] a turn whose second is full waits, with its ticket", async () => {
    const view = viewOf(world.now, { state: "called" });
    world.lobby.take = async () => ({ kind: "ticket", isNew: false, view });
    world.lobby.claim = async () => ({ kind: "not-yet", view, retryAfterMs: 700 });
    const Cookie = cookieFor("ticket", await world.ticketToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-ticket-shop=ey");
    expect(world.seen).toEqual([]);
  });

  test("[GATE-21] a turn that ended meanwhile clears its ticket", async () => {
    const view = viewOf(world.now, { state: "called" });
    world.lobby.take = async () => ({ kind: "ticket", isNew: false, view });
    world.lobby.claim = async () => ({ kind: "ended" });
    const Cookie = cookieFor("ticket", await world.ticketToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(answer.headers.getSetCookie()[0]).toMatch(/seiriken-ticket-shop=;.*Max-Age=0/);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-22] a visitor who lost the pass but not the visitor id gets the visit back", async () => {
    world.say({ mode: "open" });
    await world.lobby.enter({ visitor: VISITOR, transient: false, number: null, address: null });
    world.say({ mode: "queues" });
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
  });

  test("[GATE-23] whoever holds a ticket stands by it, also when the room has opened", async () => {
    world.say({ mode: "open" });
    const Cookie = cookieFor("ticket", await world.ticketToken());
    await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(world.asked).toEqual(["lobby/0 take", "lobby/0 claim"]);
    expect(world.seen[0]?.headers.get("Seiriken-Visit")).toBe("42");
  });

  test("[GATE-24] a lobby that takes no more sends its visitor to another", async () => {
    world.say({ lobbiesOpen: [1 as never] });
    const { take } = world.lobby;
    let asks = 0;
    world.lobby.take = async (ask) =>
      asks++ === 0 ? { kind: "refused", refusal: "lobby-full", retryAfterMs: 1_000 } : take(ask);
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(world.asked).toEqual(["lobby/0 take", "lobby/1 take"]);
    const names = answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    expect(names).toEqual(["__Host-seiriken-visitor-shop", "__Host-seiriken-ticket-shop"]);
  });

  test.each([
    ["line-full", true],
    ["busy", false],
    ["too-many-joins", false],
  ] as const)("[GATE-25] a refusal for %s is the page, and no ticket", async (refusal, isFull) => {
    world.lobby.take = async () => ({ kind: "refused", refusal, retryAfterMs: 30_000 });
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie } });
    expect(answer.headers.get("Retry-After")).toBe("30");
    expect(await answer.json()).toMatchObject({
      cfWaitingRoom: { queueIsFull: isFull },
      seiriken: { state: "none" },
    });
  });

  test("[GATE-26] a page that comes back without its cookie says so, and takes no place", async () => {
    const headers = { ...DOCUMENT, Referer: "https://shop.example/tickets?a=1" };
    const again = await bootOf(await world.fetch("/tickets?a=1", { headers }));
    expect(again.state.phase).toBe("cookies");
    const first = await bootOf(await world.fetch("/tickets?b=1", { headers }));
    expect(first.state.phase).toBe("taking");
    expect(world.asked).toEqual([]);
  });
});

describe("other modes", () => {
  test("[EVENT-4] before an event everybody takes a place, and then by its way of queueing", async () => {
    const sale = roomEvent(ROOM_START, { overrides: { queueingMethod: "reject" } });
    const events = { changedAt: instant(1), list: [sale] };
    world = new World({ rooms: [roomOf({ queueingMethod: "passthrough", events })] });
    world.say({ mode: "paused", event: currentEvent(sale, "prequeue") });
    const before = await world.fetch("/tickets", { headers: JSON_APP });
    expect(before.status).toBe(503);
    expect(await before.json()).toMatchObject({
      cfWaitingRoom: { isEventPrequeueing: true, isFIFOQueue: true },
      seiriken: { event: { name: "sale", phase: "prequeue" } },
    });
    world = new World({ rooms: [roomOf({ queueingMethod: "passthrough", events })] });
    world.say({ mode: "queues", event: currentEvent(sale, "running") });
    const during = await world.fetch("/tickets", { headers: JSON_APP });
    expect(await during.json()).toMatchObject({ cfWaitingRoom: { isRejectQueue: true } });
    world = new World({ rooms: [roomOf({ queueingMethod: "passthrough", events })] });
    world.say({ mode: "queues" });
    expect((await world.fetch("/tickets", { headers: JSON_APP })).status).toBe(200);
  });

  test("[GATE-27] a suspended room lets everyone through, and asks nobody", async () => {
    world.say({ mode: "suspended" });
    for (const headers of [DOCUMENT, JSON_APP, { "Sec-Fetch-Dest": "image" }]) {
      const answer = await world.fetch("/tickets", { headers });
      expect(answer.status).toBe(200);
      expect(statusOf(answer)).toBe("unprotected; room=shop");
    }
    expect(world.asked).toEqual([]);
  });

  test("[GATE-28] queueing_method passthrough lets everyone through", async () => {
    world = new World({ rooms: [roomOf({ queueingMethod: "passthrough" })] });
    world.say({ mode: "queues" });
    expect((await world.fetch("/tickets", { headers: DOCUMENT })).status).toBe(200);
    expect(world.asked).toEqual([]);
  });

  test("[GATE-29] queueing_method reject gives the page and never a ticket", async () => {
    world = new World({ rooms: [roomOf({ queueingMethod: "reject" })] });
    world.say({ mode: "queues" });
    const Cookie = cookieFor("visitor", await world.visitorToken());
    for (const headers of [DOCUMENT, { ...DOCUMENT, Cookie }]) {
      const answer = await world.fetch("/tickets", { headers });
      expect(answer.status).toBe(503);
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    const { cfWaitingRoom } = (await (
      await world.fetch("/tickets", { headers: JSON_APP })
    ).json()) as { cfWaitingRoom: object };
    expect(cfWaitingRoom).toMatchObject({ isRejectQueue: true, isFIFOQueue: false });
    expect(world.asked).toEqual([]);
  });

  test("[GATE-30] a held room takes tickets and lets nobody in", async () => {
    world.say({ mode: "paused" });
    const first = await world.fetch("/tickets", { headers: JSON_APP });
    expect(await first.json()).toMatchObject({ cfWaitingRoom: { queueAll: true } });
    const Cookie = cookieFor("visitor", await world.visitorToken());
    await world.fetch("/tickets", { headers: { ...JSON_APP, Cookie } });
    expect(world.asked).toEqual(["lobby/0 take"]);
    expect(world.seen).toEqual([]);
  });

  test("[GATE-31] a closed room shows its text and takes no tickets", async () => {
    world.say({ mode: "closed", closed: "Sold out. Thank you!" });
    const Cookie = cookieFor("visitor", await world.visitorToken());
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(answer.status).toBe(503);
    expect((await bootOf(answer)).state).toMatchObject({
      phase: "closed",
      closed: "Sold out. Thank you!",
    });
    expect(world.asked).toEqual([]);
  });

  test("[GATE-31] a closed room lets in a visitor who is inside and lost the pass", async () => {
    const headers = { ...DOCUMENT, Cookie: cookieFor("visitor", await world.visitorToken()) };
    await world.fetch("/tickets", { headers });
    world.say({ mode: "closed", closed: "Sold out", visiting: 1 });
    await world.advance(2_000);
    expect(statusOf(await world.fetch("/tickets", { headers }))).toBe("admitted; room=shop");
    expect(world.asked.slice(1)).toEqual(["lobby/0 take", "lobby/0 claim"]);
  });

  test("[GATE-31] a closed room still hears those who hold a ticket", async () => {
    const Cookie = cookieFor("ticket", await world.ticketToken());
    world.callNumber(42);
    world.say({ mode: "closed", closed: "Sold out" });
    const answer = await world.fetch("/tickets", { headers: { ...DOCUMENT, Cookie } });
    expect(statusOf(answer)).toBe("admitted; room=shop");
  });

  test("[GATE-32] the operator's message is on the page", async () => {
    world.say({ mode: "queues", message: "Back at <noon>" });
    const html = await text(await world.fetch("/tickets", { headers: DOCUMENT }));
    expect(html.includes("Back at &lt;noon&gt;")).toBe(true);
    expect(html.includes("<noon>")).toBe(false);
  });

  test("[GATE-33] a path that no room owns is forwarded as it is", async () => {
    const answer = await world.fetch("/about?x=1", { headers: { ...DOCUMENT, "X-Own": "1" } });
    expect(statusOf(answer)).toBe("unprotected");
    expect(world.seen[0]?.url).toBe("https://shop.example/about?x=1");
    expect(world.seen[0]?.headers.get("X-Own")).toBe("1");
    expect(world.asked).toEqual([]);
  });
});
