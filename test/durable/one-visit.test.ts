import { evictDurableObject, runDurableObjectAlarm } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { VisitorId } from "../../src/core/ids.ts";
import type { EnterReply, TicketClaims, LobbyRpc } from "../../src/durable/contract.ts";
import { World } from "../worker/fakes.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { held, newRoom, takeOne, visitorId } from "./objects.ts";

const ask = (visitor: VisitorId) => ({ visitor, ticket: null, address: null });
const enter = (lobby: LobbyRpc, visitor: VisitorId, number: TicketClaims["number"] | null = null) =>
  lobby.enter({ visitor, transient: false, number, address: null });
const visitIn = (reply: EnterReply): number => (reply.kind === "visit" ? reply.visit.visit : 0);

const lobbies: readonly (readonly [string, () => Promise<LobbyRpc>])[] = [
  ["the tests' own lobby", async () => new World().env.LOBBY.getByName("room/0")],
  ["the real lobby", async () => (await newRoom({ permitsMax: 60 })).lobby(0)],
];

/** What the gate builds on, of the lobby that its tests script and of the one that runs. */
describe.each(lobbies)("%s", (_, open) => {
  test("[GATE-22] gives one visit to a visitor who enters at many places at once", async () => {
    const lobby = await open();
    const visitor = visitorId();
    const replies = await Promise.all(Array.from({ length: 48 }, () => enter(lobby, visitor)));
    const visits = new Set(replies.map(visitIn));
    expect([visits.size, visits.has(0)]).toEqual([1, false]);
    expect(visits.has(visitIn(await enter(lobby, visitorId())))).toBe(false);
  });

  test("[GATE-22] tells a visitor who is inside of the visit, and claims that one anew", async () => {
    const lobby = await open();
    const visitor = visitorId();
    const visit = visitIn(await enter(lobby, visitor));
    const reply = await takeOne(lobby, ask(visitor));
    expect(reply).toMatchObject({ isNew: false, view: { number: visit, state: "visiting" } });
    if (reply.kind !== "ticket") throw new Error(reply.kind);
    const claim = await lobby.claim(held(visitor, reply.view));
    expect(claim).toMatchObject({ kind: "visit", isNew: false, visit: { visit } });
  });

  test("[GATE-22] does the same for a visit that was claimed by a ticket", async () => {
    const lobby = await open();
    const ticket = await take(lobby);
    const { visit } = await visitOf(lobby, ticket);
    const reply = await takeOne(lobby, ask(ticket.visitor));
    expect(reply).toMatchObject({ isNew: false, view: { number: visit, state: "visiting" } });
    expect(visitIn(await enter(lobby, ticket.visitor))).toBe(visit);
  });

  test("[GATE-22] gives a new place once the visit has ended", async () => {
    const lobby = await open();
    const visitor = visitorId();
    const visit = visitIn(await enter(lobby, visitor));
    await lobby.end(visit as TicketClaims["number"], 0);
    const reply = await takeOne(lobby, ask(visitor));
    expect(reply).toMatchObject({ kind: "ticket", isNew: true });
    if (reply.kind === "ticket") expect(reply.view.state).not.toBe("visiting");
  });
});

/** A full room, a visitor inside and one in line. */
const full = async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1, returnWindowMs: 600_000 });
  const inside = visitorId();
  const visit = visitIn(await enter(lobby(0), inside));
  const waiting = await take(lobby(0));
  return { room, lobby, inside, visit, waiting };
};

test("[GATE-22] a lobby that begins anew, and any other one, finds the visit by the Room", async () => {
  const { room, lobby, inside, visit, waiting } = await full();
  await evictDurableObject(lobby(0) as never);
  await evictDurableObject(room as never);
  for (const index of [0, 3])
    expect(await takeOne(lobby(index), ask(inside))).toMatchObject({
      isNew: false,
      view: { number: visit, state: "visiting" },
    });
  const late = await take(lobby(0));
  expect(late.number).toBe(waiting.number + 1);
});

test("[PRESENCE-12] over its lobby's sleep a visitor with an open page keeps the number by the visitor id", async () => {
  const { lobby, waiting } = await full();
  const ear = await Ear.open(lobby(0), waiting);
  await ear.heard("position");
  await evictDurableObject(lobby(0) as never, { webSockets: "hibernate" });
  expect(await takeOne(lobby(0), ask(waiting.visitor))).toMatchObject({
    isNew: false,
    view: { number: waiting.number, state: "waiting" },
  });
});

describe("who comes back with the visitor id alone", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  const WINDOW_MS = 600_000;
  /** After the moment at which a poller of this room that was never heard again is away. */
  const AWAY_MS = 60_000;

  const backAfter = async (ms: number, { bringsTicket = false, restarts = false } = {}) => {
    const { lobby, waiting } = await full();
    vi.useFakeTimers({ toFake: ["Date"] });
    const heardAt = Date.now();
    const polled = await lobby(0).where(waiting);
    if (polled.kind !== "ticket") throw new Error(polled.kind);
    // Moments in between at which the lobby looks after itself.
    vi.setSystemTime(heardAt + AWAY_MS);
    await take(lobby(0));
    if (restarts) await evictDurableObject(lobby(0) as never);
    const ticket = bringsTicket ? held(waiting.visitor, polled.view) : null;
    vi.setSystemTime(Number(polled.view.heardAt) + ms);
    // Whom the lobby has to forget it has forgotten by now.
    await runDurableObjectAlarm(lobby(0) as never);
    const reply = await takeOne(lobby(0), { ...ask(waiting.visitor), ticket });
    if (reply.kind !== "ticket") throw new Error(reply.kind);
    return reply.view.number === waiting.number ? "the old number" : "a new one";
  };

  test.each([
    [WINDOW_MS - 1, "the old number"],
    [WINDOW_MS, "a new one"],
    [3 * WINDOW_MS, "a new one"],
  ])("[RETURN-9] %i ms after it was heard gets %s", async (ms, got) => {
    expect(await backAfter(ms)).toBe(got);
  });

  test.each([
    [WINDOW_MS - 1, "the old number"],
    [WINDOW_MS, "a new one"],
    [1.2 * WINDOW_MS, "a new one"],
  ])("[RETURN-9] with a ticket of this lobby's own, after %i ms, gets %s", async (ms, got) => {
    expect(await backAfter(ms, { bringsTicket: true })).toBe(got);
  });

  test.each([
    [1.25 * WINDOW_MS - 1, true, "the old number"],
    [1.25 * WINDOW_MS, true, "a new one"],
    [WINDOW_MS - 1, false, "a new one"],
  ])(
    "[RETURN-9] after a restart of the lobby only a ticket speaks: %i ms, ticket %s: %s",
    async (ms, bringsTicket, got) => {
      expect(await backAfter(ms, { bringsTicket, restarts: true })).toBe(got);
    },
  );
});
