/** `waitingRoomAnalyticsAdaptiveGroups` from the minutes of rooms' histories. */
import { LogHistogram } from "../../core/collections/log-histogram.ts";
import type { HistoryRow } from "../../core/room/history.ts";
import { isTimeDimension, stepOf } from "./analytics-filter.ts";
import { GraphQLFault, type ArgumentValue } from "./read.ts";

/** A room as it is set now. */
export interface AnalyticsRoom {
  readonly id: string;
  readonly totalActiveUsers: number;
  readonly newUsersPerMinute: number;
  /** Minutes. */
  readonly sessionDuration: number;
}

/** A minute of a room, beside what the room's settings are now. */
export interface AnalyticsSample {
  readonly now: AnalyticsRoom;
  readonly row: HistoryRow;
}

/** Cloudflare's word for what it has no data of. */
const NO_DATA = -1;

/** What a minute says; null: it is not on record. The record has the most of a minute. */
const FIGURES = {
  maxEstimatedTimeMinutes: () => null,
  newUsersPerMinute: ({ row }: AnalyticsSample) =>
    row.entriesByUsher + row.entriesByBaton + row.entriesByDoor,
  newUsersPerMinuteConfig: ({ now }: AnalyticsSample) => now.newUsersPerMinute,
  sessionDuration: ({ now }: AnalyticsSample) => now.sessionDuration,
  sessionsRevoked: ({ row }: AnalyticsSample) => row.revoked,
  totalActiveUsers: ({ row }: AnalyticsSample) => row.outMax,
  totalActiveUsersConfig: ({ now }: AnalyticsSample) => now.totalActiveUsers,
  totalQueuedUsers: ({ row }: AnalyticsSample) => row.waitingMax,
  turnstileFailures: () => null,
  turnstileInfiniteQueueRefreshes: () => null,
  turnstileIssued: () => null,
  turnstileSuccesses: () => null,
  turnstileUnsolved: () => null,
} as const satisfies Record<string, (sample: AnalyticsSample) => number | null>;
type Figure = keyof typeof FIGURES;
const FIGURE_NAMES = Object.keys(FIGURES) as readonly Figure[];

const SHARES = { P50: 0.5, P75: 0.75, P90: 0.9, P95: 0.95 } as const;
const SPANS = ["timeBetweenRefreshes", "timeInQueue", "timeOnOrigin", "totalTimeWaited"] as const;
/** Whoever entered has waited as long as it was in the queue. How long visits lasted is not on record. */
const WAITED: readonly string[] = ["timeInQueue", "totalTimeWaited"];

/** The fields of a group's parts, each by its part. */
export const PART_FIELDS = {
  avg: [...FIGURE_NAMES, "sampleInterval"],
  avgWeighted: SPANS.flatMap((span) => Object.keys(SHARES).map((share) => `${span}${share}`)),
  max: FIGURE_NAMES,
  min: FIGURE_NAMES,
  sum: FIGURE_NAMES.filter(
    (name) => name === "newUsersPerMinute" || /^(?:sessionsRevoked|turnstile)/.test(name),
  ),
} as const satisfies Record<string, readonly string[]>;
export type GroupPart = keyof typeof PART_FIELDS;

export type Dimension = string;
export const DIMENSION_NAMES = [
  "datetime",
  "datetimeMinute",
  "datetimeFiveMinutes",
  "datetimeFifteenMinutes",
  "datetimeHour",
  "date",
  "sampleInterval",
  "waitingRoomId",
] as const;

const GATHERED = { avg: mean, max: most, min: least, sum: total } as const;

/** Minutes that share the dimensions they are grouped by. */
export class AnalyticsGroup {
  readonly dimensions: Readonly<Record<Dimension, string | number>>;
  readonly #samples: AnalyticsSample[] = [];

  constructor(dimensions: Readonly<Record<Dimension, string | number>>) {
    this.dimensions = dimensions;
  }

  add(sample: AnalyticsSample): void {
    this.#samples.push(sample);
  }

  get count(): number {
    return this.#samples.length;
  }

