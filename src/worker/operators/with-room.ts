/** A call of an operator's about one room, with the Room to ask. */
import type { Context } from "hono";
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomRpc } from "../../durable/contract.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { callObject } from "../isolate/call-object.ts";
import { findRoom } from "../isolate/deployment.ts";
import { askedRoom } from "../sign-in/needs.ts";
import { OperatorRefusal } from "./refusal.ts";
import { roomObject } from "../platform/room-object.ts";

type AskRoom = <T>(call: (rpc: RoomRpc) => Promise<T>) => Promise<T>;

export const withRoom = async (
  c: Context<AppContext>,
  answer: (room: AskRoom, definition: RoomDefinition) => Promise<Response>,
): Promise<Response> => {
  const deployment = c.get("deployment");
  const isolate = c.get("isolate");
  const definition = findRoom(deployment, askedRoom(c));
  if (definition === null) throw new OperatorRefusal("room-not-found");
  return answer(
    (call) => callObject(isolate.ports, () => call(roomObject(c.env, definition))),
    definition,
  );
};
