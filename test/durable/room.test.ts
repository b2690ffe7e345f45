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
