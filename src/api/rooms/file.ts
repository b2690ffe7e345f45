/** rooms.json: an array of room objects in the management API's shape. Free of Worker imports. */
import type { FieldProblem } from "../../core/field-problem.ts";
import { firstJsonError } from "../json-position.ts";
import { jsonPath, parseRoom, routesOf, type RoomInput } from "./schema.ts";

/** A room as it stands in the file: valid, and without the defaults filled in. */
export type RoomJson = Readonly<Record<string, unknown>> & { readonly name: string };

export interface FileProblem {
  /** `[0].seiriken.claim_within_seconds`, or `line 3, column 7` where it is no JSON. */
  readonly path: string;
  readonly message: string;
}

export type ParsedRooms =
  | { readonly ok: true; readonly rooms: readonly RoomJson[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** The Registry takes no more rooms than this. */
export const ROOMS_MAX = 1_000;

export const parseRooms = (json: unknown): ParsedRooms => {
  if (!Array.isArray(json)) {
    return refuse("", 'must be an array of rooms: [{"name": …, "host": …}]');
  }
  if (json.length > ROOMS_MAX) return refuse("", `must have at most ${ROOMS_MAX} rooms`);
  const parsed = json.map((room) => parseRoom(room));
  const problems = parsed.flatMap((result, index) =>
    result.ok ? [] : result.problems.map((problem) => inFile(index, problem)),
  );
  const valid = parsed.map((result) => (result.ok ? result.room : null));
  problems.push(...problemsBetweenRooms(valid));
  return problems.length > 0 ? { ok: false, problems } : { ok: true, rooms: json as RoomJson[] };
};

/** The same from the text of a file, with line and column where it is no JSON at all. */
export const parseRoomsText = (text: string): ParsedRooms => {
  const bare = text.replace(/^\uFEFF/, "");
  try {
    return parseRooms(JSON.parse(bare));
  } catch (error) {
    const at = firstJsonError(bare);
    const path = at === null ? "" : `line ${at.line}, column ${at.column}`;
    return refuse(path, `is not JSON: ${reasonOf(error as SyntaxError)}`);
  }
};

/** V8's reason without its excerpt of the text, which may span lines. */
const reasonOf = ({ message }: SyntaxError): string =>
  message.replace(/,? (\.\.\.)?".*$| in JSON at .*$/s, "");

const refuse = (path: string, message: string): ParsedRooms => ({
  ok: false,
  problems: [{ path, message }],
});

const inFile = (index: number, problem: FieldProblem): FileProblem => ({
  path: jsonPath([index, ...problem.keys]),
  message: problem.message,
});

function problemsBetweenRooms(rooms: readonly (RoomInput | null)[]): FileProblem[] {
  const problems: FileProblem[] = [];
  const names = new Map<string, number>();
  const routes = new Map<string, number>();
  for (const [index, room] of rooms.entries()) {
    if (room === null) continue;
    const namesake = names.get(room.name);
    if (namesake === undefined) names.set(room.name, index);
    else
      problems.push(inFile(index, { keys: ["name"], message: `is the name of [${namesake}] too` }));
    for (const [place, route] of routesOf(room).entries()) {
      const keys = place === 0 ? ["path"] : ["additional_routes", place - 1];
      const spelling = `${route.host}${route.path}`;
      const owner = routes.get(spelling);
      if (owner === undefined) routes.set(spelling, index);
      else
        problems.push(inFile(index, { keys, message: `${spelling} is a route of [${owner}] too` }));
    }
  }
  return problems;
}
