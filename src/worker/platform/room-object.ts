import { addressOf } from "../../core/regions/address.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomRpc } from "../../durable/contract.ts";
import { roomAt } from "../../core/regions/objects.ts";
import type { Env } from "./env.ts";

/** The Room itself, by a new stub. */
export const roomObject = (env: Env, room: RoomDefinition): RoomRpc =>
  roomAt(env.ROOM, addressOf(room));
