import { beforeEach, describe, expect, test } from "vitest";
import { lobbyIndex } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { SOCKET_REFUSED } from "../../src/durable/contract.ts";
import { readPass, readTicket } from "../../src/worker/tokens/claims.ts";
import { Keyring } from "../../src/worker/tokens/keyring.ts";
import type { RoomChange } from "./fakes.ts";
import { cookieFor, heldTicketOf, KEYS, roomOf, viewOf, visitOf, World } from "./fakes.ts";

const API = "/.seiriken/rooms/shop";
const OWN_PAGE = { Origin: "https://shop.example", "Sec-Fetch-Site": "same-origin" };

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

type Body = Record<string, unknown>;
const ask = (
  method: string,
  path: string,
  headers: Record<string, string> = {},
): Promise<Response> => world.fetch(`${API}${path}`, { method, headers });
const bodyOf = async (answer: Response): Promise<Body> => (await answer.json()) as Body;
const visitorCookie = async () => ({ Cookie: cookieFor("visitor", await world.visitorToken()) });
const ticketCookie = async () => ({ Cookie: cookieFor("ticket", await world.ticketToken()) });
const passCookie = async () => ({ Cookie: cookieFor("pass", await world.passToken()) });

const TICKET = {
  room: "shop",
  number: 42,
  state: "waiting",
  ahead: 3,
  eta: { known: true, seconds: 90, low: 60, high: 150 },
  claim_by: null,
  poll_after_seconds: 9,
  page: "/.seiriken/rooms/shop/wait",
};

describe("POST tickets", () => {
  test("[VISITOR-1] takes a ticket: 201, Location, and the token in body, header and cookie", async () => {
    const answer = await ask("POST", "/tickets", await visitorCookie());
    expect(answer.status).toBe(201);
    expect(answer.headers.get("Location")).toBe("/.seiriken/rooms/shop/tickets/mine");
    const { ticket, ...rest } = await bodyOf(answer);
    expect(rest).toEqual(TICKET);
    expect(answer.headers.get("Seiriken-Ticket")).toBe(ticket);
    expect(answer.headers.getSetCookie()[0]).toContain(`seiriken-ticket-shop=${String(ticket)};`);
    const held = await readTicket(await Keyring.of(KEYS), roomOf(), String(ticket), world.now);
    expect(held).toEqual(heldTicketOf(world.now));
  });

  test("[VISITOR-2] with a ticket in hand returns with it: 200, in its own lobby", async () => {
    const token = await world.ticketToken({ lobby: lobbyIndex(2) });
    const answer = await ask("POST", "/tickets", { "Seiriken-Ticket": token });
    expect(answer.status).toBe(200);
    expect(answer.headers.has("Location")).toBe(false);
    expect(world.asked).toEqual(["lobby/2 take"]);
  });

  test("[VISITOR-3] a program without cookies gets a visitor id and a ticket at once", async () => {
    const answer = await ask("POST", "/tickets");
    expect(answer.status).toBe(201);
    const names = answer.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
    expect(names).toEqual(["__Host-seiriken-visitor-shop", "__Host-seiriken-ticket-shop"]);
  });

  test("[VISITOR-4] a page of ours that lost its cookie is told so, and takes no place", async () => {
    for (const headers of [OWN_PAGE, { Origin: "https://shop.example" }]) {
      const answer = await ask("POST", "/tickets", headers);
      expect(answer.status).toBe(400);
      expect(await bodyOf(answer)).toMatchObject({ code: "cookies-needed" });
      expect(answer.headers.getSetCookie()[0]).toContain("seiriken-visitor-shop=ey");
    }
    expect(world.asked).toEqual([]);
  });

  test.each([
    ["line-full", 503, "30"],
    ["lobby-full", 503, "30"],
    ["busy", 503, "30"],
    ["too-many-joins", 429, "30"],
    ["room-closed", 409, "30"],
    ["room-suspended", 409, "30"],
  ] as const)("[VISITOR-5] refused for %s: %i", async (refusal, status, retryAfter) => {
    world.say({ closed: "Sold out" });
    world.lobby.take = async () => ({ kind: "refused", refusal, retryAfterMs: 30_000 });
    const answer = await ask("POST", "/tickets", await visitorCookie());
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toBe("application/problem+json");
    expect(answer.headers.get("Retry-After")).toBe(retryAfter);
    const body = await bodyOf(answer);
    expect(body["code"]).toBe(refusal);
    expect(body["closed"]).toBe(refusal === "room-closed" ? "Sold out" : undefined);
  });

  test("[VISITOR-6] joins per address are counted under a keyed hash, one for an IPv6 network", async () => {
    world = new World({ rooms: [roomOf({ limits: { joinsPerAddressPerMinuteMax: 5 } })] });
    const seen: (string | null)[] = [];
    const { take } = world.lobby;
    world.lobby.take = async (ask) => {
      seen.push(ask.address);
      return take(ask);
    };
    const addresses = ["192.0.2.1", "192.0.2.2", "2001:db8:1:2::1", "2001:DB8:1:2:3:4:5:6", "::1"];
    for (const address of addresses) await ask("POST", "/tickets", { "CF-Connecting-IP": address });
    for (const key of seen) expect(key).toMatch(/^[0-9a-f]{16}$/);
    expect(seen[2]).toBe(seen[3]);
    expect(new Set(seen).size).toBe(4);
  });
});

