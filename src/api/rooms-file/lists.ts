/** The events and the rules of a room in rooms.json. */
import { EVENTS_MAX, type EventId, type RoomEvent } from "../../core/events/event.ts";
import { problemsOfFit, type EventsRoom } from "../../core/events/event-fit.ts";
import { NO_EVENTS } from "../../core/events/event-list.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { readFields, wholeOf } from "../events/schema.ts";
import { readRuleList } from "../rules/schema.ts";

type Json = Readonly<Record<string, unknown>>;

/** As they stand in the file, valid. */
export type EventJson = Json & { readonly name: string };
export type RuleJson = Json & { readonly expression: string };

/** Every problem at once, events among each other too. */
export const listProblems = (
  { events, rules }: Json,
  permit: EventsRoom["limits"]["permit"],
): FieldProblem[] => {
  const ofRules = rules === undefined ? null : readRuleList(rules);
  return [
    ...(events === undefined ? [] : eventProblems(events, permit)),
    ...(ofRules === null || ofRules.ok ? [] : below("rules", ofRules.problems)),
  ];
};

const below = (name: string, problems: readonly FieldProblem[]): FieldProblem[] =>
  problems.map(({ keys, message }) => ({ keys: [name, ...keys], message }));

const eventProblems = (events: unknown, permit: EventsRoom["limits"]["permit"]): FieldProblem[] => {
  if (!Array.isArray(events)) return [{ keys: ["events"], message: "must be a list" }];
  if (events.length > EVENTS_MAX)
    return [{ keys: ["events"], message: `must have at most ${EVENTS_MAX} entries` }];
  const list: RoomEvent[] = [];
  return events.flatMap((json: unknown, index) => {
    const { fields, problems } = readFields(json, false);
    const room = { limits: { permit }, events: { ...NO_EVENTS, list } };
    const found = [...problems, ...problemsOfFit(fields, null, room)];
    if (found.length === 0) list.push(unmade(wholeOf(fields), index));
    return below(
      "events",
      found.map((one) => ({ ...one, keys: [index, ...one.keys] })),
    );
  });
};

/** As much of an event as others are held against. */
const unmade = (settings: ReturnType<typeof wholeOf>, index: number): RoomEvent => ({
  ...settings,
  id: String(index) as EventId,
  createdAt: NO_EVENTS.changedAt,
  modifiedAt: NO_EVENTS.changedAt,
  draw: null,
});
