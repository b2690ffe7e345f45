/**
 * Answers queries for `viewer { zones { waitingRoomAnalyticsAdaptiveGroups } }`, as Cloudflare's
 * GraphQL Analytics API documents them, and refuses every other field by name.
 */
import type { HistoryRow } from "../../core/room/history.ts";
import { MINUTE_MS, type InstantMs } from "../../core/time.ts";
import { analyticsFilter } from "./analytics-filter.ts";
import {
  DIMENSION_NAMES,
  groupsOf,
  ordered,
  PART_FIELDS,
  type AnalyticsGroup,
  type AnalyticsRoom,
  type AnalyticsSample,
  type GroupPart,
} from "./analytics-groups.ts";
import { GraphQLFault, readQuery, type ArgumentValue, type Selection } from "./read.ts";

/** What the answer is made of. */
export interface AnalyticsSource {
  readonly now: number;
  readonly rooms: readonly AnalyticsRoom[];
  /** The minutes of a room from `from` up to `until`. */
  readonly minutes: (
    room: AnalyticsRoom,
    from: InstantMs,
    until: InstantMs,
  ) => Promise<readonly HistoryRow[]>;
}

export interface GraphQLAsk {
  readonly query: string;
  readonly variables: Readonly<Record<string, ArgumentValue>>;
  readonly operationName: string | null;
}

export interface GraphQLErrorEntry {
  readonly message: string;
  readonly path: readonly string[] | null;
  readonly locations?: readonly { readonly line: number; readonly column: number }[];
  readonly extensions: { readonly timestamp: string };
}

export interface GraphQLAnswer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly errors: readonly GraphQLErrorEntry[] | null;
}

const ERRORS_MAX = 10;
/** Lists of groups in one query: each reads its minutes. */
const LISTS_MAX = 8;
const GROUPS_MAX = 10_000;
/** Minutes times rooms that one query may read: 45 days of one room, or a day of 45. */
const ROOM_MINUTES_MAX = 45 * 24 * 60;

/** A type by its fields: null is a leaf. */
interface ObjectType {
  readonly name: string;
  readonly fields: Readonly<Record<string, FieldType | null>>;
}
interface FieldType {
  readonly type: ObjectType;
  readonly args: readonly string[];
}

const leaves = (names: readonly string[]): Readonly<Record<string, null>> =>
  Object.fromEntries(names.map((name) => [name, null]));
const plain = (type: ObjectType): FieldType => ({ type, args: [] });

const GROUPS = "ZoneWaitingRoomAnalyticsAdaptiveGroups";
const partType = (part: string, fields: readonly string[]): FieldType =>
  plain({ name: typeNameOf(part), fields: leaves(fields) });
const typeNameOf = (part: string): string =>
  `${GROUPS}${part.slice(0, 1).toUpperCase()}${part.slice(1)}`;

const QUERY: ObjectType = {
  name: "Query",
  fields: {
    viewer: plain({
      name: "viewer",
      fields: {
        zones: {
          args: ["filter", "limit", "orderBy"],
          type: {
            name: "zone",
            fields: {
              zoneTag: null,
              waitingRoomAnalyticsAdaptiveGroups: {
                args: ["filter", "limit", "orderBy"],
                type: {
                  name: GROUPS,
                  fields: {
                    count: null,
                    ...Object.fromEntries(
                      Object.entries(PART_FIELDS).map(([part, of]) => [part, partType(part, of)]),
                    ),
                    dimensions: partType("dimensions", DIMENSION_NAMES),
                  },
                },
              },
            },
          },
        },
      },
    }),
  },
};

/** All or nothing: a query with any fault is answered with its faults. */
export const answerGraphQL = async (
  { query, variables, operationName }: GraphQLAsk,
  source: AnalyticsSource,
): Promise<GraphQLAnswer> => {
  const timestamp = new Date(source.now).toISOString();
  try {
    const fields = readQuery(query, variables, operationName);
    const wrong = faultsOf(fields, QUERY, []).slice(0, ERRORS_MAX);
    if (wrong.length > 0)
      return { data: null, errors: wrong.map((one) => ({ ...one, extensions: { timestamp } })) };
    return { data: await new Answering(source).query(fields), errors: null };
  } catch (error) {
    if (!(error instanceof GraphQLFault)) throw error;
    const { message, line, column } = error;
    const where = line === null || column === null ? {} : { locations: [{ line, column }] };
    return { data: null, errors: [{ message, path: null, ...where, extensions: { timestamp } }] };
  }
};

type Wrong = Omit<GraphQLErrorEntry, "extensions">;