describe("joins behind a proxy of one's own", () => {
  const keysOf = async (room: RoomChange, env: { TRUSTED_PROXIES?: string }, chains: string[]) => {
    const limits = { joinsPerAddressPerMinuteMax: 5 };
    world = new World({ rooms: [roomOf({ ...room, limits })], env });
    const seen: (string | null)[] = [];
    const { take } = world.lobby;
    world.lobby.take = async (ask) => {
      seen.push(ask.address);
      return take(ask);
    };
    const proxy = { "CF-Connecting-IP": "10.0.0.1" };
    for (const chain of chains)
      await ask("POST", "/tickets", { ...proxy, "X-Forwarded-For": chain });
    return seen;
  };
  const FORGED = ["6.6.6.6, 192.0.2.1", "7.7.7.7, 192.0.2.1", "192.0.2.2", "::ffff:192.0.2.2"];

  test.each<[string, RoomChange, { TRUSTED_PROXIES?: string }, number]>([
    ["nobody trusts it", {}, {}, 1],
    ["the deployment does", {}, { TRUSTED_PROXIES: "10.0.0.0/8" }, 2],
    ["the room does", { trustedProxies: 1 }, {}, 2],
    ["the room does not", { trustedProxies: 0 }, { TRUSTED_PROXIES: "1" }, 1],
  ])("[TRUST-6] [VISITOR-6] %s: clients are told apart so", async (_, room, env, count) => {
    const seen = await keysOf(room, env, FORGED);
    expect(new Set(seen).size).toBe(count);
    expect(seen[1]).toBe(seen[0]);
    expect(seen[3]).toBe(seen[2]);
  });
});

describe("tickets/mine", () => {
  test("[VISITOR-7] GET tells where the ticket stands, and signs it anew", async () => {
    const answer = await ask("GET", "/tickets/mine", await ticketCookie());
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject(TICKET);
    expect(answer.headers.has("Seiriken-Ticket")).toBe(true);
    expect(world.asked).toEqual(["lobby/0 where"]);
  });

  test("[VISITOR-8] a called ticket tells until when to claim", async () => {
    const view = viewOf(world.now, { state: "called", claimBy: after(world.now, 60_000) });
    world.lobby.where = async () => ({ kind: "ticket", view });
    const body = await bodyOf(await ask("GET", "/tickets/mine", await ticketCookie()));
    expect(body).toMatchObject({ state: "called", claim_by: "2026-11-20T09:01:00.000Z" });
  });

  test("[VISITOR-9] without a ticket 404 no-ticket", async () => {
    for (const headers of [{}, await visitorCookie(), { "Seiriken-Ticket": "forged" }]) {
      const answer = await ask("GET", "/tickets/mine", headers);
      expect(answer.status).toBe(404);
      expect(await bodyOf(answer)).toMatchObject({ code: "no-ticket", status: 404 });
    }
    expect(world.asked).toEqual([]);
  });

  test("[VISITOR-10] of an ended place 410, and the cookie goes", async () => {
    world.lobby.where = async () => ({ kind: "ended" });
    const answer = await ask("GET", "/tickets/mine", await ticketCookie());
    expect(answer.status).toBe(410);
    expect(await bodyOf(answer)).toMatchObject({ code: "ended" });
    expect(answer.headers.getSetCookie()[0]).toMatch(/ticket-shop=; .*Max-Age=0/);
  });

  test("[VISITOR-11] DELETE gives up the place: 204, with a ticket or without", async () => {
    for (const headers of [await ticketCookie(), {}]) {
      const answer = await ask("DELETE", "/tickets/mine", headers);
      expect(answer.status).toBe(204);
      expect(answer.headers.getSetCookie()[0]).toMatch(/ticket-shop=; .*Max-Age=0/);
    }
    expect(world.asked).toEqual(["lobby/0 leave"]);
  });
});

