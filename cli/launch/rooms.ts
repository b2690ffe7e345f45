import { readFileSync } from "node:fs";
import { parseRoomsText } from "../../src/worker/management/rooms-file.ts";
import type { RoomJson } from "../../src/worker/management/rooms-file.ts";
import { ManagementClient } from "../api-client.ts";
import type { Deployment } from "../api-client.ts";
import { applyRooms } from "../apply-rooms.ts";
import type { AppliedRoom } from "../apply-rooms.ts";
import { describe, Failure } from "./failure.ts";

/** Every problem of the file at once, each with its path. */
export const readRoomsFile = (path: string): readonly RoomJson[] => {
  const parsed = parseRoomsText(readText(path));
  if (parsed.ok) return parsed.rooms;
  throw new Failure(
    "rooms-file",
    `${path} has ${parsed.problems.length === 1 ? "a problem" : `${parsed.problems.length} problems`}`,
    parsed.problems.map((problem) => `${problem.path || "(all)"}: ${problem.message}`),
  );
};

const readText = (path: string): string => {
  try {
    return readFileSync(path, "utf8");
  } catch (thrown) {
    throw new Failure("rooms-file", `${path} can't be read: ${describe(thrown)}`);
  }
};

/**
 * Applies through the management API of a server that has just started. `keepExisting` leaves a
 * room alone that is already there, so that a default never undoes what an operator changed.
 */
export const applyAtStart = async (
  deployment: Deployment,
  rooms: readonly RoomJson[],
  { keepExisting }: { readonly keepExisting: boolean },
): Promise<readonly AppliedRoom[]> => {
  if (rooms.length === 0 && !keepExisting) return [];
  const client = new ManagementClient(deployment);
  const names = keepExisting ? (await client.listRooms()).map(({ name }) => name) : [];
  const applied: AppliedRoom[] = names.map((name) => ({ name, action: "unchanged" }));
  const wanted = rooms.filter(({ name }) => !names.includes(name));
  await applyRooms(client, wanted, { prune: false, onApplied: (room) => applied.push(room) });
  return applied;
};
