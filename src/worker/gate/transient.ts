import type { EnterReply } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";
import { onePermit } from "./one-request.ts";

/** Enters an open room for one request only. Returns the room's "no" if it says no. */
export const enterTransiently = (
  guarded: Guarded,
  who: Identity,
): Promise<Response | Exclude<EnterReply, { kind: "visit" }>> => {
  const { isolate, arrival, room } = guarded;
  return onePermit<Exclude<EnterReply, { kind: "visit" }>>(guarded, {
    lobby: who.lobby,
    ask: () =>
      callObject(isolate.ports, () =>
        lobbyOf(arrival, room, who.lobby).enter({ visitor: who.visitor, transient: true }),
      ),
  });
};
