/** What a start makes of rooms.json: it never undoes what an operator has changed since. */
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import type { RoomJson } from "../../src/api/rooms-file/file.ts";
import { applyRooms } from "../apply-rooms.ts";
import { demoRoom } from "../demo/room.ts";
import { changeLines, changesBetween, settled } from "../rooms/changes.ts";
import { LIVE_CONTROLS } from "../rooms/harm.ts";
import { settingsFor } from "../rooms/plan.ts";
import type { RoomsFile } from "./out-of-reach.ts";
import type { Report } from "./report.ts";
import { fingerprintOf, readRecord, writeRecord, type RoomsRecord } from "./rooms-record.ts";

export interface StartRooms {
  /** Null: there is no `--rooms`. */
  readonly file: (RoomsFile & { readonly rooms: readonly RoomJson[] }) | null;
  /** Made where there is no file and no room of the name. */
  readonly defaults: readonly RoomJson[];
  /** `--apply-rooms`: over the rooms as they stand. */
  readonly appliesAll: boolean;
  readonly dataDir: string;
}

const LINES_TOLD_MAX = 50;

type RoomsClient = Parameters<typeof applyRooms>[0];

export const makeRoomsAtStart = async (
  client: RoomsClient,
  { file, defaults, appliesAll, dataDir }: StartRooms,
  report: Report,
): Promise<void> => {
  const step = (message: string) => report.tell({ event: "step", message });
  const apply = (rooms: readonly RoomJson[]) =>
    applyRooms(client, rooms, {
      prune: false,
      leavesLists: !appliesAll,
      onApplied: ({ name, action }) => step(`room ${name} ${action}`),
    });
  const standing = await roomsByName(client);
  if (file === null) {
    for (const name of standing.keys()) step(`room ${name} unchanged`);
    return apply(defaults.filter(({ name }) => !standing.has(name)));
  }
  const record = readRecord(dataDir);
  const demo = [...standing.values()].find((room) => isUntouchedDemo(room, record));
  if (demo !== undefined && !file.rooms.some(({ name }) => name === demo.name)) {
    await client.deleteRoom(demo.id);
    step(`room ${demo.name} deleted: it was the demo's`);
  }
  const judged = file.rooms.map((room) => judge(room, standing.get(room.name), record));
  const applied = file.rooms.flatMap((room, n) =>
    appliesAll ? [room] : (judged[n]?.toApply ?? []),
  );
  await apply(applied);
  const names = new Set(applied.map(({ name }) => name));
  for (const { name } of file.rooms)
    if (!names.has(name) && standing.has(name)) step(`room ${name} unchanged`);
  const now = await roomsByName(client);
  const unwritten = writeRecord(dataDir, recordOf(file.rooms, now, names, record));
  if (unwritten !== null) report.tell({ event: "warning", message: unwritten });
  const left = appliesAll ? [] : judged.flatMap(({ left: lines }) => lines);
  if (left.length > 0) report.tell({ event: "warning", message: leftText(file.path, left) });
};

const roomsByName = async (client: RoomsClient): Promise<ReadonlyMap<string, RoomResource>> =>
  new Map((await client.listRooms()).map((room) => [room.name, room]));

interface Judged {
  /** Null: the room stays as it is. */
  readonly toApply: RoomJson | null;
  /** What of the file does not hold then, one line each. */
  readonly left: readonly string[];
}

/**
 * A room is made once, and follows the file for as long as nobody but the file has changed its
 * definition. What operators switch while it runs no start switches back.
 */
const judge = (room: RoomJson, before: RoomResource | undefined, record: RoomsRecord): Judged => {
  const known = record.get(room.name);
  if (before === undefined)
    return known === undefined
      ? { toApply: room, left: [] }
      : { toApply: null, left: [`room ${room.name}: deleted since, and not made again`] };
  const follows = known === fingerprintOf(before) || isUntouchedDemo(before, record);
  const changes = changesBetween({ ...before }, settled(settingsFor(room, before), before));
  const told = follows ? changes.filter(({ path }) => LIVE_CONTROLS.has(path)) : changes;
  return {
    toApply: follows ? withLiveControlsOf(before, room) : null,
    left: changeLines(told).map((line) => `room ${room.name}: ${line}`),
  };
};

const withLiveControlsOf = (before: RoomResource, room: RoomJson): RoomJson => ({
  ...room,
  queue_all: before.queue_all,
  suspended: before.suspended,
  seiriken: {
    ...(room["seiriken"] as object | null | undefined),
    message: before.seiriken.message,
    closed: before.seiriken.closed,
  },
});

/**
 * Is it the demo's room, as a start without `--rooms` makes it? An operator with a file did not
 * want it.
 */
const isUntouchedDemo = (room: RoomResource, record: RoomsRecord): boolean =>
  room.name === demoRoom.name &&
  !record.has(room.name) &&
  changesBetween({ ...room }, settled({ ...demoRoom }, room)).length === 0;

/**
 * A room that a start has left alone keeps its old fingerprint: it follows the file again once it
 * is put back.
 */
const recordOf = (
  rooms: readonly RoomJson[],
  standing: ReadonlyMap<string, RoomResource>,
  applied: ReadonlySet<string>,
  before: RoomsRecord,
): RoomsRecord =>
  new Map(
    rooms.flatMap((room): [string, string][] => {
      const now = standing.get(room.name);
      const known = before.get(room.name);
      if (now !== undefined && (applied.has(room.name) || isAsInFile(room, now)))
        return [[room.name, fingerprintOf(now)]];
      return known === undefined ? [] : [[room.name, known]];
    }),
  );

const isAsInFile = (room: RoomJson, now: RoomResource): boolean =>
  changesBetween({ ...now }, settled(settingsFor(room, now), now)).length === 0;

const leftText = (path: string, lines: readonly string[]): string =>
  [
    `${path} does not hold where somebody changed a room since (as it stands → as the file has it):`,
    ...lines.slice(0, LINES_TOLD_MAX),
    ...(lines.length > LINES_TOLD_MAX ? [`and ${lines.length - LINES_TOLD_MAX} lines more`] : []),
    `to apply the file over that, start with --apply-rooms, or: npm run rooms -- apply ${path}`,
  ].join("\n");
