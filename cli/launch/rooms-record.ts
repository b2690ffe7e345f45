/**
 * What earlier starts made of rooms.json, so that a later one can tell whether an operator changed
 * it since.
 */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/api/fields.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import { changesBetween } from "../rooms/changes.ts";
import { describe } from "./failure.ts";
import { LIVE_CONTROLS } from "../rooms/harm.ts";

/** Name and fingerprint of each room of the file, at most as many as a file may have. */
export type RoomsRecord = ReadonlyMap<string, string>;

const fileIn = (dataDir: string): string => join(dataDir, "rooms-made.json");

/**
 * Empty where there is none, or none that can be read: then every room counts as changed by an
 * operator.
 */
export const readRecord = (dataDir: string): RoomsRecord => {
  try {
    const json: unknown = JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
    const entries = isRecord(json) ? Object.entries(json) : [];
    return new Map(
      entries.filter((entry): entry is [string, string] => typeof entry[1] === "string"),
    );
  } catch {
    return new Map();
  }
};

/** A full disk is no reason to stop: without the note a later start leaves the rooms as they stand. */
export const writeRecord = (dataDir: string, record: RoomsRecord): string | null => {
  try {
    writeFileSync(fileIn(dataDir), JSON.stringify(Object.fromEntries(record)));
    return null;
  } catch (thrown) {
    return `${fileIn(dataDir)} can't be written: ${describe(thrown)}`;
  }
};

/**
 * The fingerprint of a room's definition, without the settings that operators switch while it runs.
 */
export const fingerprintOf = (room: RoomResource): string => {
  const settings = changesBetween({}, { ...room })
    .filter(({ path }) => !LIVE_CONTROLS.has(path))
    .map(({ path, to }) => [path, to] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256").update(JSON.stringify(settings)).digest("base64url");
};
