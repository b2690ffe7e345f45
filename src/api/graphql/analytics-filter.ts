/**
 * Which minutes of which rooms a `filter` of `waitingRoomAnalyticsAdaptiveGroups` asks for, in
 * Cloudflare's words.
 */
import { instant, MINUTE_MS, type InstantMs } from "../../core/time.ts";
import { GraphQLFault, type ArgumentValue } from "./read.ts";

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Dimensions of time, by how long a step of each is. */
export const TIME_STEPS_MS = {
  datetime: MINUTE_MS,
  datetimeMinute: MINUTE_MS,
  datetimeFiveMinutes: 5 * MINUTE_MS,
  datetimeFifteenMinutes: 15 * MINUTE_MS,
  datetimeHour: HOUR_MS,
  date: DAY_MS,
} as const;
export type TimeDimension = keyof typeof TIME_STEPS_MS;

export const isTimeDimension = (name: string): name is TimeDimension =>
  Object.hasOwn(TIME_STEPS_MS, name);

/** The step in which a minute lies, as its first instant. */
export const stepOf = (dimension: TimeDimension, minute: number): number => {
  const stepMs = TIME_STEPS_MS[dimension];
  return Math.floor(minute / stepMs) * stepMs;
};

export interface AnalyticsFilter {
  /** No minute outside of `from` to, without it, `until` is asked for. */
  readonly from: InstantMs;
  readonly until: InstantMs;
  readonly wantsRoom: (id: string) => boolean;
  readonly wantsMinute: (minute: number) => boolean;
}

const COMPARISONS: Readonly<Record<string, (one: number, other: number) => boolean>> = {
  "": (one, other) => one === other,
  neq: (one, other) => one !== other,
  geq: (one, other) => one >= other,
  gt: (one, other) => one > other,
  leq: (one, other) => one <= other,
  lt: (one, other) => one < other,
};

const FILTERS_MAX = 50;
const LISTED_MAX = 1_000;

/** Without a beginning it is the day before its end; without an end it is now. */
export const analyticsFilter = (given: ArgumentValue, now: number): AnalyticsFilter => {
  const conditions = conditionsOf(given);
  if (conditions.length > FILTERS_MAX)
    throw new GraphQLFault(`a filter may have at most ${FILTERS_MAX} conditions`);
  let [from, until]: [number | null, number] = [null, now + MINUTE_MS];
  const rooms: ((id: string) => boolean)[] = [];
  const minutes: ((minute: number) => boolean)[] = [];
  for (const { name, field, operator, value } of conditions) {
    if (field === "waitingRoomId") {
      rooms.push(roomCondition(name, operator, value));
      continue;
    }
    const compare = COMPARISONS[operator];
    if (!isTimeDimension(field) || (compare === undefined && !isListOperator(operator)))
      throw new GraphQLFault(`unknown filter ${name}`);
    if (compare === undefined) {
      const among = new Set(listOf(name, value).map((one) => instantOf(name, one)));
      minutes.push((minute) => among.has(stepOf(field, minute)) === (operator === "in"));
      continue;
    }
    const at = instantOf(name, value);
    minutes.push((minute) => compare(stepOf(field, minute), at));
    if (["", "geq", "gt"].includes(operator)) from = Math.max(from ?? -Infinity, at);
    if (["", "leq", "lt"].includes(operator)) until = Math.min(until, at + TIME_STEPS_MS[field]);
  }
  return {
    from: instant(Math.max(0, from ?? until - DAY_MS)),
    until: instant(Math.max(0, until)),
    wantsRoom: (id) => rooms.every((wants) => wants(id)),
    wantsMinute: (minute) => minutes.every((wants) => wants(minute)),
  };
};

interface Condition {
  readonly name: string;
  readonly field: string;
  readonly operator: string;
  readonly value: ArgumentValue;
}

const isObject = (value: ArgumentValue): value is { readonly [name: string]: ArgumentValue } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const conditionsOf = (given: ArgumentValue, depth = 0): readonly Condition[] => {
  if (given === null) return [];
  if (!isObject(given) || depth > 3) throw new GraphQLFault("a filter is an object of conditions");
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === null) return [];
    if (name === "AND") {
      const all = Array.isArray(value) ? (value as readonly ArgumentValue[]) : [value];
      return all.flatMap((one) => conditionsOf(one, depth + 1));
    }
    const [field = "", operator = ""] = name.split("_", 2);
    return [{ name, field, operator, value }];
  });
};

const isListOperator = (operator: string): boolean => operator === "in" || operator === "notin";

const listOf = (name: string, value: ArgumentValue): readonly ArgumentValue[] => {
  if (Array.isArray(value) && value.length <= LISTED_MAX) return value as readonly ArgumentValue[];
  throw new GraphQLFault(`${name} takes a list of at most ${LISTED_MAX}`);
};

const roomCondition = (
  name: string,
  operator: string,
  value: ArgumentValue,
): ((id: string) => boolean) => {
  const ids = new Set(isListOperator(operator) ? listOf(name, value) : [value]);
  if (operator === "" || operator === "in") return (id) => ids.has(id);
  if (operator === "neq" || operator === "notin") return (id) => !ids.has(id);
  throw new GraphQLFault(`unknown filter ${name}`);
};

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;

const instantOf = (name: string, value: ArgumentValue): number => {
  const at = typeof value === "string" && TIME.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(at)) throw new GraphQLFault(`${name} takes a time such as 2026-11-20T09:00:00Z`);
  return at;
};
