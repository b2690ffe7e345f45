import type { RoomDefinition } from "../../core/definition.ts";
import { SECRET_BYTES } from "../../core/draw/seed.ts";
import type { DrawMaker } from "../../core/events/announce.ts";
import { EVENTS_MAX } from "../../core/events/event.ts";
import {
  changedEvents,
  type EventsChange,
  type EventsReply,
} from "../../core/events/event-list.ts";
import type { InstantMs } from "../../core/time.ts";
import type { ReadAt, RegistryProblem, RegistryReply } from "../contract.ts";
import { isOutdated, modifiedSince } from "./problems.ts";

/** Until its draw nobody is told the secret but the Room. */
export const newSecret = (): Uint8Array => crypto.getRandomValues(new Uint8Array(SECRET_BYTES));

/** The room with its events changed; the same object where nothing changes. */
export const withEvents = (
  room: RoomDefinition,
  change: EventsChange,
  draws: DrawMaker,
  now: InstantMs,
  readAt?: ReadAt,
): RegistryReply<RoomDefinition> => {
  if (change.do === "add") {
    if (isOutdated(readAt, room.events?.changedAt ?? 0)) return modifiedSince("the events");
  } else {
    const standing = room.events?.list.find(({ id }) => id === change.id);
    if (standing !== undefined && isOutdated(readAt, standing.modifiedAt))
      return modifiedSince("the event");
  }
  const reply = changedEvents(room, change, draws, now);
  if (!reply.ok) return { ok: false, problem: problemOf(reply, room, change) };
  const isSame = reply.events === room.events;
  return { ok: true, value: isSame ? room : { ...room, events: reply.events }, before: room };
};

const problemOf = (
  reply: Extract<EventsReply, { readonly ok: false }>,
  room: RoomDefinition,
  change: EventsChange,
): RegistryProblem => {
  switch (reply.refusal) {
    case "no-such-event":
      return { code: "not-found", detail: `The room ${room.name} has no event ${change.id}.` };
    case "too-many-events": {
      const message = `is one too many: a room takes ${EVENTS_MAX}, past ones among them`;
      return { code: "invalid", problems: [{ keys: [], message }] };
    }
    case "invalid":
      return { code: "invalid", problems: reply.problems };
    default:
      return reply satisfies never;
  }
};
