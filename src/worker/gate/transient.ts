import type { EnterReply } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";
import { onePermit } from "./one-request.ts";
import { paced } from "./pace.ts";

type No = Exclude<EnterReply, { kind: "visit" }>;

/** Enters an open room for one request only. Returns the room's "no" if it says no. */
export const enterTransiently = (guarded: Guarded, who: Identity): Promise<Response | No> => {
  const { arrival, room } = guarded;
  return onePermit<EnterReply>(guarded, {
    lobby: who.lobby,
    ask: (ports) =>
      callObject(ports, () =>
        lobbyOf(arrival, room, who.lobby).enter({ visitor: who.visitor, transient: true }),
      ),
    before: () => paced(guarded, who.lobby),
  });
};
