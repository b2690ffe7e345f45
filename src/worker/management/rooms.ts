/** What the management API does with rooms, apart from HTTP. Every "no" is a `Refused`. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomId } from "../../core/ids.ts";
import { instant } from "../../core/time.ts";
import type { RegistryReply, RegistryRpc } from "../../durable/contract.ts";
import type { Env } from "../env.ts";
import { ERROR_CODES, Refused, refusedFields, type EnvelopeNote } from "./envelope.ts";
import { isRecord } from "./fields.ts";
import { definitionOf, resourceOf } from "./resource.ts";
import { parseRoom, type RoomInput } from "./schema.ts";
import { statusOf, type RoomStatus } from "./status.ts";

/** How often a patch is laid on anew when others change the same room at the same moment. */
const PATCH_TRIES = 3;

const registryOf = (env: Env): RegistryRpc => env.REGISTRY.getByName("registry");

export const listRooms = async (env: Env): Promise<readonly RoomDefinition[]> =>
  (await registryOf(env).definitions(null))?.rooms ?? [];

/** By id, or by name. */
export const findRoom = async (env: Env, room: string): Promise<RoomDefinition> => {
  const rooms = await listRooms(env);
  const found = rooms.find(({ id }) => id === room) ?? rooms.find(({ name }) => name === room);
  if (found === undefined) throw new Refused("not-found", `There is no room ${room}.`);
  return found;
};

export const createRoom = async (env: Env, json: unknown): Promise<RoomDefinition> => {
  const room = validRoom(json);
  const id = newRoomId();
  const rooms = await listRooms(env);
  const identity = {
    id,
    createdAt: instant(0),
    modifiedAt: instant(0),
    cookieSuffix: freeCookieSuffix(room.name, id, rooms),
  };
  return taken(await registryOf(env).create(definitionOf(room, identity)));
};

/** PUT: every setting anew. Who says nothing about `seiriken` (Terraform) leaves it alone. */
export const putRoom = async (env: Env, room: string, json: unknown): Promise<RoomDefinition> => {
  const before = await findRoom(env, room);
  const whole = isRecord(json) ? { seiriken: resourceOf(before).seiriken, ...json } : json;
  return taken(await registryOf(env).replace(successorOf(before, validRoom(whole))));
};

/** PATCH as a JSON merge patch (RFC 7396): null takes a setting back to its default. */
export const patchRoom = async (env: Env, room: string, json: unknown): Promise<RoomDefinition> => {
  if (!isRecord(json)) throw refusedFields([{ keys: [], message: "must be an object" }]);
  for (let tries = 1; ; tries += 1) {
    const before = await findRoom(env, room);
    const after = successorOf(before, validRoom(merged({ ...resourceOf(before) }, json)));
    const reply = await registryOf(env).replace(after, before.modifiedAt);
    const raced = !reply.ok && reply.problem.code === "modified-since";
    if (!raced || tries === PATCH_TRIES) return taken(reply);
  }
};

export const deleteRoom = async (env: Env, room: string): Promise<RoomId> =>
  taken(await registryOf(env).remove((await findRoom(env, room)).id));

export const statusOfRoom = async (env: Env, room: string): Promise<RoomStatus> => {
  const definition = await findRoom(env, room);
  return statusOf(definition, await env.ROOM.getByName(definition.id).snapshot(null));
};

/** Tells the operator which settings are kept for other tools and change nothing here. */
export const notesOn = (room: RoomDefinition): readonly EnvelopeNote[] => {
  const { kept } = room;
  const idle = [
    kept["custom_page_html"] !== "" && "custom_page_html",
    kept["turnstile_mode"] !== "off" && "turnstile_mode",
  ].filter((name) => name !== false);
  return idle.map((name) => ({
    code: ERROR_CODES["kept-only"],
    message: `${name} is kept and given back, and changes nothing in this version.`,
    source: { pointer: `/${name}` },
  }));
};

const validRoom = (json: unknown): RoomInput => {
  const parsed = parseRoom(json);
  if (!parsed.ok) throw refusedFields(parsed.problems);
  return parsed.room;
};

const taken = <T>(reply: RegistryReply<T>): T => {
  if (reply.ok) return reply.value;
  throw new Refused(reply.problem.code, reply.problem.detail);
};

/** A new name changes neither the id nor the names of cookies that visitors already hold. */
const successorOf = (before: RoomDefinition, room: RoomInput): RoomDefinition => {
  const { id, createdAt, modifiedAt, cookieSuffix, kept } = before;
  const wasGiven = kept["cookie_suffix"] !== "";
  const suffix = wasGiven ? room.name : cookieSuffix;
  return definitionOf(room, { id, createdAt, modifiedAt, cookieSuffix: suffix });
};

/** The room's name, unless a renamed room still goes by it. */
const freeCookieSuffix = (name: string, id: RoomId, rooms: readonly RoomDefinition[]): string =>
  rooms.some((room) => room.cookieSuffix === name) ? `${name}-${id.slice(0, 8)}` : name;

const newRoomId = (): RoomId =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("") as RoomId;

const merged = (onto: Record<string, unknown>, patch: Record<string, unknown>) => {
  const result = { ...onto };
  for (const [key, value] of Object.entries(patch)) {
    const inner = onto[key];
    if (value === null) delete result[key];
    else result[key] = isRecord(value) ? merged(isRecord(inner) ? inner : {}, value) : value;
  }
  return result;
};
