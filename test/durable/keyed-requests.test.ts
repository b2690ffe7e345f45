import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { WaitAsk, WaitReply, TicketView } from "../../src/durable/contract.ts";
import { definition, newRoom } from "./objects.ts";
import { moment } from "./moment.ts";

let waits = 0;
const ask = (more: Partial<WaitAsk> = {}): WaitAsk => {
  waits += 1;
  return { waitId: `keyed-${waits}`, ticket: null, holdMs: 20, address: null, key: "a", ...more };
};

const visitOf = (reply: WaitReply): number => {
  if (reply.kind !== "visit") throw new Error(JSON.stringify(reply));
  return reply.visit.visit;
};
const sentAway = (reply: WaitReply): TicketView => {
  if (reply.kind !== "not-yet") throw new Error(JSON.stringify(reply));
  return reply.view;
};

const kill = (stub: unknown): Promise<unknown> =>
  runInDurableObject(stub as never, (_, state) => state.abort("killed by a test")).catch(
    () => null,
  );

/** One permit, held by number 1, and a lobby for those behind it. */
const fullRoom = async () => {
  const { lobby, room, id } = await newRoom({ permit: "request", permitsMax: 1 });
  const first = visitOf(await lobby(0).wait(ask({ key: null })));
  const away = async (more: Partial<WaitAsk> = {}) => sentAway(await lobby(0).wait(ask(more)));
  const next = async (visit: number) => lobby(0).end(visit as never, 0);
  return { lobby, room, id, first, away, next };
};

test("[KEYED-1] the next request of a key stands where the one before it stood", async () => {
  const { lobby, first, away, next } = await fullRoom();
  const view = await away();
  expect((await away({ key: "b" })).number).toBe(3);
  expect(await away()).toMatchObject({ number: 2, joinedAt: view.joinedAt });
  await next(first);
  expect(visitOf(await lobby(0).wait(ask()))).toBe(2);
});

test("[KEYED-1] without a key each request without a ticket stands at the end", async () => {
  const { away } = await fullRoom();
  expect([(await away({ key: null })).number, (await away({ key: null })).number]).toEqual([2, 3]);
});

test("[KEYED-2] requests of one key at once have a place each, the oldest first", async () => {
  const { lobby, away } = await fullRoom();
  const both = await Promise.all([away(), away()]);
  expect(both.map(({ number }) => number)).toEqual([2, 3]);
  const again = await Promise.all([away({ holdMs: 60 }), away({ holdMs: 60 }), away()]);
  expect(again.map(({ number }) => number)).toEqual([2, 3, 4]);
  expect((await lobby(0).wait(ask({ key: "other" }))) as object).toMatchObject({
    view: { number: 5 },
  });
});

test("[KEYED-1] a client that is noticed gone leaves its place too", async () => {
  const { lobby, away } = await fullRoom();
  const gone = ask({ holdMs: 5_000 });
  const leaving = lobby(0).wait(gone);
  await moment(20);
  await lobby(0).abandonWait(gone.waitId);
  await leaving;
  expect((await away()).number).toBe(2);
});

test("[KEYED-3] who has the ticket takes the place from the key, and whoever stood there comes again", async () => {
  const { lobby, first, away, next } = await fullRoom();
  const ticket = await away();
  const taking = away({ holdMs: 5_000 });
  await moment(20);
  const owner = lobby(0).wait(ask({ ticket, holdMs: 5_000 }));
  expect(await taking).toMatchObject({ number: 2, state: "away" });
  // It is not left to the key while its owner stands there.
  expect((await away()).number).toBe(3);
  await next(first);
  expect(visitOf(await owner)).toBe(2);
});

test("[KEYED-3] where the key's request has gone in, the ticket's client has the key's next place", async () => {
  const { lobby, first, away, next } = await fullRoom();
  const [ticket] = await Promise.all([away(), away()]);
  await next(first);
  const gone = visitOf(await lobby(0).wait(ask()));
  expect(gone).toBe(2);
  await away({ key: "b" });
  expect((await away({ ticket })).number).toBe(3);
});

test("[KEYED-3] a client that gives its place up leaves nothing", async () => {
  const { lobby, away } = await fullRoom();
  const view = await away();
  const held = { ...view, visitor: "visitor-xxxxxxxxxxxxxx" as never, lobby: 0 as never };
  await lobby(0).leave(held);
  expect((await away()).number).toBe(3);
});

test("[KEYED-8] a room that refuses takes no place away", async () => {
  const limits = { permit: "request", permitsMax: 1 } as const;
  const { lobby, room, id } = await newRoom(limits);
  const change = (more: object, at: number) =>
    room.configure({ ...definition(id, { ...limits, ...more }), modifiedAt: at as never });
  await lobby(0).wait(ask({ key: null }));
  expect(sentAway(await lobby(0).wait(ask())).number).toBe(2);
  await change({ closed: "Sold out" }, 1);
  expect(await lobby(0).wait(ask())).toMatchObject({ kind: "refused", refusal: "room-closed" });
  await change({}, 2);
  expect(sentAway(await lobby(0).wait(ask())).number).toBe(2);
});

test("[KEYED-4] places outlive the lobby", async () => {
  const { lobby, away } = await fullRoom();
  expect((await Promise.all([away(), away()])).map(({ number }) => number)).toEqual([2, 3]);
  await kill(lobby(0));
  expect((await Promise.all([away(), away(), away()])).map(({ number }) => number)).toEqual([
    2, 3, 4,
  ]);
});

test("[KEYED-4] a deleted room forgets them, and its lobby begins anew", async () => {
  const { lobby, away } = await fullRoom();
  await away();
  await lobby(0).close();
  expect((await away()).number).toBe(3);
});
