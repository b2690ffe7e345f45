import { evictDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import { eventually } from "../support/eventually.ts";
import { Ear, take, visitOf } from "./ear.ts";
import { held, newRoom, takeOne, visitorId } from "./objects.ts";

test("a socket hears its place, and its call when a visit ends", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  const inside = await take(lobby(0));
  const visit = await visitOf(lobby(0), inside);
  const waiting = await take(lobby(0));
  const ear = await Ear.open(lobby(0), waiting);
  expect(await ear.heard("position")).toMatchObject({
    number: waiting.number,
    ahead: 0,
    state: "waiting",
  });
  await lobby(0).end(visit.visit, 0);
  expect(await ear.heard("called")).toMatchObject({ number: waiting.number });
  expect(await visitOf(lobby(0), waiting)).toMatchObject({ visit: waiting.number });
  await eventually(() => expect(ear.closed).toMatchObject({ code: 1000, reason: "visiting" }));
});

test("a call reaches a socket of another lobby", async () => {
  const { lobby } = await newRoom({ permitsMax: 1, lobbiesMin: 2 });
  const inside = await take(lobby(0));
  const visit = await visitOf(lobby(0), inside);
  const visitor = visitorId();
  const reply = await takeOne(lobby(1), { visitor, ticket: null, address: null });
  if (reply.kind !== "ticket") throw new Error("refused");
  const ear = await Ear.open(lobby(1), held(visitor, reply.view, 1));
  await ear.heard("position");
  await lobby(0).end(visit.visit, 0);
  await ear.heard("called");
});

test("the same visitor gets the same number, also when two of its joins cross", async () => {
  const { lobby } = await newRoom();
  const visitor = visitorId();
  const ask = { visitor, ticket: null, address: null };
  const replies = (await Promise.all([lobby(0).take([ask, ask]), lobby(0).take([ask])])).flat();
  const again = await takeOne(lobby(0), ask);
  const numbers = [...replies, again].map((reply) =>
    reply.kind === "ticket" ? reply.view.number : 0,
  );
  expect(new Set(numbers)).toEqual(new Set([1]));
  expect(again).toMatchObject({ isNew: false });
});

test("a hibernated lobby still tells its sockets of their call", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  const visit = await visitOf(lobby(0), await take(lobby(0)));
  const waiting = await take(lobby(0));
  const ear = await Ear.open(lobby(0), waiting);
  await ear.heard("position");
  await evictDurableObject(lobby(0) as never, { webSockets: "hibernate" });
  await lobby(0).end(visit.visit, 0);
  await ear.heard("called");
});

test("an evicted Room goes on where it was, and hears again who is there", async () => {
  const { room, lobby } = await newRoom({ permitsMax: 1 });
  const visit = await visitOf(lobby(0), await take(lobby(0)));
  const tickets = [await take(lobby(0)), await take(lobby(0))];
  const ears = await Promise.all(tickets.map((ticket) => Ear.open(lobby(0), ticket)));
  await Promise.all(ears.map((ear) => ear.heard("position")));
  const before = await room.snapshot(null);
  await evictDurableObject(room as never);
  expect(await room.snapshot(null)).toMatchObject({ visiting: 1, issued: 3 });
  expect((await room.snapshot(null)).version.boot).not.toBe(before.version.boot);
  await lobby(0).end(visit.visit, 0);
  await ears[0]?.heard("called");
  expect(ears[1]?.messages.filter(({ type }) => type === "called")).toEqual([]);
  const late = await take(lobby(0));
  expect(late.number).toBe(4);
});

test("at most three sockets a ticket, and no message but ready", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  await visitOf(lobby(0), await take(lobby(0)));
  const ticket = await take(lobby(0));
  const ears: Ear[] = [];
  for (let i = 0; i < 3; i += 1) ears.push(await Ear.open(lobby(0), ticket));
  expect(await Ear.refused(lobby(0), ticket)).toEqual({ code: 4429, reason: "too-many" });
  ears[0]?.say(JSON.stringify({ type: "ready" }));
  ears[1]?.say("{".repeat(100_000));
  ears[2]?.say(new ArrayBuffer(8));
  await eventually(() => expect(ears[1]?.closed).toMatchObject({ code: 4400 }));
  await eventually(() => expect(ears[2]?.closed).toMatchObject({ code: 4400 }));
  expect(ears[0]?.closed).toBeNull();
});

test("a closed room tells its sockets and takes no tickets; a deleted one lets them go", async () => {
  const { id, room, lobby } = await newRoom({ permitsMax: 1 });
  await visitOf(lobby(0), await take(lobby(0)));
  const ear = await Ear.open(lobby(0), await take(lobby(0)));
  await ear.heard("position");
  const { definition } = await import("./objects.ts");
  await room.configure(
    definition(id, { permitsMax: 1, message: "Nearly there", closed: "Sold out" }),
  );
  expect(await ear.heard("message")).toMatchObject({ text: "Nearly there" });
  expect(await ear.heard("closed")).toMatchObject({ text: "Sold out" });
  const refused = await takeOne(lobby(0), { visitor: visitorId(), ticket: null, address: null });
  expect(refused).toMatchObject({ kind: "refused", refusal: "room-closed" });
  await room.erase();
  await eventually(() => expect(ear.closed).toMatchObject({ code: 4410 }));
  expect(await room.snapshot(null)).toMatchObject({ mode: "paused", issued: 0 });
});
