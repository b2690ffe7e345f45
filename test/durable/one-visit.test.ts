import { evictDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { VisitorId } from "../../src/core/ids.ts";
import type { EnterReply, LobbyRpc } from "../../src/durable/contract.ts";
import { runAlarm } from "./alarms.ts";
import { Ear, take } from "./ear.ts";
import { held, newRoom, takeOne, visitorId } from "./objects.ts";

const ask = (visitor: VisitorId) => ({ visitor, ticket: null, address: null });
const enter = (lobby: LobbyRpc, visitor: VisitorId) =>
  lobby.enter({ visitor, transient: false, number: null, address: null });
const visitIn = (reply: EnterReply): number => (reply.kind === "visit" ? reply.visit.visit : 0);

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
    await runAlarm(lobby(0));
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