describe("POST visits", () => {
  test("[VISITOR-12] claims the turn: 201, a pass, and the ticket is gone", async () => {
    const cookie = await ticketCookie();
    world.callNumber(42);
    const answer = await ask("POST", "/visits", cookie);
    expect(answer.status).toBe(201);
    expect(answer.headers.get("Location")).toBe("/.seiriken/rooms/shop/visits/mine");
    const { pass, ...rest } = await bodyOf(answer);
    expect(rest).toEqual({
      room: "shop",
      visit: 42,
      lease_until: "2026-11-20T09:05:00.000Z",
      ends_at: null,
    });
    expect(answer.headers.get("Seiriken-Pass")).toBe(pass);
    const [passCookieSet, ticketCookieSet] = answer.headers.getSetCookie();
    expect(passCookieSet).toContain(`seiriken-pass-shop=${String(pass)};`);
    expect(ticketCookieSet).toMatch(/ticket-shop=; .*Max-Age=0/);
    const held = await readPass(await Keyring.of(KEYS), roomOf(), String(pass));
    expect(held).toMatchObject({ visit: 42, epoch: 1, lobby: 0, provisional: false });
  });

  test("[VISITOR-13] claims again: 200, by the ticket or by the pass", async () => {
    world.lobby.claim = async () => ({
      kind: "visit",
      isNew: false,
      visit: visitOf(world.now, 42),
    });
    expect((await ask("POST", "/visits", await ticketCookie())).status).toBe(200);
    const answer = await ask("POST", "/visits", await passCookie());
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({
      visit: 7,
      pass: answer.headers.get("Seiriken-Pass"),
    });
  });

  test("[VISITOR-14] before the turn, or in a full second: 202 with retry_after_ms", async () => {
    const view = viewOf(world.now);
    world.lobby.claim = async () => ({ kind: "not-yet", view, retryAfterMs: 1_250 });
    const answer = await ask("POST", "/visits", await ticketCookie());
    expect(answer.status).toBe(202);
    expect(await bodyOf(answer)).toMatchObject({ ...TICKET, retry_after_ms: 1_250 });
    expect(answer.headers.get("Retry-After")).toBe("2");
    expect(answer.headers.has("Seiriken-Ticket")).toBe(true);
  });

  test("[VISITOR-15] of an ended place: 410; without any token: 404", async () => {
    world.lobby.claim = async () => ({ kind: "ended" });
    expect((await ask("POST", "/visits", await ticketCookie())).status).toBe(410);
    const answer = await ask("POST", "/visits");
    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).toMatchObject({ code: "no-ticket" });
  });
});

