/** What the management API does with rooms, apart from HTTP. Every "no" is a `Refused`. */
import type { Author } from "../../core/audit/entry.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { hex } from "../../core/hex.ts";
import type { RoomId } from "../../core/ids.ts";
import type { SettingsChange } from "../../core/settings-change.ts";
import { instant } from "../../core/time.ts";
import type { ReadAt, RegistryReply, RegistryRpc } from "../../durable/contract.ts";
import type { Env } from "../platform/env.ts";
import { ERROR_CODES, ApiRefusal, refusedFields, type EnvelopeNote } from "../../api/envelope.ts";
import { canKeepHost } from "../origin/target.ts";
import { notesOnPage } from "./page-notes.ts";
import { notesOnStrangers } from "./stranger-notes.ts";
import { definitionOf } from "../../api/rooms/resource.ts";
import { unsafeIn } from "../../core/json/safe.ts";
import { parseRoom, type RoomInput } from "../../api/rooms/schema.ts";
import { statusOf, type RoomStatusResource } from "../../api/rooms/status.ts";
import { roomObject } from "../platform/room-object.ts";

const registryOf = (env: Env): RegistryRpc => env.REGISTRY.getByName("registry");

export const listRooms = async (env: Env): Promise<readonly RoomDefinition[]> =>
  (await registryOf(env).definitions(null))?.rooms ?? [];

/** By id, or by name in any case. */
export const findRoom = async (env: Env, room: string): Promise<RoomDefinition> => {
  const rooms = await listRooms(env);
  const wanted = room.toLowerCase();
  const found =
    rooms.find(({ id }) => id === wanted) ??
    rooms.find(({ name }) => name.toLowerCase() === wanted);
  if (found === undefined) throw new ApiRefusal("not-found", `There is no room ${room}.`);
  return found;
};

export const createRoom = async (env: Env, json: unknown, by: Author): Promise<RoomDefinition> => {
  const room = validRoom(json);
  const id = newRoomId();
  const now = instant(0);
  const identity = { id, createdAt: now, modifiedAt: now, cookieSuffix: room.name };
  return taken(await registryOf(env).create(definitionOf(room, identity), by));
};

/**
 * The Registry lays the change over what stands, so that none undoes another. `readAt` (a room's
 * `modified_on` as an instant) makes it refuse when the room was changed since.
 */
export const changeRoom = async (
  env: Env,
  room: string,
  change: SettingsChange,
  readAt: ReadAt | undefined,
  by: Author,
): Promise<{ readonly before: RoomDefinition; readonly after: RoomDefinition }> => {
  const unsafe = unsafeIn(change.json);
  if (unsafe.length > 0) throw refusedFields(unsafe);
  const reply = await registryOf(env).change(room, change, readAt, by);
  const after = taken(reply);
  return { before: (reply.ok ? reply.before : null) ?? after, after };
};

/** Returns the room as it was. `readAt` as in `changeRoom`. */
export const deleteRoom = async (
  env: Env,
  room: string,
  readAt: ReadAt | undefined,
  by: Author,
): Promise<RoomDefinition> => {
  const found = await findRoom(env, room);
  taken(await registryOf(env).remove(found.id, readAt, by));
  return found;
};

export const statusOfRoom = async (env: Env, room: string): Promise<RoomStatusResource> => {
  const definition = await findRoom(env, room);
  return statusOf(definition, await roomObject(env, definition).snapshot(null));
};

/** Tells the operator which settings are kept for other tools, or cannot be had here, and change nothing. */
export const notesOn = (env: Env, room: RoomDefinition): readonly EnvelopeNote[] => {
  const notes = [
    ...notesOnPage(room.kept.custom_page_html, "custom_page_html"),
    ...notesOnStrangers(env, room),
  ];
  return room.keepHost === true && !canKeepHost(env, room) ? [...notes, HOST_NOT_KEPT] : notes;
};

const HOST_NOT_KEPT: EnvelopeNote = {
  code: ERROR_CODES["host-not-kept"],
  message:
    "keep_host changes nothing for this origin: the platform asks a URL under its own host. It holds " +
    "for a zone's own origin and a service binding, and where Seiriken runs by itself for the origins " +
    "that --origin and --rooms named at its start; name it there and start again.",
  source: { pointer: "/seiriken/keep_host" },
};

const validRoom = (json: unknown): RoomInput => {
  const parsed = parseRoom(json);
  if (!parsed.ok) throw refusedFields(parsed.problems);
  return parsed.room;
};

const taken = <T>(reply: RegistryReply<T>): T => {
  if (reply.ok) return reply.value;
  const { problem } = reply;
  if (problem.code === "invalid") throw refusedFields(problem.problems);
  throw new ApiRefusal(problem.code, problem.detail);
};

const newRoomId = (): RoomId => hex(crypto.getRandomValues(new Uint8Array(16))) as RoomId;
