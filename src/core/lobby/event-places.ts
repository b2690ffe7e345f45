/** What visitors are told of their places around the start of an event, and when they ask again. */
import type { CurrentEvent } from "../events/event.ts";
import type { Place, RoomStatus } from "../room/commands.ts";
import { SECOND_MS, type InstantMs } from "../time.ts";

/** Before an event starts, and when it does, so many pages without a socket ask again in a second. */
export const POLLS_PER_SECOND_MAX = 4_000;

/** Nobody is called before the start: there is no hurry. */
const PREQUEUE_POLL_SECONDS = 15;
const DRAWING_POLL_SECONDS = 6;
/** After the start nobody looks sooner than they would have anyhow. */
const SPREAD_LEAST_SECONDS = 2;
/** Pages ask up to 15 % later than they were told to. */
const LATE = 1.2;

/** Its order is drawn, and is not yet: no place in it says anything. */
export const isUndrawn = (event: CurrentEvent | undefined): boolean =>
  event !== undefined && event.shuffle && event.phase !== "running";

/** The place as its visitor is told of it: until the order is drawn, only among how many. */
export const placeTold = (
  place: Place,
  { event, waiting }: Pick<RoomStatus, "event" | "waiting">,
): Place =>
  isUndrawn(event) && (place.state === "waiting" || place.state === "away")
    ? { ...place, ahead: null, among: Math.max(1, waiting) }
    : place;

/** The same for each ask of a number, and different for its neighbours: from 0 up to 1. */
const shareOf = (number: number): number => ((number * 7_919) % 1_009) / 1_009;

/**
 * In how many seconds a page without a socket asks again, while an event has not begun to let people
 * in; null where the rules for any line hold. At the start the first in line ask first; where the order
 * is drawn nobody is first, and they are spread by number.
 */
export const pollAroundStart = (
  { number, ahead }: Pick<Place, "number" | "ahead">,
  { event, waiting }: Pick<RoomStatus, "event" | "waiting">,
  now: InstantMs,
): number | null => {
  if (event === undefined || event.phase === "running") return null;
  const spread = waiting / POLLS_PER_SECOND_MAX;
  if (event.phase === "drawing") return Math.max(DRAWING_POLL_SECONDS, Math.ceil(spread));
  const usual = Math.max(PREQUEUE_POLL_SECONDS, Math.ceil(spread));
  const startsIn = Math.max(0, event.startsAt - now) / SECOND_MS;
  if (startsIn > usual * LATE) return usual;
  const share = event.shuffle || ahead === null ? shareOf(number) : ahead / Math.max(1, waiting);
  const after = Math.min(1, share) * Math.max(SPREAD_LEAST_SECONDS, spread);
  return Math.ceil(startsIn) + Math.round(after);
};