const faultsOf = (
  selected: readonly Selection[],
  type: ObjectType,
  above: readonly string[],
): readonly Wrong[] =>
  selected.flatMap(({ key, name, args, fields }): readonly Wrong[] => {
    const path = [...above, key];
    const fault = (message: string): Wrong => ({ message, path });
    if (name !== "__typename" && !Object.hasOwn(type.fields, name))
      return [fault(`unknown field "${name}" of ${type.name}`)];
    const field = name === "__typename" ? null : (type.fields[name] ?? null);
    const unknown = Object.keys(args).filter((arg) => field?.args.includes(arg) !== true);
    const faults = unknown.map((arg) => fault(`unknown argument "${arg}" of ${name}`));
    if (field === null)
      return fields === null ? faults : [...faults, fault(`${name} has no fields`)];
    if (fields === null) return [...faults, fault(`${name} needs a selection of its fields`)];
    return [...faults, ...faultsOf(fields, field.type, path)];
  });

class Answering {
  readonly #source: AnalyticsSource;
  readonly #read = new Map<string, Promise<readonly HistoryRow[]>>();
  #minutesLeft = ROOM_MINUTES_MAX;
  #listsLeft = LISTS_MAX;

  constructor(source: AnalyticsSource) {
    this.#source = source;
  }

  async query(fields: readonly Selection[]): Promise<Readonly<Record<string, unknown>>> {
    return shaped(fields, "Query", (viewer) =>
      shaped(viewer.fields ?? [], "viewer", async (zones) => [await this.#zone(zones)]),
    );
  }

  /** There is one zone, whatever it is called. */
  #zone({ args, fields }: Selection): Promise<object> {
    const filter = args["filter"];
    const zoneTag =
      typeof filter === "object" && filter !== null && "zoneTag" in filter ? filter.zoneTag : null;
    return shaped(fields ?? [], "zone", (field) =>
      field.name === "zoneTag" ? zoneTag : this.#groups(field),
    );
  }

  async #groups({ args, fields }: Selection): Promise<readonly object[]> {
    this.#listsLeft -= 1;
    if (this.#listsLeft < 0)
      throw new GraphQLFault(`a query may have at most ${LISTS_MAX} lists of groups`);
    const limit = limitOf(args["limit"] ?? null);
    const of = (fields ?? []).filter(({ name }) => name === "dimensions");
    const dimensions = of.flatMap((one) => (one.fields ?? []).map(({ name }) => name));
    const grouped = groupsOf(
      await this.#samples(args["filter"] ?? null),
      dimensions.filter((name) => name !== "__typename"),
    );
    const groups = ordered(grouped, args["orderBy"] ?? null).slice(0, limit);
    return Promise.all(
      groups.map((group) => shaped(fields ?? [], GROUPS, (field) => partOf(group, field))),
    );
  }

  async #samples(given: ArgumentValue): Promise<readonly AnalyticsSample[]> {
    const filter = analyticsFilter(given, this.#source.now);
    const rooms = this.#source.rooms.filter(({ id }) => filter.wantsRoom(id));
    if (filter.until <= filter.from) return [];
    const all = await Promise.all(
      rooms.map(async (room) => {
        const rows = await this.#minutes(room, filter.from, filter.until);
        return rows
          .filter(({ minute }) => filter.wantsMinute(minute))
          .map((row) => ({ now: room, row }));
      }),
    );
    return all.flat();
  }

  /** Lists over the same minutes read them once. */
  #minutes(room: AnalyticsRoom, from: InstantMs, until: InstantMs): Promise<readonly HistoryRow[]> {
    const key = `${room.id} ${from} ${until}`;
    const before = this.#read.get(key);
    if (before !== undefined) return before;
    this.#minutesLeft -= (until - from) / MINUTE_MS;
    if (this.#minutesLeft < 0)
      throw new GraphQLFault(
        "this reads too much at once: name fewer rooms (waitingRoomId) or a shorter time",
      );
    const rows = this.#source.minutes(room, from, until);
    this.#read.set(key, rows);
    return rows;
  }
}

const limitOf = (given: ArgumentValue): number => {
  if (given === null) return GROUPS_MAX;
  if (typeof given === "number" && Number.isInteger(given) && given >= 1 && given <= GROUPS_MAX)
    return given;
  throw new GraphQLFault(`limit takes a whole number from 1 to ${GROUPS_MAX}`);
};

const partOf = (group: AnalyticsGroup, { name, fields }: Selection): unknown => {
  if (name === "count") return group.count;
  return shaped(fields ?? [], typeNameOf(name), (field) =>
    name === "dimensions"
      ? group.dimensions[field.name]
      : group.figure(name as GroupPart, field.name),
  );
};

/** The fields under their keys, in their order. */
const shaped = async (
  fields: readonly Selection[],
  typename: string,
  value: (field: Selection) => unknown,
): Promise<Readonly<Record<string, unknown>>> => {
  const entries = fields.map(
    async (field) =>
      [field.key, field.name === "__typename" ? typename : await value(field)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
};
