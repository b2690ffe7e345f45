import { beforeEach, describe, expect, test } from "vitest";
import { currentEvent } from "../../src/core/events/phases.ts";
import { instant } from "../../src/core/time.ts";
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

/** The gate for those who come again, and in the other modes of a room. */

let world: World;
beforeEach(() => {
  world = new World();
});

const statusOf = (answer: Response): string | null => answer.headers.get("Seiriken-Status");
const text = (answer: Response): Promise<string> => answer.text();

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
