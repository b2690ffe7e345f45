/** What differs between two states of a room, field by field, and how it is shown. */
import { isRecord } from "../../src/api/fields.ts";
import { definitionOf, resourceOf } from "../../src/api/rooms/resource.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import { parseRoom } from "../../src/api/rooms/schema.ts";
import { READ_ONLY } from "../../src/api/setting-schemas.ts";
import { instant } from "../../src/core/time.ts";

export interface FieldChange {
  /** As in `seiriken.claim_within_seconds`. */
  readonly path: string;
  /** Undefined where one of the two states has no such field. */
  readonly from: unknown;
  readonly to: unknown;
}

type RawSettings = Readonly<Record<string, unknown>>;

/** Objects are compared field by field, lists as a whole. */
export const changesBetween = (
  before: RawSettings,
  after: RawSettings,
  below = "",
): FieldChange[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((key) => {
    const path = below + key;
    if (READ_ONLY.has(path)) return [];
    const [from, to] = [before[key], after[key]];
    if (isRecord(to) && (from === undefined || isRecord(from)))
      return changesBetween(from ?? {}, to, `${path}.`);
    return isSame(from, to) ? [] : [{ path, from, to }];
  });

/**
 * What a deployment would make of these settings in the place of `before`, with every default filled in.
 * Settings that this version can't judge are left to the deployment, and are given back as they came.
 */
export const settled = (settings: RawSettings, { id }: Pick<RoomResource, "id">): RawSettings => {
  const parsed = parseRoom(settings);
  if (!parsed.ok) return settings;
  const at = instant(0);
  const identity = { id, createdAt: at, modifiedAt: at, cookieSuffix: "" };
  return resourceOf(definitionOf(parsed.room, identity)) as unknown as RawSettings;
};

/** One line a field, `old → new` or what is new; of a list, what is added and what is taken out. */
export const changeLines = (changes: readonly FieldChange[]): string[] => {
  const width = Math.max(0, ...changes.map(({ path }) => path.length));
  return changes.flatMap(({ path, from, to }) =>
    valueLines(from, to).map((line, n) => `${(n === 0 ? path : "").padEnd(width)}  ${line}`),
  );
};

const valueLines = (from: unknown, to: unknown): string[] => {
  if (from === undefined) return [shown(to)];
  if (!Array.isArray(from) || !Array.isArray(to)) return [`${shown(from)} → ${shown(to)}`];
  const gone = from.filter((entry) => !to.some((other) => isSame(entry, other)));
  const added = to.filter((entry) => !from.some((other) => isSame(entry, other)));
  const lines = [
    ...gone.map((entry) => `- ${shown(entry)}`),
    ...added.map((entry) => `+ ${shown(entry)}`),
  ];
  return lines.length > 0 ? lines : ["the same entries in another order"];
};

/** A logo is twenty thousand characters, and nobody reads them. */
const SHOWN_LENGTH_MAX = 160;

export const shown = (value: unknown): string => {
  if (value === undefined || value === null) return "none";
  const text = JSON.stringify(value);
  return text.length <= SHOWN_LENGTH_MAX
    ? text
    : `${text.slice(0, SHOWN_LENGTH_MAX)}… (${text.length} characters)`;
};

/** The order of an object's fields says nothing. */
const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));

const ordered = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isRecord(value)) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([key, inner]) => [key, ordered(inner)]));
};
