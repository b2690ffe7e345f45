/** rooms.json: an array of room objects in the management API's shape. Free of Worker imports. */
import {
  inFile,
  listIn,
  listInText,
  Namesakes,
  type FileProblem,
  type ReadList,
} from "../list-file.ts";
import { isRecord } from "../fields.ts";
import { parseRoom, routesOf, type ParsedRoom, type RoomInput } from "../rooms/schema.ts";
import { listProblems, type EventJson, type RuleJson } from "./lists.ts";

/** A room as it stands in the file: valid, and without the defaults filled in. */
export type RoomJson = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly events?: readonly EventJson[];
  readonly rules?: readonly RuleJson[];
};

/** What of a room in the file is its own settings. */
export const settingsIn = ({ events: _events, rules: _rules, ...settings }: RoomJson): RoomJson =>
  settings as RoomJson;

export type ParsedRooms =
  | { readonly ok: true; readonly rooms: readonly RoomJson[] }
  | { readonly ok: false; readonly problems: readonly FileProblem[] };

/** The Registry takes no more rooms than this. */
export const ROOMS_MAX = 1_000;

const KIND = { of: "rooms", example: '[{"name": …, "host": …}]', lengthMax: ROOMS_MAX };

export const parseRooms = (json: unknown): ParsedRooms => roomsOf(listIn(json, KIND));

/** The same from the text of a file, with line and column where it is no JSON at all. */
export const parseRoomsText = (text: string): ParsedRooms => roomsOf(listInText(text, KIND));

const roomsOf = (list: ReadList): ParsedRooms => {
  if (!list.ok) return list;
  const parsed = list.entries.map(parsedRoom);
  const problems = parsed.flatMap((result, index) =>
    result.ok ? [] : result.problems.map((problem) => inFile(index, problem)),
  );
  problems.push(...problemsBetweenRooms(parsed.map((result) => (result.ok ? result.room : null))));
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, rooms: list.entries as readonly RoomJson[] };
};

const parsedRoom = (json: unknown): ParsedRoom => {
  if (!isRecord(json)) return parseRoom(json);
  const parsed = parseRoom(settingsIn(json as RoomJson));
  const problems = listProblems(json, parsed.ok ? parsed.room.seiriken.permit : "visit");
  if (problems.length === 0) return parsed;
  return { ok: false, problems: parsed.ok ? problems : [...parsed.problems, ...problems] };
};

function problemsBetweenRooms(rooms: readonly (RoomInput | null)[]): FileProblem[] {
  const problems: FileProblem[] = [];
  const names = new Namesakes();
  const routes = new Map<string, number>();
  for (const [index, room] of rooms.entries()) {
    if (room === null) continue;
    const namesake = names.problemOf(room.name.toLowerCase(), index);
    if (namesake !== null) problems.push(namesake);
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
