/** Entries by an open door, for which requests of one isolate ask their lobby together. */
import type { LobbyIndex } from "../../core/ids.ts";
import type { EnterAsk, EnterReply } from "../../durable/contract.ts";
import { orEachAlone } from "../isolate/or-each-alone.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { GateContext } from "./context.ts";

/** Rejects with an `UnreachableError`. */
export const askToEnter = (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  index: LobbyIndex,
  ask: EnterAsk,
): Promise<EnterReply> => {
  const lobby = () => lobbyOf(arrival, room, index);
  return isolate.enterAsks.ask(
    `${room.id}/${index}`,
    ask,
    (asks) =>
      orEachAlone(
        () => lobby().enterAll(asks),
        () => asks.map((each) => lobby().enter(each)),
      ),
    arrival.waitUntil,
  );
};
