/** What was asked of `rooms -- events` and `rooms -- rules`: parsed, not yet done. */
import { eventSchema } from "../../src/api/events/schema.ts";
import { newRuleSchema } from "../../src/api/rules/schema.ts";
import { settingSchemas } from "../../src/api/setting-schemas.ts";
import { quoted, usageFailure } from "../launch/failure.ts";
import { nearest } from "../nearest.ts";
import { patchOf, type Patch } from "./assignments.ts";
import { momentText } from "./moments.ts";

interface Ask<Kind, Act> {
  readonly kind: Kind;
  readonly room: string;
  readonly act: Act;
  readonly json: boolean;
  readonly isAgreed: boolean;
}

/** An event is named by its name or its id. */
export type EventsAct =
  | { readonly do: "list" }
  | { readonly do: "show" | "remove"; readonly event: string }
  | { readonly do: "add"; readonly event: Patch }
  | { readonly do: "change"; readonly event: string; readonly patch: Patch };

/** A rule is named by its place in the list, from 1, or its id. */
export type RulesAct =
  | { readonly do: "list" }
  | { readonly do: "add"; readonly rule: Patch }
  | { readonly do: "change"; readonly rule: string; readonly patch: Patch }
  | { readonly do: "remove"; readonly rule: string };

export type ListCommand = Ask<"events", EventsAct> | Ask<"rules", RulesAct>;

interface Switches {
  readonly json?: string | boolean | undefined;
  readonly yes?: string | boolean | undefined;
}

export const eventsCommand = (
  [room, verb = "list", ...words]: readonly string[],
  values: Switches,
): Ask<"events", EventsAct> => ({
  ...askOf("events", room, values),
  act: eventsAct(verb, words),
});

export const rulesCommand = (
  [room, verb = "list", ...words]: readonly string[],
  values: Switches,
): Ask<"rules", RulesAct> => ({
  ...askOf("rules", room, values),
  act: rulesAct(verb, words),
});

const askOf = <Kind extends "events" | "rules">(
  kind: Kind,
  room: string | undefined,
  { json, yes }: Switches,
) => {
  if (room === undefined) throw usageFailure(`${kind} needs a room: ${kind} NAME`);
  return { kind, room, json: json === true, isAgreed: yes === true };
};

const EVENT_VERBS = ["list", "show", "add", "change", "remove"];
const RULE_VERBS = ["list", "add", "change", "remove"];

const eventsAct = (verb: string, words: readonly string[]): EventsAct => {
  const [event, ...settings] = words;
  switch (verb) {
    case "list":
      if (words.length > 0) throw usageFailure("events NAME list takes no more words");
      return { do: "list" };
    case "show":
    case "remove":
      if (event === undefined || settings.length > 0)
        throw usageFailure(`${verb} needs one event: events NAME ${verb} EVENT`);
      return { do: verb, event };
    case "add":
    case "change": {
      const example = `events NAME ${verb} EVENT start=2026-11-28T20:00 end=2026-11-28T22:00`;
      if (event === undefined || event.includes("=") || settings.length === 0)
        throw usageFailure(`${verb} needs an event and what to set: ${example}`);
      const patch = eventPatch(settings);
      return verb === "add"
        ? { do: verb, event: { ...patch, name: event } }
        : { do: verb, event, patch };
    }
    default:
      throw unknownVerb(verb, EVENT_VERBS);
  }
};

const rulesAct = (verb: string, words: readonly string[]): RulesAct => {
  const [first, ...settings] = words;
  switch (verb) {
    case "list":
      if (words.length > 0) throw usageFailure("rules NAME list takes no more words");
      return { do: "list" };
    case "add": {
      if (first === undefined)
        throw usageFailure(
          "add needs an expression: rules NAME add 'http.request.uri.path eq \"/pay\"'",
        );
      return {
        do: verb,
        rule: { action: "bypass_waiting_room", ...rulePatch(settings), expression: first },
      };
    }
    case "change":
      if (first === undefined || settings.length === 0)
        throw usageFailure(
          "change needs a rule and what to set: rules NAME change 1 enabled=false",
        );
      return { do: verb, rule: first, patch: rulePatch(settings) };
    case "remove":
      if (first === undefined || settings.length > 0)
        throw usageFailure("remove needs one rule: rules NAME remove 1");
      return { do: verb, rule: first };
    default:
      throw unknownVerb(verb, RULE_VERBS);
  }
};

const unknownVerb = (verb: string, known: readonly string[]) => {
  const meant = nearest(verb, known);
  const hint = meant === null ? "" : `; did you mean ${meant}?`;
  return usageFailure(`${quoted(verb)} is none of ${known.join(", ")}${hint}`);
};

/** Short names of what is set most. */
const ALIASES: Readonly<Record<string, string>> = {
  start: "event_start_time",
  end: "event_end_time",
  prequeue: "prequeue_start_time",
  shuffle: "shuffle_at_event_start",
  draw: "seiriken.draw",
  place: "position.index",
};
const TIMES: ReadonlySet<string> = new Set([
  ...["event_start_time", "event_end_time", "prequeue_start_time"],
]);

const spelledOut = (word: string): string => {
  const split = word.indexOf("=");
  if (split < 1) return word;
  const name = ALIASES[word.slice(0, split)] ?? word.slice(0, split);
  const value = word.slice(split + 1);
  return `${name}=${TIMES.has(name) ? (momentText(value) ?? value) : value}`;
};

const eventPatch = (words: readonly string[]): Patch =>
  patchOf(words.map(spelledOut), settingSchemas(eventSchema));

const rulePatch = (words: readonly string[]): Patch =>
  patchOf(words.map(spelledOut), settingSchemas(newRuleSchema));
