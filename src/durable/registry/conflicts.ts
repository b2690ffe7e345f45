import type { RoomDefinition } from "../../core/definition.ts";
import type { RegistryProblem } from "../contract.ts";
import type { RegistryStore } from "./store.ts";

export const ROOMS_MAX = 1_000;
/** All definitions go to an isolate in one call, and a call carries at most 32 MiB. */
export const DEFINITIONS_BYTES_MAX = 16 * 1_024 * 1_024;
/** With its pages, rules and events: a row of the tables carries at most 2 MB. */
export const DEFINITION_BYTES_MAX = 1_900_000;

/** Why a room cannot stand beside the others. */
export const conflictOf = (store: RegistryStore, room: RoomDefinition): RegistryProblem | null => {
  const isNew = store.room(room.id) === null;
  if (isNew && store.roomCount() >= ROOMS_MAX) {
    return { code: "too-many-rooms", detail: `There are already ${ROOMS_MAX} rooms.` };
  }
  const bytes = new TextEncoder().encode(JSON.stringify(room)).length;
  if (bytes > DEFINITION_BYTES_MAX) {
    const detail = `A room with its pages, rules and events may take ${DEFINITION_BYTES_MAX} bytes. Shorten them.`;
    return { code: "too-many-rooms", detail };
  }
  if (store.bytesWithout(room.id) + bytes > DEFINITIONS_BYTES_MAX) {
    const detail = "All rooms together may take 16 MiB. Shorten pages, logos, rules or exemptions.";
    return { code: "too-many-rooms", detail };
  }
  const namesake = store.ownerOfName(room.name);
  if (namesake !== null && namesake !== room.id) {
    return { code: "name-taken", detail: `Another room is named ${room.name}.` };
  }
  for (const route of room.routes) {
    const owner = store.ownerOfRoute(route);
    if (owner === null || owner === room.id) continue;
    const name = store.room(owner)?.name ?? owner;
    return {
      code: "route-taken",
      detail: `${route.host}${route.path} belongs to the room ${name}.`,
    };
  }
  return null;
};
