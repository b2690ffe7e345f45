/**
 * An event of a room in the management API: Cloudflare's
 * (https://developers.cloudflare.com/api/resources/waiting_rooms/subresources/events/) plus `seiriken`.
 */
import * as v from "valibot";
import type { EventOverrides } from "../../core/events/event.ts";
import type { EventEdit, EventSettings } from "../../core/events/event-list.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import { unsafeIn } from "../../core/json/safe.ts";
import {
  field,
  flag,
  isRecord,
  matching,
  oneOf,
  orNone,
  problemsOf,
  settings,
  text,
  whole,
  within,
} from "../fields.ts";
import {
  COUNT_MAX,
  QUEUEING_METHODS,
  SESSION_MINUTES_MAX,
  SESSION_MINUTES_MIN,
  TURNSTILE_ACTIONS,
  TURNSTILE_MODES,
} from "../rooms/schema.ts";
import { pageTemplateField } from "../rooms/page-template.ts";
import { momentOf } from "./moment.ts";
import { EVENT_SEIRIKEN_WORDS, EVENT_WORDS } from "./words.ts";

const MINUTE = 60_000;

const moment = field<string>(
  (value) => typeof value === "string" && momentOf(value) !== null,
  'must be a time such as "2026-11-28T20:00:00Z" or "2026-11-28T20:00:00.5+09:00"',
  { type: "string", format: "date-time" },
);

const REQUIRED = { name: true, event_start_time: true, event_end_time: true } as const;

export const eventSchema = settings(EVENT_WORDS, {
  name: matching(/^[\w-]{1,64}$/, "must be 1 to 64 of A-Z, a-z, 0-9, - and _"),
  description: v.nullish(text(1_024), ""),
  event_start_time: moment,
  event_end_time: moment,
  prequeue_start_time: orNone(moment),
  shuffle_at_event_start: v.nullish(flag, false),
  suspended: v.nullish(flag, false),
  total_active_users: orNone(whole(1, COUNT_MAX)),
  new_users_per_minute: orNone(whole(1, COUNT_MAX)),
  session_duration: orNone(within(SESSION_MINUTES_MIN, SESSION_MINUTES_MAX)),
  disable_session_renewal: orNone(flag),
  queueing_method: orNone(oneOf(QUEUEING_METHODS)),
  custom_page_html: orNone(pageTemplateField),
  turnstile_mode: orNone(oneOf(TURNSTILE_MODES)),
  turnstile_action: orNone(oneOf(TURNSTILE_ACTIONS)),
  seiriken: orNone(settings(EVENT_SEIRIKEN_WORDS, { draw: orNone(oneOf(["drand", "witnesses"])) })),
  // Read-only in the API: taken and dropped, so that what was read can be sent back.
  id: v.optional(v.unknown()),
  created_on: v.optional(v.unknown()),
  modified_on: v.optional(v.unknown()),
});

/** A valid event with every default filled in. */
export type EventInput = v.InferOutput<typeof eventSchema>;

/** Fields that are right by themselves, in the core's words, and what is wrong with the others. */
export interface ReadFields {
  readonly fields: EventEdit;
  readonly problems: readonly FieldProblem[];
}

/** `onlyGiven`: what the body does not name is no field of the result, and nothing is required. */
export const readFields = (json: unknown, onlyGiven: boolean): ReadFields => {
  const unsafe = unsafeIn(json);
  const result = v.safeParse(eventSchema, json);
  const isMissing = ({ keys }: FieldProblem) =>
    keys.length === 1 &&
    String(keys[0]) in REQUIRED &&
    isRecord(json) &&
    !(String(keys[0]) in json);
  const found = problemsOf(result.issues).filter((problem) => !(onlyGiven && isMissing(problem)));
  if (!isRecord(result.output)) return { fields: {}, problems: [...found, ...unsafe] };
  const wrong = new Set(found.map(({ keys }) => String(keys[0])));
  const given = Object.fromEntries(
    Object.entries(result.output).filter(
      ([name, value]) =>
        value !== undefined && !wrong.has(name) && (!onlyGiven || (isRecord(json) && name in json)),
    ),
  );
  return { fields: fieldsOf(given as Partial<EventInput>), problems: [...found, ...unsafe] };
};

const fieldsOf = (given: Partial<EventInput>): EventEdit => {
  const { name, description, suspended, shuffle_at_event_start: shuffle } = given;
  const { event_start_time: start, event_end_time: end, prequeue_start_time: prequeue } = given;
  return {
    ...present({ name, description, suspended, shuffle }),
    ...present({
      startsAt: start === undefined ? undefined : (momentOf(start) ?? undefined),
      endsAt: end === undefined ? undefined : (momentOf(end) ?? undefined),
      prequeueAt: typeof prequeue === "string" ? momentOf(prequeue) : prequeue,
      drawnBy: given.seiriken === undefined ? undefined : (given.seiriken?.draw ?? null),
    }),
    given: present({ start, end, prequeue }),
    overrides: overridesOf(given),
  };
};

const overridesOf = (given: Partial<EventInput>): Partial<EventOverrides> => {
  const { session_duration: minutes, disable_session_renewal: ends } = given;
  const page = given.custom_page_html;
  return present({
    permitsMax: given.total_active_users,
    startsPerMinuteMax: given.new_users_per_minute,
    leaseMs: typeof minutes === "number" ? Math.round(minutes * MINUTE) : minutes,
    leaseRenews: typeof ends === "boolean" ? !ends : ends,
    queueingMethod: given.queueing_method,
    customPageHtml: page,
    turnstileMode: given.turnstile_mode,
    turnstileAction: given.turnstile_action,
  });
};

type Present<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> };

const present = <T extends object>(fields: T): Present<T> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Present<T>;

/** Of a whole event without problems nothing is absent. */
export const wholeOf = (fields: EventEdit): EventSettings =>
  ({ drawnBy: null, ...fields }) as EventSettings;
