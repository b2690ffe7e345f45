/** What applying a file would do, before it is done. */
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import { settingsIn, type RoomJson } from "../../src/api/rooms-file/file.ts";
import type { ManagementClient } from "../api-client.ts";
import { Failure } from "../launch/failure.ts";
import { changeLines, changesBetween, settled, type FieldChange } from "./changes.ts";
import { NO_LISTS, planLists, type ListsPlan } from "./plan-lists.ts";
import { harmOf, harmOfDeleting, type Crowd, type Harm } from "./harm.ts";

export type RoomPlan =
  | {
      readonly action: "create";
      readonly name: string;
      readonly room: RoomJson;
      readonly lists: ListsPlan;
    }
  | {
      readonly action: "update" | "unchanged";
      readonly name: string;
      readonly room: RoomJson;
      readonly before: RoomResource;
      readonly lists: ListsPlan;
      /** Of settings, events and rules. */
      readonly changes: readonly FieldChange[];
      readonly harm: readonly Harm[];
    }
  | {
      readonly action: "delete";
      readonly name: string;
      readonly before: RoomResource;
      readonly harm: readonly Harm[];
    };

type RoomsClient = Pick<ManagementClient, "listRooms" | "statusOf" | "listEvents" | "listRules">;

export interface PlanOptions {
  readonly prune: boolean;
  /** Events and rules of rooms that stand are left alone. */
  readonly leavesLists?: boolean;
}

/** Rooms asked at once who is in them. */
const ASKED_TOGETHER = 20;

/** In the order of doing: what is deleted comes first, for it may own the routes of others. */
export const planRooms = async (
  client: RoomsClient,
  rooms: readonly RoomJson[],
  options: PlanOptions,
): Promise<RoomPlan[]> => {
  const { prune } = options;
  const standing = new Map((await client.listRooms()).map((room) => [room.name, room]));
  const named = new Set(rooms.map(({ name }) => name));
  const gone = prune ? [...standing.values()].filter(({ name }) => !named.has(name)) : [];
  return [
    ...(await inGroups(gone, (room) => deletion(client, room))),
    ...(await inGroups(rooms, (room) => planned(client, room, standing.get(room.name), options))),
  ];
};

const inGroups = async <From, To>(from: readonly From[], work: (one: From) => Promise<To>) => {
  const done: To[] = [];
  for (let next = 0; next < from.length; next += ASKED_TOGETHER)
    done.push(...(await Promise.all(from.slice(next, next + ASKED_TOGETHER).map(work))));
  return done;
};

export const deletion = async (
  client: Pick<RoomsClient, "statusOf">,
  before: RoomResource,
): Promise<Extract<RoomPlan, { action: "delete" }>> => {
  const harm = harmOfDeleting(before, await crowdOf(client, before));
  return { action: "delete", name: before.name, before, harm: [harm] };
};

const planned = async (
  client: RoomsClient,
  room: RoomJson,
  before: RoomResource | undefined,
  { prune, leavesLists = false }: PlanOptions,
): Promise<RoomPlan> => {
  if (before === undefined)
    return {
      action: "create",
      name: room.name,
      room,
      lists: await planLists(client, room, null, prune),
    };
  const plan = await replacement(client, room, before);
  if (leavesLists) return plan;
  const lists = await planLists(client, room, before.id, prune);
  if (lists.changes.length === 0) return plan;
  return { ...plan, action: "update", lists, changes: [...plan.changes, ...lists.changes] };
};

/** What a room of the file makes of one that stands. */
export const replacement = async (
  client: Pick<RoomsClient, "statusOf">,
  room: RoomJson,
  before: RoomResource,
): Promise<Extract<RoomPlan, { action: "update" | "unchanged" }>> => {
  const changes = changesBetween({ ...before }, settled(settingsFor(room, before), before));
  const harm = await harmIn(client, before, changes, "file");
  const action = changes.length === 0 ? "unchanged" : "update";
  return { action, name: room.name, room, before, lists: NO_LISTS, changes, harm };
};

/** Asks for the room's status only where a change may hurt visitors. */
export const harmIn = async (
  client: Pick<RoomsClient, "statusOf">,
  before: RoomResource,
  changes: readonly FieldChange[],
  by: "file" | "command",
): Promise<Harm[]> =>
  harmOf(changes, null, by).length === 0 ? [] : harmOf(changes, await crowdOf(client, before), by);

/** One sentence each, with its room. */
export const harmLines = (plans: readonly RoomPlan[]): string[] =>
  plans.flatMap((plan) =>
    "harm" in plan ? plan.harm.map(({ sentence }) => `${plan.name}: ${sentence}`) : [],
  );

const crowdOf = async (
  client: Pick<RoomsClient, "statusOf">,
  { id }: Pick<RoomResource, "id">,
): Promise<Crowd> => {
  try {
    return (await client.statusOf(id)).seiriken;
  } catch (thrown) {
    if (thrown instanceof Failure && thrown.code === "unavailable") return null;
    throw thrown;
  }
};

/**
 * The file is the truth, except for the switches of the hour: applying new limits in the middle of
 * a sale must not let the waiting crowd in. They change only when the file names them.
 */
export const settingsFor = (room: RoomJson, before: RoomResource): Record<string, unknown> => ({
  queue_all: before.queue_all,
  suspended: before.suspended,
  ...settingsIn(room),
  seiriken: {
    message: before.seiriken.message,
    closed: before.seiriken.closed,
    ...(room["seiriken"] as Record<string, unknown> | null | undefined),
  },
});

/** `+` is made, `~` is changed, `-` is deleted; what stays as it is has no line. */
export const planLines = (plans: readonly RoomPlan[]): string[] => plans.flatMap(linesOf);

const linesOf = (plan: RoomPlan): string[] => {
  switch (plan.action) {
    case "create":
      return [
        `+ ${plan.name}`,
        ...changeLines([...firstSettings(plan.room), ...plan.lists.changes]).map(indented),
      ];
    case "update":
      return [`~ ${plan.name}`, ...changeLines(plan.changes).map(indented)];
    case "delete":
      return [`- ${plan.name}`];
    case "unchanged":
      return [];
    default:
      return plan satisfies never;
  }
};

const indented = (line: string): string => `    ${line}`;

/** As the file has them; what it leaves out is the default. */
const firstSettings = (room: RoomJson): FieldChange[] => {
  const { name: _, ...settings } = settingsIn(room);
  return changesBetween({}, settings);
};