  /** A field of a part, by the names of both. */
  figure(part: GroupPart, name: string): number {
    if (part === "avgWeighted") return this.#waited(name);
    if (name === "sampleInterval") return 1;
    const values = this.#samples.map(FIGURES[name as Figure]);
    if (values.some((value) => value === null)) return NO_DATA;
    return GATHERED[part](values.map(Number));
  }

  /** In seconds, of those who entered with a ticket. */
  #waited(name: string): number {
    const share = SHARES[name.slice(-3) as keyof typeof SHARES];
    const waits = new LogHistogram();
    if (WAITED.includes(name.slice(0, -3)))
      for (const { row } of this.#samples) waits.merge(row.waits?.counts ?? []);
    const ms = waits.quantile(share);
    return ms === null ? NO_DATA : Math.round(ms / 1_000);
  }
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
/** Whole, as the schema has it. */
function mean(values: readonly number[]): number {
  return Math.round(total(values) / values.length);
}
function most(values: readonly number[]): number {
  return values.reduce((highest, value) => Math.max(highest, value), 0);
}
function least(values: readonly number[]): number {
  return values.reduce((lowest, value) => Math.min(lowest, value), Infinity);
}

/** In the order of their times, and of their rooms. */
export const groupsOf = (
  samples: Iterable<AnalyticsSample>,
  dimensions: readonly Dimension[],
): readonly AnalyticsGroup[] => {
  const groups = new Map<string, AnalyticsGroup>();
  for (const sample of samples) {
    const of = dimensions.map((dimension) => [dimension, valueOf(dimension, sample)] as const);
    const key = of.map(([, value]) => value).join(" ");
    let group = groups.get(key);
    if (group === undefined) {
      group = new AnalyticsGroup(Object.fromEntries(of));
      groups.set(key, group);
    }
    group.add(sample);
  }
  return [...groups].toSorted(([one], [other]) => inOrder(one, other)).map(([, group]) => group);
};

const valueOf = (dimension: Dimension, { now, row }: AnalyticsSample): string | number => {
  // Nothing is sampled: each minute stands for itself.
  if (dimension === "sampleInterval") return 1;
  if (!isTimeDimension(dimension)) return now.id;
  const at = new Date(stepOf(dimension, row.minute)).toISOString();
  return dimension === "date" ? at.slice(0, 10) : `${at.slice(0, 19)}Z`;
};

const inOrder = (one: string | number, other: string | number): number => {
  if (one === other) return 0;
  return one < other ? -1 : 1;
};

const ORDER = /^(?:(avg|avgWeighted|max|min|sum)_)?(\w+?)_(ASC|DESC)$/;

/** Sorts by each of the orders, the first before the others. */
export const ordered = (
  groups: readonly AnalyticsGroup[],
  orderBy: ArgumentValue,
): readonly AnalyticsGroup[] => {
  const orders = (Array.isArray(orderBy) ? orderBy : [orderBy]) as readonly ArgumentValue[];
  const keys = orders.filter((order) => order !== null).map(orderOf);
  return groups.toSorted((one, other) => {
    for (const { value, isRising } of keys) {
      const way = inOrder(value(one), value(other));
      if (way !== 0) return isRising ? way : -way;
    }
    return 0;
  });
};

const orderOf = (order: ArgumentValue) => {
  const [, how, name = "", way] = ORDER.exec(typeof order === "string" ? order : "") ?? [];
  const isRising = way === "ASC";
  const part = how as GroupPart | undefined;
  if (part !== undefined && (PART_FIELDS[part] as readonly string[]).includes(name))
    return { value: (group: AnalyticsGroup) => group.figure(part, name), isRising };
  if (part === undefined && name === "count")
    return { value: (group: AnalyticsGroup) => group.count, isRising };
  if (part === undefined && (DIMENSION_NAMES as readonly string[]).includes(name))
    return { value: (group: AnalyticsGroup) => group.dimensions[name] ?? "", isRising };
  throw new GraphQLFault(`unknown order ${String(JSON.stringify(order)).slice(0, 80)}`);
};
