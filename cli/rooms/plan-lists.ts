/** What applying a file would do to a room's events and rules, and doing it. */
import type { PlannedEventResource } from "../../src/api/events/resource.ts";
import type { RoomJson } from "../../src/api/rooms-file/file.ts";
import type { EventJson, RuleJson } from "../../src/api/rooms-file/lists.ts";
import type { ManagementClient } from "../api-client.ts";
import { Failure } from "../launch/failure.ts";
import { changesBetween, type FieldChange } from "./changes.ts";

export type ListsClient = Pick<
  ManagementClient,
  "listEvents" | "createEvent" | "putEvent" | "deleteEvent" | "listRules" | "putRules"
>;

interface EventPut {
  readonly event: EventJson;
  /** Null: it is made. */
  readonly before: PlannedEventResource | null;
}

export interface ListsPlan {
  readonly gone: readonly PlannedEventResource[];
  readonly events: readonly EventPut[];
  /** Null: they stay. */
  readonly rules: readonly RuleJson[] | null;
  readonly changes: readonly FieldChange[];
}

export const NO_LISTS: ListsPlan = { gone: [], events: [], rules: null, changes: [] };

/**
 * Events are matched by name; those that the file does not name go with `prune` only. Rules are in an
 * order, so the file's list replaces them. `before` null: the room is new.
 */
export const planLists = async (
  client: Pick<ListsClient, "listEvents" | "listRules">,
  { events, rules }: RoomJson,
  before: string | null,
  prune: boolean,
): Promise<ListsPlan> => {
  const ofEvents =
    events === undefined ? NO_LISTS : await planEvents(client, events, before, prune);
  const ofRules = rules === undefined ? NO_LISTS : await planRules(client, rules, before);
  const changes = [...ofEvents.changes, ...ofRules.changes];
  return { ...ofEvents, rules: ofRules.rules, changes };
};

const planEvents = async (
  client: Pick<ListsClient, "listEvents">,
  events: readonly EventJson[],
  room: string | null,
  prune: boolean,
): Promise<ListsPlan> => {
  const standing = room === null ? [] : await client.listEvents(room);
  const named = new Set(events.map(({ name }) => name));
  const gone = prune ? standing.filter(({ name }) => !named.has(name)) : [];
  const planned = events.map((event) => {
    const before = standing.find(({ name }) => name === event.name) ?? null;
    return { event, before, changes: changesOf(event, before) };
  });
  const removed = gone.map((event) => ({ path: pathOf(event.name), from: event, to: undefined }));
  return {
    gone,
    events: planned.filter(({ changes }) => changes.length > 0),
    rules: null,
    changes: [...removed, ...planned.flatMap(({ changes }) => changes)],
  };
};

const pathOf = (name: string): string => `events.${name}`;

const DEFAULTS = {
  description: "",
  prequeue_start_time: null,
  shuffle_at_event_start: false,
  total_active_users: null,
  new_users_per_minute: null,
  session_duration: null,
  disable_session_renewal: null,
  queueing_method: null,
  custom_page_html: null,
  turnstile_mode: null,
  turnstile_action: null,
};

/** Whether it is suspended is the operator's, unless the file says so. */
const changesOf = (event: EventJson, before: PlannedEventResource | null): FieldChange[] => {
  const path = pathOf(event.name);
  if (before === null) return [{ path, from: undefined, to: event }];
  const { draw } = before.seiriken;
  const given = event["seiriken"] as { readonly draw?: string | null } | null | undefined;
  const wanted = event["shuffle_at_event_start"] === true ? (given?.draw ?? draw) : draw;
  const after = { ...DEFAULTS, suspended: before.suspended, ...event, seiriken: { draw: wanted } };
  return changesBetween({ ...before }, after).map((change) => ({
    ...change,
    path: `${path}.${change.path}`,
  }));
};

const planRules = async (
  client: Pick<ListsClient, "listRules">,
  rules: readonly RuleJson[],
  room: string | null,
): Promise<ListsPlan> => {
  const standing = room === null ? [] : await client.listRules(room);
  const from = standing.map(({ action, expression, description, enabled }) => ({
    action,
    expression,
    description,
    enabled,
  }));
  const to = rules.map(({ action, expression, description, enabled }) => ({
    action,
    expression,
    description: description ?? "",
    enabled: enabled ?? true,
  }));
  if (JSON.stringify(from) === JSON.stringify(to)) return NO_LISTS;
  return { ...NO_LISTS, rules, changes: [{ path: "rules", from, to }] };
};

/** What takes another's time is tried again after the rest, as long as that gets further. */
export const applyLists = async (
  client: ListsClient,
  room: string,
  { gone, events, rules }: ListsPlan,
): Promise<void> => {
  for (const { id } of gone) await client.deleteEvent(room, id);
  let left = events;
  while (left.length > 0) {
    const refused: { readonly put: EventPut; readonly failure: Failure }[] = [];
    for (const put of left) {
      try {
        await applyEvent(client, room, put);
      } catch (thrown) {
        if (!(thrown instanceof Failure)) throw thrown;
        const details = [`in the event ${put.event.name}`, ...thrown.details];
        const failure = new Failure(thrown.code, thrown.message, details);
        if (thrown.code !== "refused") throw failure;
        refused.push({ put, failure });
      }
    }
    if (refused.length === left.length && refused[0] !== undefined) throw refused[0].failure;
    left = refused.map(({ put }) => put);
  }
  if (rules !== null) await client.putRules(room, rules);
};

const applyEvent = async (
  client: ListsClient,
  room: string,
  { event, before }: EventPut,
): Promise<void> => {
  if (before === null) await client.createEvent(room, event);
  else await client.putEvent(room, before, { suspended: before.suspended, ...event });
};
