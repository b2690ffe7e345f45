import type { DurableObject } from "cloudflare:workers";
import type { RoomRpc } from "../contract.ts";

/** What a lobby asks of its Room. */
export type LobbyRoom = Pick<RoomRpc, "batch" | "snapshot">;

/** What a lobby is bound to. */
export interface LobbyEnv {
  readonly ROOM: DurableObjectNamespace<DurableObject & RoomRpc>;
}
