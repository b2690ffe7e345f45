/** What can be done with a room's list of events. Fields of its input are each valid already. */
import type { FieldProblem } from "../field-problem.ts";
import { instant, type InstantMs } from "../time.ts";
import { announcedDraw, problemsOfDraw, type DrawMaker } from "./announce.ts";
import { EVENTS_MAX, type EventId, type RoomEvent, type RoomEvents } from "./event.ts";
import { problemsOfFit, type EventsRoom } from "./event-fit.ts";

/** What an operator says of an event. `drawnBy` null: as it stands, or drand. */
export type EventSettings = Pick<
  RoomEvent,
  | "name"
  | "description"
  | "prequeueAt"
  | "startsAt"
  | "endsAt"
  | "suspended"
  | "shuffle"
  | "overrides"
  | "given"
> & { readonly drawnBy: "drand" | "witnesses" | null };

/** Only what is to change. */
export type EventEdit = Partial<Omit<EventSettings, "overrides" | "given">> & {
  readonly overrides?: Partial<EventSettings["overrides"]>;
  readonly given?: Partial<EventSettings["given"]>;
};

export type EventsChange =
  | { readonly do: "add"; readonly id: EventId; readonly settings: EventSettings }
  | { readonly do: "replace"; readonly id: EventId; readonly settings: EventSettings }
  | { readonly do: "edit"; readonly id: EventId; readonly settings: EventEdit }
  | { readonly do: "remove"; readonly id: EventId };

/** `event` is what the change was about: as it is now, or as it was where it is gone. */
export type EventsReply =
  | { readonly ok: true; readonly events: RoomEvents; readonly event: RoomEvent }
  | { readonly ok: false; readonly refusal: "no-such-event" | "too-many-events" }
  | {
      readonly ok: false;
      readonly refusal: "invalid";
      readonly problems: readonly FieldProblem[];
    };

export const NO_EVENTS: RoomEvents = { changedAt: instant(0), list: [] };

const NO_SUCH_EVENT: EventsReply = { ok: false, refusal: "no-such-event" };

/** A change that changes nothing leaves everything as it was, its time too. */
export const changedEvents = (
  room: EventsRoom,
  change: EventsChange,
  draws: DrawMaker,
  now: InstantMs,
): EventsReply => {
  const events = room.events ?? NO_EVENTS;
  const { id } = change;
  if (change.do === "add") {
    if (events.list.length >= EVENTS_MAX) return { ok: false, refusal: "too-many-events" };
    return put(room, { before: null, id, settings: change.settings }, draws, now);
  }
  const before = events.list.find((event) => event.id === id);
  if (before === undefined) return NO_SUCH_EVENT;
  switch (change.do) {
    case "replace":
      return put(room, { before, id, settings: change.settings }, draws, now);
    case "edit":
      return put(room, { before, id, settings: editedBy(before, change.settings) }, draws, now);
    case "remove": {
      const list = events.list.filter((event) => event !== before);
      return { ok: true, events: { changedAt: later(events.changedAt, now), list }, event: before };
    }
    default:
      return change satisfies never;
  }
};

interface Put {
  readonly before: RoomEvent | null;
  readonly id: EventId;
  readonly settings: EventSettings;
}

const put = (
  room: EventsRoom,
  { before, id, settings }: Put,
  draws: DrawMaker,
  now: InstantMs,
): EventsReply => {
  const problems = [
    ...problemsOfFit(settings, id, room),
    ...problemsOfDraw(before, settings, draws, now),
  ];
  if (problems.length > 0) return { ok: false, refusal: "invalid", problems };
  const events = room.events ?? NO_EVENTS;
  const event = eventAfter(before, id, settings, draws, now);
  if (event === before) return { ok: true, events, event };
  const list =
    before === null
      ? [...events.list, event]
      : events.list.map((other) => (other === before ? event : other));
  return { ok: true, events: { changedAt: later(events.changedAt, now), list }, event };
};

/** Also when the machine's clock stepped back. */
const later = (than: InstantMs, now: InstantMs): InstantMs => instant(Math.max(now, than + 1));

/** The settings of an event that stands, with an edit laid over them. */
export const editedBy = (standing: RoomEvent, edit: EventEdit): EventSettings => ({
  ...settingsOf(standing),
  ...edit,
  overrides: { ...standing.overrides, ...edit.overrides },
  given: { ...standing.given, ...edit.given },
});

const settingsOf = ({
  id: _id,
  createdAt: _createdAt,
  modifiedAt: _modifiedAt,
  draw: _draw,
  ...settings
}: RoomEvent): EventSettings => ({ ...settings, drawnBy: null });

const eventAfter = (
  before: RoomEvent | null,
  id: EventId,
  settings: EventSettings,
  draws: DrawMaker,
  now: InstantMs,
): RoomEvent => {
  const { drawnBy: _drawnBy, ...told } = settings;
  const draw = announcedDraw(before, settings, draws, now);
  if (before === null) return { ...told, id, createdAt: now, modifiedAt: now, draw };
  const { createdAt, modifiedAt } = before;
  const same = { ...before, ...told, draw };
  if (JSON.stringify(same) === JSON.stringify(before)) return before;
  return { ...same, id, createdAt, modifiedAt: later(modifiedAt, now) };
};
