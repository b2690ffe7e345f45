import { readFileSync } from "node:fs";
import { parseRoomsText } from "../../src/api/rooms-file/file.ts";
import type { RoomJson } from "../../src/api/rooms-file/file.ts";
import type { RoomsFile } from "./out-of-reach.ts";
import { describe, Failure } from "./failure.ts";

/** Every problem of the file at once, each with its path. `-` is the standard input. */
export const readRoomsFile = (
  path: string,
): RoomsFile & { readonly rooms: readonly RoomJson[] } => {
  const text = readText(path);
  const parsed = parseRoomsText(text);
  if (parsed.ok) return { path, text, rooms: parsed.rooms };
  throw new Failure(
    "rooms-file",
    `${path} has ${parsed.problems.length === 1 ? "a problem" : `${parsed.problems.length} problems`}`,
    parsed.problems.map((problem) => `${problem.path || "(all)"}: ${problem.message}`),
  );
};

const readText = (path: string): string => {
  try {
    return readFileSync(path === "-" ? 0 : path, "utf8");
  } catch (thrown) {
    throw new Failure("rooms-file", `${path} can't be read: ${describe(thrown)}`);
  }
};
