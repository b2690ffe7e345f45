import { earliest, isOver, type InstantMs } from "../time.ts";
import type { CurrentEvent, EventPhase, RoomEvent } from "./event.ts";

type EventTimes = Pick<RoomEvent, "prequeueAt" | "startsAt" | "endsAt" | "suspended">;

/** When the event begins to change the room. */
const beginsAt = ({ prequeueAt, startsAt }: EventTimes): InstantMs => prequeueAt ?? startsAt;

/**
 * The event that is on, and whether it has started. By the clock alone: whether its order is still
 * being drawn only the Room knows. Of two that overlap the one that began first goes on.
 */
export const eventAt = <Event extends EventTimes>(
  list: readonly Event[],
  now: InstantMs,
): { readonly event: Event; readonly phase: Exclude<EventPhase, "drawing"> } | null => {
  let first: Event | null = null;
  for (const event of list) {
    if (event.suspended || !isOver(beginsAt(event), now) || isOver(event.endsAt, now)) continue;
    if (first === null || beginsAt(event) < beginsAt(first)) first = event;
  }
  if (first === null) return null;
  return { event: first, phase: isOver(first.startsAt, now) ? "running" : "prequeue" };
};

/** The next moment at which `eventAt` may say something else; null where none is planned. */
export const nextEventChangeAt = (
  list: readonly EventTimes[],
  now: InstantMs,
): InstantMs | null => {
  const ahead = (at: InstantMs | null): InstantMs | null =>
    at === null || isOver(at, now) ? null : at;
  return list.reduce<InstantMs | null>(
    (next, { prequeueAt, startsAt, endsAt, suspended }) =>
      suspended ? next : earliest(next, ahead(prequeueAt), ahead(startsAt), ahead(endsAt)),
    null,
  );
};

/** The event as others are told of it. */
export const currentEvent = (
  event: Omit<CurrentEvent, "phase">,
  phase: EventPhase,
): CurrentEvent => ({
  id: event.id,
  name: event.name,
  phase,
  startsAt: event.startsAt,
  endsAt: event.endsAt,
  shuffle: event.shuffle,
});
