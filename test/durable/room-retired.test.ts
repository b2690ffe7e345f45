import { expect, test } from "vitest";
import { instant } from "../../src/core/time.ts";
import { definition, held, newRoom, objects, takeOne, visitorId } from "./objects.ts";
import type { TicketClaims, LobbyRpc } from "../../src/durable/contract.ts";

const DELETED_AT = instant(1_000);

const take = async (lobby: LobbyRpc, ticket: TicketClaims | null = null) => {
  const visitor = ticket?.visitor ?? visitorId();
  const reply = await takeOne(lobby, { visitor, ticket, address: null });
  return reply.kind === "ticket" ? held(visitor, reply.view) : null;
};

const restored = (id: string) => ({
  ...definition(id, { permitsMax: 1 }),
  modifiedAt: instant(2_000),
});

/** A visit and two who wait. */
const busyRoom = async () => {
  const made = await newRoom({ permitsMax: 1 });
  const lobby = made.lobby(0);
  const [first, second, third] = [await take(lobby), await take(lobby), await take(lobby)];
  const claim = await lobby.claim(first!);
  if (claim.kind !== "visit") throw new Error(claim.kind);
  return { ...made, lobby, visit: claim.visit.visit, second: second!, third: third! };
};

test("[RESTORE-2] a deleted room has nobody, calls nobody, and gives out nothing", async () => {
  const { room, lobby, visit } = await busyRoom();
  await room.retire(DELETED_AT);
  expect(await room.snapshot(null)).toMatchObject({
    waiting: 0,
    called: 0,
    visiting: 0,
    issued: 0,
  });
  expect(await take(lobby)).toBeNull();
  expect(await room.peek(visit)).toMatchObject({ kind: "ended" });
});

test("[RESTORE-3] restored, its numbers go on, tickets stand and visits have ended", async () => {
  const { id, room, lobby, visit, second, third } = await busyRoom();
  await room.retire(DELETED_AT);
  await room.configure(restored(id));
  expect(await room.peek(visit)).toMatchObject({ kind: "ended" });
  expect((await take(lobby))?.number).toBe(4);
  expect((await take(lobby, third))?.number).toBe(3);
  expect((await take(lobby, second))?.number).toBe(2);
  expect(await room.snapshot(null)).toMatchObject({ issued: 4, visiting: 0 });
});

test("[RESTORE-2] a late or repeated word that it was deleted changes nothing", async () => {
  const { id, room, lobby } = await busyRoom();
  await room.retire(DELETED_AT);
  await room.retire(DELETED_AT);
  await room.configure(restored(id));
  await room.retire(DELETED_AT);
  expect((await take(lobby))?.number).toBe(4);
});

test("[RESTORE-2] an older definition that comes late does not bring it back", async () => {
  const { id, room, lobby } = await busyRoom();
  await room.retire(DELETED_AT);
  await room.configure(definition(id));
  expect(await take(lobby)).toBeNull();
});

test("[RESTORE-1] erased after that, its rows are gone", async () => {
  const { id, room, lobby } = await busyRoom();
  await room.retire(DELETED_AT);
  await room.erase();
  await objects.ROOM.getByName(id).configure(restored(id));
  expect((await take(lobby))?.number).toBe(1);
});
