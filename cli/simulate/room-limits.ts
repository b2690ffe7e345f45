/** A room's limits, of rooms.json or of a server, and its event, as the Room would have them. */
import { readFile } from "node:fs/promises";
import { isRecord } from "../../src/api/fields.ts";
import { readFields, wholeOf } from "../../src/api/events/schema.ts";
import { parseRoomsText, settingsIn, type RoomJson } from "../../src/api/rooms-file/file.ts";
import { definitionOf } from "../../src/api/rooms/resource.ts";
import { parseRoom } from "../../src/api/rooms/schema.ts";
import type { RoomDefinition, RoomLimits } from "../../src/core/definition.ts";
import { limitsDuring } from "../../src/core/events/during.ts";
import type { EventSettings } from "../../src/core/events/event-list.ts";
import type { RoomId } from "../../src/core/ids.ts";
import { stepLimitsOf } from "../../src/core/room/limits.ts";
import { instant } from "../../src/core/time.ts";
import { describe, Failure, usageFailure } from "../launch/failure.ts";
import type { Known } from "./options.ts";

const NAMES_TOLD = 20;
/** Until somebody has entered a value, where --draw-after says nothing. */
const WITNESSES_TAKE_MS = 60_000;

export interface RoomAsked {
  readonly room: string | null;
  /** Null: without one; undefined: the next. */
  readonly event: string | null | undefined;
}

export type SaleOfRoom = Known & {
  /** The event that was taken. */
  readonly event?: string;
};

export const roomInFile = async (
  file: string,
  asked: RoomAsked,
  now: number,
): Promise<SaleOfRoom> => {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new Failure("file", `${file} can't be read`, [
      describe(error),
      "--from FILE is a rooms.json, as npm start -- --rooms has it",
    ]);
  });
  const parsed = parseRoomsText(text);
  if (!parsed.ok)
    throw new Failure(
      "rooms-file",
      `${file} has problems`,
      parsed.problems.map(({ path, message }) => `${path || "(all)"}: ${message}`),
    );
  const room = roomNamed(parsed.rooms, file, asked.room);
  const own = roomOfResource(settingsIn(room));
  const event = eventOf(room, asked.event, now);
  return event === null ? { limits: queueing(own) } : duringEvent(own, event);
};

const roomNamed = (rooms: readonly RoomJson[], file: string, name: string | null): RoomJson => {
  const names = rooms.map((room) => room.name);
  const room = rooms.find((each) => each.name === (name ?? names[0]));
  if (room !== undefined && (name !== null || names.length === 1)) return room;
  throw usageFailure(name === null ? severalOrNone(file, names) : `${file} has no room ${name}`, [
    names.length === 0 ? "a room is an entry of its list" : `--room ${among(names)}`,
  ]);
};

const severalOrNone = (file: string, names: readonly string[]): string =>
  names.length === 0 ? `${file} has no room` : `${file} has several rooms`;

const among = (names: readonly string[]): string =>
  names.length === 1 ? `${names[0]}` : `one of ${names.slice(0, NAMES_TOLD).join(", ")}`;

const eventOf = (
  { name, events = [] }: RoomJson,
  asked: string | null | undefined,
  now: number,
): EventSettings | null => {
  if (asked === null) return null;
  // The file was checked: of a whole event nothing is absent.
  const all = events.map((json) => wholeOf(readFields(json, false).fields));
  if (asked === undefined)
    return (
      all
        .filter(({ endsAt, suspended }) => endsAt > now && !suspended)
        .toSorted((a, b) => a.startsAt - b.startsAt)[0] ?? null
    );
  const named = all.find((event) => event.name === asked);
  if (named !== undefined) return named;
  throw usageFailure(`room ${name} has no event ${asked}`, [
    all.length === 0
      ? "it has none at all; --prequeue SPAN simulates one"
      : `--event ${among(all.map((event) => event.name))}`,
  ]);
};

const duringEvent = (room: QueueingRoom, event: EventSettings): SaleOfRoom => {
  const { name, prequeueAt, startsAt, endsAt, shuffle, drawnBy, overrides } = event;
  const method = overrides.queueingMethod ?? room.queueingMethod;
  if (!hasLine(method)) throw noLine(`event ${name}`, method, "--no-event is without it");
  return {
    event: name,
    limits: limitsDuring(room.limits, { shuffle, overrides }, "running"),
    opening: {
      prequeueMs: prequeueAt === null ? 0 : startsAt - prequeueAt,
      isDrawn: shuffle,
      ...(shuffle && drawnBy === "witnesses" ? { valueAfterMs: WITNESSES_TAKE_MS } : {}),
      // A room that has no line afterwards keeps nobody for longer.
      ends: hasLine(room.queueingMethod)
        ? { afterMs: endsAt - startsAt, limits: room.limits }
        : null,
    },
  };
};

/** A room that is simulated by itself. */
export const queueing = ({ name, queueingMethod, limits }: QueueingRoom): RoomLimits => {
  if (hasLine(queueingMethod)) return limits;
  throw noLine(`room ${name}`, queueingMethod, "--permits and --per-minute tell limits without it");
};

const hasLine = (method: string): boolean => method === "fifo" || method === "random";

const noLine = (whose: string, method: string, hint: string): Failure =>
  new Failure(
    "no-line",
    `${whose} has queueing_method "${method}": nobody waits, there is nothing to simulate`,
    [hint],
  );

type QueueingRoom = Pick<RoomDefinition, "name" | "queueingMethod" | "limits">;

/** Of a file, or as the API answers it. A server of another version may tell what is not known here. */
export const roomOfResource = (json: object): QueueingRoom => {
  const parsed = parseRoom(json);
  if (!parsed.ok) {
    const known = without(json, parsed.problems);
    if (known !== null) return roomOfResource(known);
    throw new Failure("room", "the room's settings can't be read", [
      ...parsed.problems
        .slice(0, NAMES_TOLD)
        .map(({ keys, message }) => `${keys.join(".")} ${message}`),
      "--permits, --per-minute and --session tell its limits without it",
    ]);
  }
  const at = instant(0);
  const identity = { id: "" as RoomId, createdAt: at, modifiedAt: at, cookieSuffix: "" };
  const definition = definitionOf(parsed.room, identity);
  const { name, queueingMethod, limits } = definition;
  if (limits.permit === "request")
    throw new Failure("no-visits", `room ${name} admits single requests, not visits`, [
      "what is simulated are visits; --permits and --visit without --from tell their figures",
    ]);
  return { name, queueingMethod, limits: stepLimitsOf(definition) };
};

/** Null: nothing of it can be left out. */
const without = (
  json: object,
  problems: readonly { readonly keys: readonly (string | number)[] }[],
): object | null => {
  const names = problems.map(({ keys }) => keys.join("."));
  const keep = (within: object, above: string): object =>
    Object.fromEntries(
      Object.entries(within)
        .filter(([name]) => !names.includes(above + name))
        .map(([name, value]: [string, unknown]) => [
          name,
          above === "" && isRecord(value) ? keep(value, `${name}.`) : value,
        ]),
    );
  const kept = keep(json, "");
  return JSON.stringify(kept) === JSON.stringify(json) ? null : kept;
};
