/** Where visitors stand, for which requests of one isolate ask their lobby together. */
import type { TicketClaims, WhereReply } from "../../durable/contract.ts";
import { orEachAlone } from "../isolate/or-each-alone.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { GateContext } from "./context.ts";

/** Rejects with an `UnreachableError`. */
export const askWhere = (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  ticket: TicketClaims,
): Promise<WhereReply> => {
  const lobby = () => lobbyOf(arrival, room, ticket.lobby);
  return isolate.whereAsks.ask(
    `${room.id}/${ticket.lobby}`,
    ticket,
    (tickets) =>
      orEachAlone(
        () => lobby().whereAll(tickets),
        () => tickets.map((each) => lobby().where(each)),
      ),
    arrival.waitUntil,
  );
};
