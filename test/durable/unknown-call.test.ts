import { expect, test } from "vitest";
import type { WhereReply } from "../../src/durable/contract.ts";
import { orEachAlone } from "../../src/worker/isolate/or-each-alone.ts";
import { take } from "./ear.ts";
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
