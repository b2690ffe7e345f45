/** A room's events and rules as lines for a terminal. */
import type { PlannedEventResource } from "../../src/api/events/resource.ts";
import type { RuleResource } from "../../src/api/rules/resource.ts";
import { tableOf } from "../rooms-view.ts";
import { localText } from "./moments.ts";

export type EventStage = "suspended" | "planned" | "prequeue" | "on" | "over";

/** By this machine's clock; the Room's own decides. */
export const stateOf = (event: PlannedEventResource, now: number): EventStage => {
  if (event.suspended) return "suspended";
  const at = (time: string): number => Date.parse(time.toUpperCase());
  if (at(event.event_end_time) <= now) return "over";
  if (at(event.event_start_time) <= now) return "on";
  const { prequeue_start_time: prequeue } = event;
  return prequeue !== null && at(prequeue) <= now ? "prequeue" : "planned";
};

/** In the order of their starts: times by this machine's clock, and behind them as they were given. */
export const eventTable = (events: readonly PlannedEventResource[], now: number): string[] =>
  tableOf([
    ["name", "state", "prequeue", "start", "end", "shuffle", "start and end in RFC 3339"],
    ...events
      .toSorted((one, other) => startOf(one) - startOf(other))
      .map((event) => [
        event.name,
        stateOf(event, now),
        event.prequeue_start_time === null ? "-" : localText(event.prequeue_start_time),
        localText(event.event_start_time),
        localText(event.event_end_time),
        event.shuffle_at_event_start ? `by ${event.seiriken.draw}` : "-",
        `${event.event_start_time} ${event.event_end_time}`,
      ]),
  ]);

const startOf = (event: PlannedEventResource): number =>
  Date.parse(event.event_start_time.toUpperCase());

const TIMES: ReadonlySet<string> = new Set([
  ...["event_start_time", "event_end_time", "prequeue_start_time"],
]);
const SHOWN_LENGTH_MAX = 160;

/** One line a setting; times as they were given, and by this machine's clock. */
export const eventLines = (event: PlannedEventResource): string[] =>
  tableOf(
    Object.entries(event).map(([name, value]) => {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      if (TIMES.has(name) && typeof value === "string")
        return [name, `${value}  (here ${localText(value)})`];
      return [name, text.length <= SHOWN_LENGTH_MAX ? text : `${text.slice(0, SHOWN_LENGTH_MAX)}…`];
    }),
  );

export const ruleTable = (rules: readonly RuleResource[]): string[] =>
  tableOf([
    ["place", "state", "expression", "description", "id"],
    ...rules.map(({ enabled, expression, description, id }, index) => [
      String(index + 1),
      enabled ? "on" : "off",
      expression,
      description === "" ? "-" : description,
      id,
    ]),
  ]);
