import type { RoomDefinition } from "../definition.ts";
import { isOver, type InstantMs } from "../time.ts";
import type { RoomEvent } from "./event.ts";

/** The first event that is still to start; its prequeue may have begun. Null: none is planned. */
export const nextEventOf = (
  { events }: Pick<RoomDefinition, "events">,
  now: InstantMs,
): RoomEvent | null => {
  const ahead = (events?.list ?? []).filter(
    ({ suspended, startsAt }) => !suspended && !isOver(startsAt, now),
  );
  return ahead.reduce<RoomEvent | null>(
    (first, event) => (first === null || event.startsAt < first.startsAt ? event : first),
    null,
  );
};
