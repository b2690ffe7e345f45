/** `npm run rooms -- events` and `npm run rooms -- rules`: does what was asked, and says what is so now. */
import type { PlannedEventResource } from "../../src/api/events/resource.ts";
import type { RuleResource } from "../../src/api/rules/resource.ts";
import type { ManagementClient } from "../api-client.ts";
import { agree } from "../ask.ts";
import { say, sayJson } from "../command.ts";
import { Failure } from "../launch/failure.ts";
import type { ListCommand } from "./list-commands.ts";
import { eventLines, eventTable, ruleTable, stateOf } from "./lists-view.ts";

type Listing<Kind> = Extract<ListCommand, { readonly kind: Kind }>;

export const changeEvents = async (
  client: ManagementClient,
  { room, act, json, isAgreed }: Listing<"events">,
): Promise<void> => {
  if (act.do === "add") {
    const { name } = await client.createEvent(room, act.event);
    say(`${room}: the event ${name} is made`);
    return;
  }
  const events = await client.listEvents(room);
  switch (act.do) {
    case "list":
      if (json) return sayJson(events, 2);
      if (events.length === 0) return say(`${room} has no events`);
      return eventTable(events, Date.now()).forEach(say);
    case "show": {
      const details = await client.eventDetails(room, named(events, act.event).id);
      if (json) return sayJson(details, 2);
      return eventLines(details).forEach(say);
    }
    case "change": {
      const { id } = named(events, act.event);
      const { name } = await client.patchEvent(room, id, act.patch);
      return say(`${room}: the event ${name} is changed`);
    }
    case "remove": {
      const event = named(events, act.event);
      await agree(harmOfRemoving(room, event), isAgreed);
      await client.deleteEvent(room, event.id);
      return say(`${room}: the event ${event.name} is removed`);
    }
    default:
      return act satisfies never;
  }
};

const harmOfRemoving = (room: string, event: PlannedEventResource): string[] => {
  const state = stateOf(event, Date.now());
  if (state !== "on" && state !== "prequeue") return [];
  return [
    `${room}: the event ${event.name} is on (${state}); the room's own settings hold at once`,
  ];
};

const named = (events: readonly PlannedEventResource[], word: string): PlannedEventResource => {
  const found =
    events.find(({ id, name }) => id === word || name === word) ??
    events.find(({ name }) => name.toLowerCase() === word.toLowerCase());
  if (found !== undefined) return found;
  const names = events.map(({ name }) => name).join(", ");
  throw new Failure("not-found", "the room has no such event", [
    names === "" ? "it has none" : `it has ${names}`,
  ]);
};

export const changeRules = async (
  client: ManagementClient,
  { room, act, json }: Listing<"rules">,
): Promise<void> => {
  const rules = await rulesAfter(client, room, act);
  if (json) return sayJson(rules, 2);
  if (rules.length === 0) return say(`${room} has no rules: nothing passes it by`);
  return ruleTable(rules).forEach(say);
};

const rulesAfter = async (
  client: ManagementClient,
  room: string,
  act: Listing<"rules">["act"],
): Promise<readonly RuleResource[]> => {
  switch (act.do) {
    case "list":
      return client.listRules(room);
    case "add":
      return client.addRule(room, act.rule);
    case "change":
      return client.patchRule(room, await idOf(client, room, act.rule), act.patch);
    case "remove":
      return client.deleteRule(room, await idOf(client, room, act.rule));
    default:
      return act satisfies never;
  }
};

const idOf = async (client: ManagementClient, room: string, word: string): Promise<string> => {
  const rules = await client.listRules(room);
  const found = rules.find(({ id }, index) => id === word || String(index + 1) === word);
  if (found !== undefined) return found.id;
  throw new Failure("not-found", "the room has no such rule", [
    rules.length === 0 ? "it has none" : `it has those at the places 1 to ${rules.length}`,
  ]);
};
