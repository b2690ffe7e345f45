/** Where visitors stand, for which requests of one isolate ask their lobby together. */
import type { TicketClaims, WhereReply } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import { orEachAlone } from "../isolate/or-each-alone.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { GateContext } from "./context.ts";

/** Who comes back after it was away waits for the Room by itself. Rejects with an `UnreachableError`. */
export const askWhere = async (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  ticket: TicketClaims,
): Promise<WhereReply> => {
  const lobby = () => lobbyOf(arrival, room, ticket.lobby);
  const alone = (each: TicketClaims) => lobby().where(each);
  const here = await isolate.whereAsks.ask(
    `${room.id}/${ticket.lobby}`,
    ticket,
    (tickets) =>
      orEachAlone(
        () => lobby().whereAll(tickets),
        () => tickets.map(alone),
      ),
    arrival.waitUntil,
  );
  return here ?? callObject(isolate.ports, () => alone(ticket));
};
