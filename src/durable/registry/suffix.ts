import type { RoomDefinition } from "../../core/definition.ts";

/** A default suffix must be no other room's: a renamed room may still go by this name. */
export const withSuffixOfItsOwn = (
  room: RoomDefinition,
  before: RoomDefinition | null,
  rooms: readonly RoomDefinition[],
): RoomDefinition => {
  const { id, cookieSuffix, kept } = room;
  if (kept.cookie_suffix || cookieSuffix === before?.cookieSuffix) return room;
  const isTaken = rooms.some((other) => other.id !== id && other.cookieSuffix === cookieSuffix);
  return isTaken ? { ...room, cookieSuffix: `${cookieSuffix}-${id.slice(0, 8)}` } : room;
};
