import { beforeEach, describe, expect, test } from "vitest";
import { lobbyIndex } from "../../src/core/ids.ts";
import { after } from "../../src/core/time.ts";
import { readPass, readTicket } from "../../src/worker/tokens/claims.ts";
import { Keyring } from "../../src/worker/tokens/keyring.ts";
import type { RoomChange } from "./fakes.ts";
import { heldTicketOf, KEYS, roomOf, viewOf, visitOf, World } from "./fakes.ts";
import { bodyOf, OWN_PAGE, visitorsIn } from "./visitor-harness.ts";

let world: World;
beforeEach(() => {
  world = new World();
  world.say({ mode: "queues" });
});

const { ask, visitorCookie, ticketCookie, passCookie } = visitorsIn(() => world);

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

  test("[VISITOR-5] a newcomer who is refused keeps its visitor id, and comes back with it", async () => {
    world.lobby.take = async () => ({ kind: "refused", refusal: "busy", retryAfterMs: 30_000 });
    const answer = await ask("POST", "/tickets");
    expect(answer.status).toBe(503);
    const [cookie = "", ...more] = answer.headers.getSetCookie();
    expect(cookie).toContain("seiriken-visitor-shop=ey");
    expect(more).toEqual([]);
  });

  test("[VISITOR-5] a newcomer whose lobby is full keeps one visitor id, of the lobby that took it", async () => {
    world.say({ lobbiesOpen: [lobbyIndex(1), lobbyIndex(2)] });
    const { take } = world.lobby;
    let isFull = true;
    world.lobby.take = async (one) => {
      if (!isFull) return take(one);
      isFull = false;
      return { kind: "refused", refusal: "lobby-full", retryAfterMs: 30_000 };
    };
    const answer = await ask("POST", "/tickets");
    expect(answer.status).toBe(201);
    const claims = answer.headers.getSetCookie().map((cookie) => {
      const [, payload = ""] = cookie.split(".");
      return JSON.parse(atob(payload)) as { k: string; i: string; l: number };
    });
    expect(claims.map(({ k }) => k)).toEqual(["visitor", "ticket"]);
    expect(claims[0]).toMatchObject({ i: claims[1]?.i, l: claims[1]?.l });
    expect(world.asked.at(-1)).toBe(`lobby/${claims[0]?.l} take`);
  });

  test("[VISITOR-24] a newcomer whose lobby is out of reach is nobody yet: it is given nothing to keep", async () => {
    world.lobby.take = () => Promise.reject(new Error("gone"));
    const answer = await ask("POST", "/tickets");
    expect(await bodyOf(answer)).toMatchObject({ code: "room-unavailable" });
    expect(answer.headers.getSetCookie()).toEqual([]);
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
