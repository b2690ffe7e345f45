/** Of requests that wait, of the room, and of a lobby out of reach. */
import { expect, test } from "vitest";
import {
  LOBBY_TICKET_HEADER,
  SOCKET_REFUSED,
  type LobbyRpc,
} from "../../../src/durable/contract.ts";
import { visitorId } from "../objects.ts";
import { type OpenStage, ask, viewIn, visitIn, take, enter, inside } from "./stage.ts";

export const letsRequestsWait = (open: OpenStage): void => {
  const wait = { ticket: null, holdMs: 0, address: null };

  test("[REQUEST-1] [HOLD-30] a request that finds a permit has it in hand, and gives it back once", async () => {
    const { lobby } = await open({ permit: "request" });
    const reply = await lobby.wait({ ...wait, waitId: "a" });
    const { visit } = visitIn(reply);
    expect(reply).toMatchObject({ rate: null, visit: { provisional: false } });
    if (reply.kind !== "visit" || reply.permit === undefined) throw new Error("no permit");
    await reply.permit.end();
    await reply.permit.end();
    expect(await lobby.renew(visit)).toEqual({ kind: "ended" });
  });

  test("[REQUEST-3] [HOLD-20] one whose time is up is away, and told when to come back", async () => {
    const { lobby } = await open({ permit: "request", isFull: true });
    const reply = await lobby.wait({ ...wait, waitId: "a" });
    expect(reply).toMatchObject({ kind: "not-yet", view: { state: "away" } });
    expect(reply).toMatchObject({ retryAfterMs: expect.any(Number) });
    const again = await lobby.wait({ ...wait, waitId: "b", ticket: viewIn(reply) });
    expect(viewIn(again).number).toBe(viewIn(reply).number);
  });

  test("[HOLD-3] one that is let go stops waiting at once", async () => {
    const { lobby } = await open({ permit: "request", isFull: true });
    await lobby.abandonWait("a");
    const reply = await lobby.wait({ ...wait, waitId: "a", holdMs: 3_600_000 });
    expect(reply).toMatchObject({ kind: "not-yet", view: { state: "away" } });
  });

  test("[REQUEST-2] [HOLD-1] one that waits goes in when a permit falls free", async () => {
    const { lobby, frees } = await open({ permit: "request", isFull: true });
    const waiting = lobby.wait({ ...wait, waitId: "a", holdMs: 3_600_000 });
    await frees();
    expect(await waiting).toMatchObject({ kind: "visit", rate: null });
  });

  test("[REQUEST-8] one in a closed room is refused", async () => {
    const { lobby, becomes } = await open({ permit: "request" });
    await becomes("closed");
    const refused = { kind: "refused", refusal: "room-closed" };
    expect(await lobby.wait({ ...wait, waitId: "a" })).toMatchObject(refused);
  });

  test("[PACED-1] without a limit per second an admitted visitor's request starts at once", async () => {
    const { lobby } = await open();
    expect(await lobby.moment(0)).toEqual({ kind: "start", waitMs: 0, left: null });
  });
};

export const tellsOfTheRoom = (open: OpenStage): void => {
  test("[SNAPSHOT-5] the snapshot tells the mode, and the age that it has", async () => {
    const { lobby, pass, becomes } = await open();
    expect(await lobby.snapshot(null)).toMatchObject({ snapshot: { mode: "open" }, ageMs: 0 });
    await becomes("closed");
    await pass(1_000);
    expect(await lobby.snapshot(null)).toMatchObject({ snapshot: { mode: "closed" }, ageMs: 0 });
  });

  test("[SNAPSHOT-1] [SNAP-9] the snapshot names a visit that ended before its pass, once", async () => {
    const { lobby, pass } = await open();
    const { visit, passUntil } = await inside(lobby);
    const before = (await lobby.snapshot(null)).snapshot;
    await lobby.end(visit, 0);
    await pass(1_000);
    const { snapshot } = await lobby.snapshot(before.version);
    const ended = { visit, version: before.version.ended + 1, passesUntil: passUntil };
    expect(snapshot).toMatchObject({ endedSince: before.version.ended, ended: [ended] });
    expect((await lobby.snapshot(null)).snapshot).toMatchObject({
      endedSince: null,
      ended: [ended],
    });
    expect((await lobby.snapshot(snapshot.version)).snapshot.ended).toEqual([]);
    const other = await lobby.snapshot({ ...snapshot.version, boot: "another" });
    expect(other.snapshot).toMatchObject({ endedSince: null, ended: [ended] });
  });

  test.each([
    ["no ticket", null],
    ["a number that is none", { number: 0 }],
  ])("[SOCKET-8] a socket with %s is left to the Worker to refuse", async (_, ticket) => {
    const { lobby } = await open();
    const answer = await upgrade(lobby, ticket);
    expect([answer.status, answer.webSocket ?? null]).toEqual([SOCKET_REFUSED, null]);
    expect(await answer.json()).toEqual({ code: 4401, reason: "ticket-invalid" });
  });

  test("[SOCKET-8] a socket with a ticket is accepted", async () => {
    const { lobby } = await open({ isFull: true });
    const answer = await upgrade(lobby, await take(lobby));
    expect(answer.status).toBe(101);
    answer.webSocket?.accept();
    answer.webSocket?.close(1000, "bye");
  });
};

export const throwsOutOfReach = (open: OpenStage): void => {
  test("[LOBBY-15] out of reach every call throws: no answer is made up", async () => {
    const { lobby, breaks } = await open({ isFull: true });
    const ticket = await take(lobby);
    await breaks();
    const { number: visit, visitor } = ticket;
    const calls = [
      lobby.take([ask(visitorId())]),
      lobby.claim(ticket),
      lobby.visits([{ claim: ticket }]),
      lobby.leave(ticket),
      enter(lobby, visitor),
      lobby.enterAll([{ visitor, transient: false, number: null, address: null }]),
      lobby.renew(visit),
      lobby.peek(visit),
      lobby.end(visit, 0),
      lobby.wait({ waitId: "a", ticket: null, holdMs: 0, address: null }),
      lobby.moment(0),
    ];
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.map(({ status }) => status)).toEqual(calls.map(() => "rejected"));
  });
};

const upgrade = (lobby: LobbyRpc, ticket: unknown): Promise<Response> => {
  const headers = { Upgrade: "websocket", [LOBBY_TICKET_HEADER]: JSON.stringify(ticket) };
  return lobby.fetch(new Request("http://lobby/socket", { headers }));
};