describe("visits/mine", () => {
  test("[VISITOR-16] GET tells lease and end, and renews nothing", async () => {
    world.lobby.peek = async (visit) => ({
      kind: "visit",
      visit: { ...visitOf(world.now, visit), endsAt: after(world.now, 90_000) },
    });
    const answer = await ask("GET", "/visits/mine", await passCookie());
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toEqual({
      room: "shop",
      visit: 7,
      lease_until: "2026-11-20T09:05:00.000Z",
      ends_at: "2026-11-20T09:01:30.000Z",
    });
    expect(answer.headers.getSetCookie()).toEqual([]);
    expect(world.asked).toEqual(["lobby/0 peek"]);
  });

  test("[VISITOR-17] PATCH renews, and hands out a new pass", async () => {
    const answer = await ask("PATCH", "/visits/mine", await passCookie());
    expect(answer.status).toBe(200);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(world.asked).toEqual(["lobby/0 renew"]);
  });

  test.each(["GET", "PATCH"])(
    "[VISITOR-18] %s: 404 without a pass, 410 once it ended",
    async (method) => {
      const missing = await ask(method, "/visits/mine");
      expect(missing.status).toBe(404);
      expect(await bodyOf(missing)).toMatchObject({ code: "no-visit" });
      world.lobby.peek = async () => ({ kind: "ended" });
      world.lobby.renew = async () => ({ kind: "ended" });
      const answer = await ask(method, "/visits/mine", await passCookie());
      expect(answer.status).toBe(410);
      expect(await bodyOf(answer)).toMatchObject({ code: "ended" });
      expect(answer.headers.getSetCookie()[0]).toMatch(/pass-shop=; .*Max-Age=0/);
    },
  );

  test.each(["GET", "PATCH"])(
    "[VISITOR-18] %s: a pass of an earlier epoch has ended",
    async (method) => {
      world.say({ epoch: 2 });
      expect((await ask(method, "/visits/mine", await passCookie())).status).toBe(410);
    },
  );

  test("[VISITOR-19] DELETE ends the visit at once: 204, again and again", async () => {
    const ends: [number, number][] = [];
    world.lobby.end = async (visit, afterMs) => void ends.push([visit, afterMs]);
    const headers = await passCookie();
    expect((await ask("DELETE", "/visits/mine", headers)).status).toBe(204);
    expect((await ask("DELETE", "/visits/mine", headers)).status).toBe(204);
    expect((await ask("DELETE", "/visits/mine")).status).toBe(204);
    expect(ends).toEqual([
      [7, 0],
      [7, 0],
    ]);
    const page = await world.fetch("/tickets", { headers });
    expect(page.status).toBe(503);
  });
});

describe("the room", () => {
  test("[VISITOR-20] GET tells what anyone may know", async () => {
    const minute = [...new Array<number>(59).fill(0), 4];
    const newcomer = { known: false, reason: "paused" } as const;
    world.say({ mode: "paused", waiting: 12, visiting: 3, message: "Soon", entriesPerMinute: 13 });
    world.say({ newcomer });
    world.say({ startsLastMinute: minute });
    const answer = await ask("GET", "");
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toEqual({
      room: "shop",
      id: "a".repeat(32),
      state: "paused",
      message: "Soon",
      closed: null,
      waiting: 12,
      visiting: 3,
      permits: 10,
      starts_last_minute: minute,
      entries_per_minute: 13,
      eta: { known: false, seconds: null, low: null, high: null, reason: "paused" },
      claim_within_seconds: 60,
      return_window_seconds: 3600,
      session_seconds: 300,
    });
  });

  test.each(["shop", "SHOP", "a".repeat(32)])(
    "[VISITOR-21] is found by name or id: %s",
    async (name) => {
      expect((await world.fetch(`/.seiriken/rooms/${name}`)).status).toBe(200);
      expect((await world.fetch(`/.Seiriken//rooms/${name}/`)).status).toBe(200);
    },
  );

  test("[VISITOR-22] that is not there: 404 room-not-found", async () => {
    const answer = await world.fetch("/.seiriken/rooms/nobody/tickets", { method: "POST" });
    expect(answer.status).toBe(404);
    expect(await bodyOf(answer)).toMatchObject({ code: "room-not-found" });
  });

  test("[VISITOR-23] other methods: 405 with Allow; other paths: 404; neither goes to the origin", async () => {
    const answer = await ask("PUT", "/tickets");
    expect(answer.status).toBe(405);
    expect(answer.headers.get("Allow")).toBe("POST");
    expect((await ask("GET", "/nothing")).status).toBe(404);
    expect((await world.fetch("/.seiriken/nothing")).status).toBe(404);
    expect((await world.fetch("/.seiriken")).status).toBe(404);
    expect(world.seen).toEqual([]);
  });

  test("[VISITOR-24] objects out of reach: 503 room-unavailable with Retry-After", async () => {
    await ask("GET", "");
    world.breakObjects();
    for (const [method, path, headers] of [
      ["POST", "/tickets", await visitorCookie()],
      ["GET", "/tickets/mine", await ticketCookie()],
      ["POST", "/visits", await ticketCookie()],
      ["GET", "/visits/mine", await passCookie()],
    ] as const) {
      const answer = await ask(method, path, headers);
      expect(answer.status).toBe(503);
      expect(answer.headers.get("Retry-After")).toBe("2");
      expect(await bodyOf(answer)).toMatchObject({ code: "room-unavailable" });
    }
  });

  test("[VISITOR-25] every answer tells the Room's time", async () => {
    const answer = await ask("GET", "");
    expect(answer.headers.get("Date")).toBe("Fri, 20 Nov 2026 09:00:00 GMT");
  });
});

