/** Which changes hurt visitors: the operator is asked before they are made. */
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import type { RoomStatusResource } from "../../src/api/rooms/status.ts";
import { type FieldChange, shown } from "./changes.ts";

export interface Harm {
  /** The setting, or `room` for all of it. */
  readonly of: string;
  readonly sentence: string;
}

/** How many visitors are there; null: the room does not say, and then it counts as full. */
export type Crowd = Pick<RoomStatusResource["seiriken"], "waiting" | "called" | "visiting"> | null;

/** As many times the visitors at once as the site has borne until now. */
const STEEP_RISE = 5;

/**
 * Settings that put visitors who wait or visit into another room, under other cookies or at another
 * origin.
 */
const GROUND: ReadonlySet<string> = new Set([
  "host",
  "path",
  "additional_routes",
  "cookie_suffix",
  "queueing_method",
  "seiriken.permit",
  "seiriken.cookie_domain",
  "seiriken.origin",
  "seiriken.client_key",
]);

/** What operators switch while a room runs. `apply` leaves them as they are unless the file names them. */
export const LIVE_CONTROLS: ReadonlySet<string> = new Set([
  "queue_all",
  "suspended",
  "seiriken.message",
  "seiriken.closed",
]);

/**
 * One sentence for each change that hurts. `by`: a file that names a live control may undo what an
 * operator switched since it was written; an operator who types a command means it.
 */
export const harmOf = (
  changes: readonly FieldChange[],
  crowd: Crowd,
  by: "file" | "command",
): Harm[] =>
  changes.flatMap((change) => {
    const sentence = harmOfOne(change, crowd, by);
    return sentence === null ? [] : [{ of: change.path, sentence }];
  });

const harmOfOne = (
  { path, from, to }: FieldChange,
  crowd: Crowd,
  by: "file" | "command",
): string | null => {
  if (path === "suspended" && to === true && !isEmpty(crowd))
    return `suspended lets everybody straight to the site (${crowdText(crowd)})`;
  if (by === "file" && LIVE_CONTROLS.has(path))
    return `the file sets ${path} to ${shown(to)}; the running room has ${shown(from)} (${crowdText(crowd)})`;
  if (path === "total_active_users" && isSteep(from, to))
    return `total_active_users rises from ${shown(from)} to ${shown(to)}: so many more on the site at once`;
  if (GROUND.has(path) && !isEmpty(crowd))
    return `${path} changes under people who are there (${crowdText(crowd)})`;
  return null;
};

const isSteep = (from: unknown, to: unknown): boolean =>
  typeof from === "number" && typeof to === "number" && to >= from * STEEP_RISE;

/**
 * Visitors who waited and reload are on the site at once, as nothing guards the routes any more.
 */
export const harmOfDeleting = (room: RoomResource, crowd: Crowd): Harm => {
  const routes = [room, ...room.additional_routes]
    .map((route) => `${route.host ?? room.host}${route.path ?? "/"}`)
    .join(" ");
  const sentence = `deleted, nothing guards ${routes} any more, and every visit ends`;
  return { of: "room", sentence: `${sentence} (${crowdText(crowd)})` };
};

const isEmpty = (crowd: Crowd): boolean =>
  crowd !== null && crowd.waiting + crowd.called + crowd.visiting === 0;

const crowdText = (crowd: Crowd): string => {
  if (crowd === null) return "who is there can't be told";
  if (isEmpty(crowd)) return "nobody is there";
  return `${crowd.waiting} wait, ${crowd.called} are called, ${crowd.visiting} are in`;
};
