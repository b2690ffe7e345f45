import { expect, test } from "vitest";
import { held, newRoom, takeOne, visitorId } from "./objects.ts";
import type { LobbyRpc, TicketClaims } from "../../src/durable/contract.ts";

const take = async (lobby: LobbyRpc): Promise<{ ticket: TicketClaims; state: string }> => {
  const visitor = visitorId();
  const reply = await takeOne(lobby, { visitor, ticket: null, address: null });
  if (reply.kind !== "ticket") throw new Error(JSON.stringify(reply));
  return { ticket: held(visitor, reply.view), state: reply.view.state };
};

test("twenty visitors pass two permits on to each other", async () => {
  const { room, lobby } = await newRoom();
  const taken = await Promise.all(Array.from({ length: 20 }, () => take(lobby(0))));
  expect(taken.map(({ ticket }) => ticket.number)).toEqual(
    Array.from({ length: 20 }, (_, i) => i + 1),
  );
  for (const { ticket } of taken) {
    const claim = await lobby(0).claim(ticket);
    expect(claim).toMatchObject({ kind: "visit", isNew: true });
    if (claim.kind === "visit") await lobby(0).end(claim.visit.visit, 0);
  }
  expect(await room.snapshot(null)).toMatchObject({
    mode: "open",
    waiting: 0,
    visiting: 0,
    issued: 20,
  });
});

test("[RANDOM-5] where turns are drawn, a ticket tells among how many it is", async () => {
  const { lobby } = await newRoom({ order: "random", permitsMax: 1 });
  await take(lobby(0));
  for (const among of [1, 2, 3]) {
    const reply = await takeOne(lobby(0), { visitor: visitorId(), ticket: null, address: null });
    expect(reply).toMatchObject({
      kind: "ticket",
      view: { state: "waiting", ahead: null, among, eta: { known: false, reason: "random" } },
    });
  }
});

test("[RANDOM-1] twenty visitors pass one permit on, drawn each time, until nobody waits", async () => {
  const { room, lobby } = await newRoom({ order: "random", permitsMax: 1 });
  let waiting = await Promise.all(Array.from({ length: 20 }, () => take(lobby(0))));
  const order: number[] = [];
  while (waiting.length > 0) {
    for (const one of waiting) {
      const claim = await lobby(0).claim(one.ticket);
      if (claim.kind !== "visit") continue;
      order.push(claim.visit.visit);
      await lobby(0).end(claim.visit.visit, 0);
    }
    waiting = waiting.filter(({ ticket }) => !order.includes(ticket.number));
  }
  expect(order.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
  expect(await room.snapshot(null)).toMatchObject({ waiting: 0, visiting: 0, issued: 20 });
});
