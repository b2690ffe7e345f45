/** How the fields of an event fit each other, its room, and the room's other events. */
import type { RoomDefinition } from "../definition.ts";
import type { FieldProblem } from "../field-problem.ts";
import { MINUTE_MS, type InstantMs } from "../time.ts";
import type { EventId, RoomEvent } from "./event.ts";
import type { EventEdit } from "./event-list.ts";

/** Of all events of a room together, in bytes of UTF-8: every isolate keeps them. */
export const EVENT_PAGES_BYTES_MAX = 524_288;
const EVENT_LASTS_MS = MINUTE_MS;
const PREQUEUE_LASTS_MS = 5 * MINUTE_MS;

export type EventsRoom = Pick<RoomDefinition, "events"> & {
  readonly limits: Pick<RoomDefinition["limits"], "permit">;
};

/** Fields that are absent are not judged: they had a problem of their own. */
export const problemsOfFit = (
  event: EventEdit,
  id: EventId | null,
  room: EventsRoom,
): readonly FieldProblem[] => {
  const others = (room.events?.list ?? []).filter((other) => other.id !== id);
  return [
    ...problemsOfName(event, others),
    ...problemsOfTimes(event),
    ...problemsOfOverlap(event, others),
    ...problemsOfOverrides(event, others, room),
  ];
};

const problemsOfName = ({ name }: EventEdit, others: readonly RoomEvent[]): FieldProblem[] =>
  others.some((other) => other.name === name)
    ? [{ keys: ["name"], message: "is the name of another event of this room" }]
    : [];

const problemsOfTimes = ({ prequeueAt, startsAt, endsAt, shuffle }: EventEdit): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  if (startsAt !== undefined && endsAt !== undefined && startsAt > endsAt - EVENT_LASTS_MS)
    problems.push({
      keys: ["event_start_time"],
      message: "must be at least one minute before event_end_time",
    });
  const isLate = startsAt !== undefined && (prequeueAt ?? 0) > startsAt - PREQUEUE_LASTS_MS;
  if (prequeueAt !== undefined && prequeueAt !== null && isLate)
    problems.push({
      keys: ["prequeue_start_time"],
      message: "must be at least five minutes before event_start_time",
    });
  if (shuffle === true && prequeueAt === null)
    problems.push({
      keys: ["shuffle_at_event_start"],
      message: "needs a prequeue_start_time: who comes before the start is shuffled",
    });
  return problems;
};

interface EventSpan {
  readonly from: InstantMs;
  readonly until: InstantMs;
}

const spanOf = ({ prequeueAt, startsAt, endsAt }: EventEdit): EventSpan | null =>
  startsAt === undefined || endsAt === undefined || prequeueAt === undefined
    ? null
    : { from: prequeueAt ?? startsAt, until: endsAt };

/** From the prequeue, or the start where there is none, up to the end; the ends don't touch. */
const problemsOfOverlap = (event: EventEdit, others: readonly RoomEvent[]): FieldProblem[] => {
  const span = spanOf(event);
  if (span === null || event.suspended === true || span.from >= span.until) return [];
  return others.flatMap((other) => {
    const taken = spanOf(other);
    if (other.suspended || taken === null) return [];
    if (span.until <= taken.from || taken.until <= span.from) return [];
    const { given } = other;
    const isByPrequeue = event.startsAt !== undefined && event.startsAt >= taken.until;
    const message = `is within the event ${other.name} (${given.prequeue ?? given.start} to ${given.end}), or that within this one: a room has one event at a time`;
    return [{ keys: [isByPrequeue ? "prequeue_start_time" : "event_start_time"], message }];
  });
};

const problemsOfOverrides = (
  { overrides = {} }: EventEdit,
  others: readonly RoomEvent[],
  { limits: { permit } }: EventsRoom,
): FieldProblem[] => {
  const problems: FieldProblem[] = [];
  const { permitsMax, startsPerMinuteMax, queueingMethod, customPageHtml } = overrides;
  if (permitsMax === null && typeof startsPerMinuteMax === "number")
    problems.push(alone("new_users_per_minute", "total_active_users"));
  if (startsPerMinuteMax === null && typeof permitsMax === "number")
    problems.push(alone("total_active_users", "new_users_per_minute"));
  if (queueingMethod === "random" && permit === "request") {
    const message =
      'can\'t be "random" in a room with "permit": "request": a request that was sent away is told its turn';
    problems.push({ keys: ["queueing_method"], message });
  }
  const pages = others.map((other) => other.overrides.customPageHtml);
  const bytes = [...pages, customPageHtml].reduce((sum, page) => sum + bytesOf(page), 0);
  if (customPageHtml && bytes > EVENT_PAGES_BYTES_MAX) {
    const message = `is too much: the pages of all events of a room may have ${EVENT_PAGES_BYTES_MAX} bytes together`;
    problems.push({ keys: ["custom_page_html"], message });
  }
  return problems;
};

const alone = (given: string, missing: string): FieldProblem => ({
  keys: [given],
  message: `needs ${missing} as well: an event sets both or neither`,
});

const bytesOf = (page: string | null | undefined): number =>
  page ? new TextEncoder().encode(page).length : 0;
