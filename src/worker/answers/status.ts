import type { RoomDefinition } from "../../core/definition.ts";

/** How a request met the gate; `Seiriken-Status` says it on every answer. */
export type GateStatus = "admitted" | "queued" | "exempt" | "unprotected" | "error";

export const STATUS_HEADER = "Seiriken-Status";
export const REFERENCE_HEADER = "Seiriken-Reference";

export const statusText = (status: GateStatus, room: RoomDefinition | null): string =>
  room === null ? status : `${status}; room=${room.name}`;
