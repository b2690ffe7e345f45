import type { EnterReply } from "../../durable/contract.ts";
import { addressKey } from "../tokens/address-key.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Identity } from "../tokens/presented.ts";
import type { GateContext } from "../admission/context.ts";
import { onePermit } from "./one-request.ts";
import { paced } from "../admission/pace.ts";

type No = Exclude<EnterReply, { kind: "visit" }>;

/** Enters an open room for one request only. Returns the room's "no" if it says no. */
export const enterTransiently = async (
  context: GateContext,
  who: Identity,
): Promise<Response | No> => {
  const { arrival, room, deployment } = context;
  const { visitor } = who;
  const address = await addressKey(deployment.keys, arrival, room);
  return onePermit<EnterReply>(context, {
    lobby: who.lobby,
    ask: (ports) =>
      callObject(ports, () =>
        lobbyOf(arrival, room, who.lobby).enter({
          visitor,
          transient: true,
          number: null,
          address,
        }),
      ),
    before: () => paced(context, who.lobby),
  });
};
