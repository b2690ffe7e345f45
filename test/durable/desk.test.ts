import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import { referenceOf } from "../../src/core/reference.ts";
import type { DeskReply } from "../../src/core/room/desk.ts";
import { eventually } from "../support/eventually.ts";
import { held, newRoom, objects, visitorId } from "./objects.ts";
import type { VisitorId } from "../../src/core/ids.ts";
import type { LobbyRpc } from "../../src/durable/contract.ts";

const LOOK = { act: "look" } as const;
const idOf = (seed: number): VisitorId => Buffer.alloc(16, seed).toString("base64url") as VisitorId;

const take = async (lobby: Pick<LobbyRpc, "take">, visitor: VisitorId) => {
  const [reply] = await lobby.take([{ visitor, ticket: null, address: null }]);
  if (reply?.kind !== "ticket") throw new Error(`no ticket but ${JSON.stringify(reply)}`);
  return held(visitor, reply.view);
};
const numberOf = (reply: DeskReply) =>
  reply.kind === "found" ? [Number(reply.visitor.number), reply.visitor.state] : null;

test("[DESK-4] a reference leads to who waits, to who visits, and then to the visit that ended", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const [first, second] = [idOf(1), idOf(2)];
  const by = async (visitor: VisitorId) =>
    numberOf(await room.desk({ reference: referenceOf(visitor) }, LOOK));
  const one = await take(lobby(0), first);
  await take(lobby(1), second);
  expect(await by(first)).toEqual([1, "called"]);
  expect(await by(second)).toEqual([2, "waiting"]);
  await lobby(0).claim(one);
  expect(await by(first)).toEqual([1, "visiting"]);
  const ended = await room.desk({ reference: referenceOf(first) }, { act: "end" });
  expect(numberOf(ended)).toEqual([1, "ended"]);
  expect(await by(first)).toEqual([1, "ended"]);
  expect(await by(idOf(3))).toBeNull();
});

test("[DESK-4] a lobby that has forgotten its visitor knows it again by the next poll", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visitor = idOf(4);
  await take(lobby(0), visitorId());
  const ticket = await take(lobby(0), visitor);
  const by = async () => numberOf(await room.desk({ reference: referenceOf(visitor) }, LOOK));
  await lobby(0).enter({ visitor, transient: false, number: null, address: null });
  await lobby(0).where(ticket);
  expect(await by()).toEqual([2, "waiting"]);
});

test("[DESK-5] more time reaches the visitor's lobby, and its claim counts as in time", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1, claimWithinMs: 5_000 });
  const ticket = await take(lobby(0), visitorId());
  const reply = await room.desk({ number: ticket.number }, { act: "more-time", ms: 60_000 });
  expect(reply).toMatchObject({ kind: "found", refused: null });
  await eventually(async () => {
    const where = await lobby(0).where(ticket);
    if (where.kind !== "ticket") throw new Error(where.kind);
    expect((where.view.claimBy ?? 0) - where.view.now).toBeGreaterThan(50_000);
  });
});

test("[DESK-1] of a room that is gone nobody is found, and no table is made", async () => {
  const { room } = await newRoom({ permitsMax: 1 });
  await room.erase();
  expect(await room.desk({ number: 1 as never }, LOOK)).toEqual({ kind: "never-issued" });
  expect(await room.desk({ reference: "ABCDEFGH" }, LOOK)).toEqual({ kind: "never-issued" });
});

const abort = (stub: unknown): Promise<unknown> =>
  runInDurableObject(stub as never, (_, state) => state.abort("killed by a test")).catch(
    () => null,
  );

test.each([
  ["evicted", (room: unknown): Promise<unknown> => evictDurableObject(room as never)],
  ["killed", abort],
])("[DESK-3] what happened is told after the Room was %s", async (_, end) => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1 });
  const first = await take(lobby(0), visitorId());
  for (let batch = 0; batch < 10; batch += 1)
    await lobby(0).take(
      Array.from({ length: 25 }, () => ({ visitor: visitorId(), ticket: null, address: null })),
    );
  await lobby(0).claim(first);
  const told = async (number: number) => {
    const reply = await objects.ROOM.getByName(id).desk({ number: ticketNumber(number) }, LOOK);
    return reply.kind === "found" ? reply.visitor.happenings.map(({ what }) => what) : null;
  };
  const before = [await told(1), await told(150), await told(251)];
  expect(before).toEqual([["joined", "called", "entered"], ["joined"], ["joined"]]);
  await end(room);
  expect([await told(1), await told(150), await told(251)]).toEqual(before);
});

test("[DESK-3] a room of before this table is asked for a number first of all", async () => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1 });
  await take(lobby(0), visitorId());
  await runInDurableObject(room as never, (_, { storage }) => {
    storage.sql.exec("DROP TABLE happened");
  });
  await evictDurableObject(room as never);
  const reply = await objects.ROOM.getByName(id).desk({ number: ticketNumber(1) }, LOOK);
  expect(numberOf(reply)).toEqual([1, "called"]);
});
