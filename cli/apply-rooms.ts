/** Makes the rooms of a deployment like those of a file. */
import type { RoomResource } from "../src/worker/management/resource.ts";
import type { RoomJson } from "../src/worker/management/rooms-file.ts";
import type { ManagementClient } from "./api-client.ts";
import { Failure } from "./launch/failure.ts";

export interface AppliedRoom {
  readonly name: string;
  readonly action: "created" | "updated" | "unchanged" | "deleted";
}

export interface ApplyOptions {
  readonly prune: boolean;
  /** Called as soon as a room is done, so that a failure later hides nothing. */
  readonly onApplied: (applied: AppliedRoom) => void;
}

type Client = Pick<ManagementClient, "listRooms" | "createRoom" | "putRoom" | "deleteRoom">;

/**
 * Upserts by name. Rooms to prune go first, for they may own the routes of others; a room whose
 * route or name is still another's is tried again after the rest, as long as that gets further.
 */
export const applyRooms = async (
  client: Client,
  rooms: readonly RoomJson[],
  { prune, onApplied }: ApplyOptions,
): Promise<void> => {
  const existing = new Map((await client.listRooms()).map((room) => [room.name, room]));
  const named = new Set(rooms.map(({ name }) => name));
  for (const [name, room] of existing) {
    if (!prune || named.has(name)) continue;
    await client.deleteRoom(room.id);
    onApplied({ name, action: "deleted" });
  }
  let left = rooms;
  while (left.length > 0) {
    const refused: { readonly room: RoomJson; readonly failure: Failure }[] = [];
    for (const room of left) {
      try {
        onApplied(await applyRoom(client, room, existing.get(room.name)));
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        const details = [`in the room ${room.name}`, ...thrown.details];
        const failure = new Failure(thrown.code, thrown.message, details);
        if (thrown.code !== "conflict") throw failure;
        refused.push({ room, failure });
      }
    }
    if (refused.length === left.length && refused[0] !== undefined) throw refused[0].failure;
    left = refused.map(({ room }) => room);
  }
};

async function applyRoom(
  client: Client,
  room: RoomJson,
  before: RoomResource | undefined,
): Promise<AppliedRoom> {
  const { name } = room;
  if (before === undefined) {
    await client.createRoom(room);
    return { name, action: "created" };
  }
  const after = await client.putRoom(before.id, settingsFor(room, before));
  return { name, action: after.modified_on === before.modified_on ? "unchanged" : "updated" };
}

/**
 * The file is the truth, except for the switches of the hour: applying new limits in the middle of a
 * sale must not let the held crowd in. They change only when the file names them.
 */
export const settingsFor = (room: RoomJson, before: RoomResource): Record<string, unknown> => ({
  queue_all: before.queue_all,
  suspended: before.suspended,
  ...room,
  seiriken: {
    message: before.seiriken.message,
    closed: before.seiriken.closed,
    ...(room["seiriken"] as Record<string, unknown> | null | undefined),
  },
});
