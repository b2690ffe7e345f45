import { expect, test } from "vitest";
import { ticketNumber } from "../../src/core/ids.ts";
import type { WhereReply } from "../../src/durable/contract.ts";
import { orEachAlone } from "../../src/worker/isolate/or-each-alone.ts";
import { take, visitOf } from "./ear.ts";
import { newRoom } from "./objects.ts";

test("[GATHER-9] the runtime's own word for a call that a lobby does not know is understood", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  const tickets = [await take(lobby(0)), await take(lobby(0))];
  const older = lobby(0) as unknown as { ofNextVersion(): Promise<WhereReply[]> };
  const replies = await orEachAlone(
    () => older.ofNextVersion(),
    () => tickets.map((ticket) => lobby(0).where(ticket)),
  );
  expect(replies).toMatchObject(
    tickets.map(({ number }) => ({ kind: "ticket", view: { number } })),
  );
});

test("[GATHER-9] whereAll answers from what a lobby knows, and leaves those to whom the Room has to speak", async () => {
  const { lobby } = await newRoom({ permitsMax: 1 });
  await visitOf(lobby(0), await take(lobby(0)));
  const waiting = await take(lobby(0));
  const unknown = { ...waiting, number: ticketNumber(waiting.number + 1) };
  const [known, asks] = await lobby(0).whereAll([waiting, unknown]);
  expect(known).toMatchObject({ view: { number: waiting.number } });
  expect(asks).toBeNull();
});