describe("who may ask", () => {
  const unsafe = [
    ["POST", "/tickets"],
    ["DELETE", "/tickets/mine"],
    ["POST", "/visits"],
    ["PATCH", "/visits/mine"],
    ["DELETE", "/visits/mine"],
  ] as const;
  const foreign: Record<string, string>[] = [
    { Origin: "https://evil.example", "Sec-Fetch-Site": "cross-site" },
    { Origin: "https://evil.example" },
    { Origin: "null" },
    { "Sec-Fetch-Site": "cross-site" },
    { "Sec-Fetch-Site": "same-site" },
    { Origin: "http://shop.example" },
  ];

  test.each(unsafe)(
    "[VISITOR-26] %s %s from another site: 403, and no object is asked",
    async (method, path) => {
      const pass = cookieFor("pass", await world.passToken());
      const ticket = cookieFor("ticket", await world.ticketToken());
      for (const headers of foreign) {
        const answer = await ask(method, path, { ...headers, Cookie: `${pass}; ${ticket}` });
        expect(answer.status).toBe(403);
        expect(await bodyOf(answer)).toMatchObject({ code: "foreign-origin" });
      }
      expect(world.asked).toEqual([]);
    },
  );

  test.each(unsafe)(
    "[VISITOR-27] %s %s from the room's pages or from no page is heard",
    async (method, path) => {
      const pass = cookieFor("pass", await world.passToken());
      const ticket = cookieFor("ticket", await world.ticketToken());
      for (const headers of [{}, OWN_PAGE, { "Sec-Fetch-Site": "none" }])
        expect(
          (await ask(method, path, { ...headers, Cookie: `${pass}; ${ticket}` })).status,
        ).toBeLessThan(300);
    },
  );

  test("[VISITOR-26] [VISITOR-27] another port is another site, unless the browser says it is not", async () => {
    const foreign = { Origin: "https://shop.example:8443" };
    expect((await ask("POST", "/tickets", foreign)).status).toBe(403);
    const same = { ...foreign, "Sec-Fetch-Site": "same-origin" };
    expect(await (await ask("POST", "/tickets", same)).json()).toMatchObject({
      code: "cookies-needed",
    });
  });

  test("[VISITOR-28] a body larger than 16 KB: 413", async () => {
    const headers = { "Content-Length": "16385" };
    expect((await ask("POST", "/tickets", headers)).status).toBe(413);
    expect(world.asked).toEqual([]);
  });

  const cors = { corsOrigins: ["https://app.example"] };

  test.each([
    ["https://app.example", true],
    ["https://shop.example", true],
    ["https://shop.example:443", true],
    ["https://shop.example:8443", false],
    ["https://app.example:8443", false],
    ["https://evil.example", false],
    ["https://app.example.evil.example", false],
    ["http://shop.example", false],
    ["null", false],
  ])("[CORS-1] %s may read our answers: %s", async (Origin, mayRead) => {
    world = new World({ rooms: [roomOf(cors)] });
    world.say({ mode: "queues" });
    for (const path of [`${API}/tickets/mine`, "/tickets"]) {
      const answer = await world.fetch(path, { headers: { Origin, "Sec-Fetch-Dest": "empty" } });
      expect(answer.headers.get("Access-Control-Allow-Origin")).toBe(mayRead ? Origin : null);
      expect(answer.headers.get("Access-Control-Allow-Credentials")).toBe(mayRead ? "true" : null);
      expect(answer.headers.get("Access-Control-Expose-Headers")).toBe(
        mayRead ? "Retry-After, Seiriken-Ticket, Seiriken-Pass, Seiriken-Status" : null,
      );
    }
  });

  test("[CORS-2] preflights for our own paths are answered, for those who may ask", async () => {
    world = new World({ rooms: [roomOf(cors)] });
    const headers = { Origin: "https://app.example", "Access-Control-Request-Method": "POST" };
    const answer = await world.fetch(`${API}/tickets`, { method: "OPTIONS", headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get("Access-Control-Allow-Origin")).toBe("https://app.example");
    expect(answer.headers.get("Access-Control-Allow-Methods")).toContain("POST");
    expect(answer.headers.get("Access-Control-Allow-Headers")).toContain("Seiriken-Ticket");
    const evil = { ...headers, Origin: "https://evil.example" };
    const refused = await world.fetch(`${API}/tickets`, { method: "OPTIONS", headers: evil });
    expect(refused.headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  test("[CORS-3] another host's page carries its ticket in the header, and may take one", async () => {
    world = new World({ rooms: [roomOf(cors)] });
    const headers = { Origin: "https://app.example", "Sec-Fetch-Site": "cross-site" };
    const answer = await ask("POST", "/tickets", headers);
    expect(answer.status).toBe(201);
    expect(answer.headers.has("Seiriken-Ticket")).toBe(true);
  });

  test("[CACHE-3] our answers are never stored or changed, and vary with what they were made from", async () => {
    const requests: [string, RequestInit][] = [
      ["/tickets", {}],
      ["/tickets", { headers: { Accept: "text/html" } }],
      ["/tickets", { headers: { "Sec-Fetch-Dest": "image" } }],
      ["/tickets%00", {}],
      [API, {}],
      [`${API}/tickets`, { method: "POST" }],
      [`${API}/nothing`, {}],
      ["/.seiriken/rooms/nobody", {}],
      ["/.seiriken/api/rooms/shop/history", {}],
    ];
    for (const [path, init] of requests) {
      const answer = await world.fetch(path, init);
      expect(answer.headers.get("Cache-Control")).toBe("no-store, no-transform");
      expect(answer.headers.get("Vary")).toBe("Accept, Accept-Language, Sec-Fetch-Dest, Cookie");
      expect(answer.headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(answer.headers.get("Seiriken-Reference")).toMatch(/^[2-9A-HJ-NP-Z]{8}$/);
    }
  });

  const empty = { "Sec-Fetch-Dest": "empty" };
  test.each([
    [API, "a page's script", { ...empty, "Sec-Fetch-Mode": "cors" }],
    ["/tickets", "a worker's navigation", { ...empty, "Sec-Fetch-Mode": "navigate" }],
    [
      "/tickets",
      "a navigation's preload",
      { "Sec-Fetch-Dest": "document", "Service-Worker-Navigation-Preload": "true" },
    ],
  ])("[CACHE-4] of %s, %s gets what no worker's cache takes", async (path, _who, headers) => {
    const answer = await world.fetch(path, { headers });
    expect(answer.headers.get("Vary")?.split(", ")).toContain("*");
  });
});

describe("the page on its own", () => {
  const wait = (to: string, headers: Record<string, string> = {}): Promise<Response> =>
    world.fetch(`${API}/wait?to=${encodeURIComponent(to)}`, {
      headers: { Accept: "*/*", ...headers },
    });
  const targetOf = async (answer: Response): Promise<string> =>
    (JSON.parse(/id="boot">(.*?)<\/script>/s.exec(await answer.text())![1]!) as { to: string }).to;

  test("[VISITOR-29] is the page, whoever asks, and leads to `to`", async () => {
    const answer = await wait("/tickets/7?day=1");
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Content-Type")).toContain("text/html");
    expect(await targetOf(answer)).toBe("/tickets/7?day=1");
    expect(world.asked).toEqual([]);
  });

  test("[PAGE-44] the page asks by the room's id, which a new name does not change", async () => {
    const [, boot] = /id="boot">(.*?)<\/script>/s.exec(await (await wait("/tickets")).text())!;
    const { api, roomId } = JSON.parse(boot!) as { api: string; roomId: string };
    expect(roomId).toBe(roomOf().id);
    expect(api).toBe(`/.seiriken/rooms/${roomId}`);
  });

  test.each([
    "https://evil.example/",
    "//evil.example/x",
    "/\\evil.example",
    "https:evil.example",
    "http://shop.example/tickets",
    "javascript:alert(1)",
    "data:text/html,x",
    "https://user:secret@shop.example/tickets",
    "/.seiriken/rooms/shop/wait",
    "/%2e%73eiriken/rooms/shop/wait?to=/",
    "",
  ])("[VISITOR-30] never leads off the room's hosts or in a circle: %s", async (to) => {
    expect(await targetOf(await wait(to))).toMatch(/^\/tickets$|^\/.*evil\.example$/);
    const page = await targetOf(await wait(to));
    expect(new URL(page, "https://shop.example/").host).toBe("shop.example");
  });

  test.each([
    ["https://shop.example:8443/tickets/7", "/tickets"],
    ["//shop.example:8443/tickets/7", "/tickets"],
    ["https://shop.example:443/tickets/7", "/tickets/7"],
    ["/tickets/7", "/tickets/7"],
  ])("[VISITOR-30] keeps to the port: %s leads to %s", async (to, leadsTo) => {
    expect(await targetOf(await wait(to))).toBe(leadsTo);
  });

  test("[VISITOR-31] goes on at once when nothing stands in the way", async () => {
    const pass = await passCookie();
    const admitted = await wait("/tickets/7", pass);
    expect(admitted.status).toBe(303);
    expect(admitted.headers.get("Location")).toBe("https://shop.example/tickets/7");
    expect(admitted.headers.get("Seiriken-Status")).toBe("admitted; room=shop");
    world.say({ mode: "suspended" });
    await world.advance(2_000);
    const letThrough = await wait("/tickets/7");
    expect(letThrough.status).toBe(303);
    expect(letThrough.headers.get("Seiriken-Status")).toBe("unprotected; room=shop");
  });

  const suspended = { limits: { ...roomOf().limits, suspended: true } };
  test.each([
    ["a suspended room", suspended, 303, 200],
    ["a passthrough", { queueingMethod: "passthrough" }, 303, 200],
    ["on_failure open", { onFailure: "open" }, 303, 200],
    ["on_failure closed", { onFailure: "closed" }, 503, 503],
  ] as const)(
    "[VISITOR-44] out of reach it goes where the gate lets through: %s",
    async (_, change, waits, gates) => {
      world = new World({ rooms: [roomOf(change)] });
      world.breakObjects();
      expect((await wait("/tickets/7")).status).toBe(waits);
      expect(
        (await world.fetch("/tickets/7", { headers: { "Sec-Fetch-Mode": "navigate" } })).status,
      ).toBe(gates);
    },
  );

  test("[VISITOR-32] at the turn claims it, and leads on", async () => {
    const cookie = await ticketCookie();
    world.callNumber(42);
    const answer = await wait("/tickets/7", cookie);
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie()[0]).toContain("seiriken-pass-shop=ey");
    expect(world.seen).toEqual([]);
  });
});

describe("the socket", () => {
  const UPGRADE = { Upgrade: "websocket" };
  const closeOf = async (answer: Response): Promise<[number, string]> => {
    expect(answer.status).toBe(101);
    const socket = answer.webSocket!;
    const closed = new Promise<[number, string]>((resolve) =>
      socket.addEventListener("close", ({ code, reason }) => resolve([code, reason])),
    );
    socket.accept();
    return closed;
  };
  const own = { ...UPGRADE, Origin: "https://shop.example" };

  test("[VISITOR-33] is left to the ticket's lobby, with the ticket's claims and nothing else", async () => {
    const requests: Request[] = [];
    world.lobby.fetch = async (request) => {
      requests.push(request);
      return new Response(null, { status: 101, webSocket: new WebSocketPair()[0] });
    };
    const token = await world.ticketToken({ lobby: lobbyIndex(4) });
    const forged = { "seiriken-internal-ticket": "{}", "Seiriken-Internal-X": "1" };
    const headers = { ...own, ...forged, Cookie: cookieFor("ticket", token) };
    const answer = await ask("GET", "/socket", headers);
    expect(answer.status).toBe(101);
    expect(world.asked).toEqual(["lobby/4 fetch"]);
    const [request] = requests;
    const held = { ...heldTicketOf(world.now), lobby: 4 };
    expect(JSON.parse(request!.headers.get("seiriken-internal-ticket")!)).toEqual(held);
    expect(request!.headers.get("Upgrade")).toBe("websocket");
    expect(request!.headers.has("Seiriken-Internal-X")).toBe(false);
    expect(request!.headers.has("Cookie")).toBe(false);
  });

  test("[VISITOR-34] without a good ticket: accepted, then closed with 4401", async () => {
    for (const headers of [own, { ...own, Cookie: cookieFor("ticket", "forged") }])
      expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4401, "ticket-invalid"]);
    expect(world.asked).toEqual([]);
  });

  test("[VISITOR-35] from another site: accepted, then closed with 4403", async () => {
    const headers = { ...UPGRADE, ...(await ticketCookie()), Origin: "https://evil.example" };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4403, "origin"]);
    const token = await world.ticketToken();
    const both = { ...UPGRADE, Origin: "https://evil.example", "Seiriken-Ticket": token };
    expect(await closeOf(await ask("GET", "/socket", both))).toEqual([4403, "origin"]);
    expect(world.asked).toEqual([]);
  });

  test("[VISITOR-35] another port is another site, unless the browser says it is not", async () => {
    const port = { ...UPGRADE, ...(await ticketCookie()), Origin: "https://shop.example:8443" };
    expect(await closeOf(await ask("GET", "/socket", port))).toEqual([4403, "origin"]);
    await ask("GET", "/socket", { ...port, "Sec-Fetch-Site": "same-origin" });
    expect(world.asked).toEqual(["lobby/0 fetch"]);
  });

  test("[VISITOR-36] without an Origin only with the ticket in its header", async () => {
    const byCookie = { ...UPGRADE, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", byCookie))).toEqual([4403, "origin"]);
    const byHeader = { ...UPGRADE, "Seiriken-Ticket": await world.ticketToken() };
    await ask("GET", "/socket", byHeader);
    expect(world.asked).toEqual(["lobby/0 fetch"]);
  });

  test("[VISITOR-37] of a lobby out of reach: accepted, then closed with 1013", async () => {
    world.lobby.fetch = () => Promise.reject(new Error("gone"));
    const headers = { ...own, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([1013, "try-again"]);
  });

  test("[SOCKET-7] eight that were refused may be there at a time; beyond them it is HTTP, until one is gone", async () => {
    const open: WebSocket[] = [];
    for (let at = 0; at < 8; at += 1) {
      const { status, webSocket } = await ask("GET", "/socket", own);
      expect(status).toBe(101);
      open.push(webSocket!);
    }
    const foreign = { ...own, Origin: "https://evil.example" };
    const more = [await ask("GET", "/socket", own), await ask("GET", "/socket", foreign)];
    expect(more.map(({ status, webSocket }) => [status, webSocket])).toEqual([
      [503, null],
      [503, null],
    ]);
    expect(more[0]!.headers.get("Retry-After")).toBe("10");
    expect(await more[0]!.json()).toMatchObject({
      code: "too-many-sockets",
      close: { code: 4401, reason: "ticket-invalid" },
    });
    expect(await more[1]!.json()).toMatchObject({ close: { code: 4403, reason: "origin" } });
    // A socket with a ticket is refused nothing.
    await ask("GET", "/socket", { ...own, ...(await ticketCookie()) });
    expect(world.asked).toEqual(["lobby/0 fetch"]);
    open[0]!.accept();
    open[0]!.close(1000, "bye");
    await world.breathe();
    expect((await ask("GET", "/socket", own)).status).toBe(101);
    expect((await ask("GET", "/socket", own)).status).toBe(503);
  });

  test("[SOCKET-8] whom its lobby refuses is accepted here, and closed with the lobby's word", async () => {
    const refusal = { code: 4429, reason: "too-many" };
    world.lobby.fetch = async () => Response.json(refusal, { status: SOCKET_REFUSED });
    const headers = { ...own, ...(await ticketCookie()) };
    expect(await closeOf(await ask("GET", "/socket", headers))).toEqual([4429, "too-many"]);
    // They are kept at hand: a socket that nobody knows any more would be collected, and be gone.
    const there: Response[] = [];
    while (there.length < 8) there.push(await ask("GET", "/socket", headers));
    expect(there.map(({ status }) => status)).toEqual(there.map(() => 101));
    const answer = await ask("GET", "/socket", headers);
    expect([answer.status, await answer.json()]).toMatchObject([503, { close: refusal }]);
    for (const { webSocket } of there) webSocket!.accept();
  });

  test("[VISITOR-38] without an upgrade: 426", async () => {
    const answer = await ask("GET", "/socket", await ticketCookie());
    expect(answer.status).toBe(426);
    expect(answer.headers.get("Upgrade")).toBe("websocket");
  });
});
