import type { CurrentEvent } from "../../core/events/event.ts";
import { MINUTE_MS, type InstantMs } from "../../core/time.ts";
import { minutesInWords } from "./minutes-in-words.ts";

/** What `cfWaitingRoom` says of an event, which is active from its prequeue on. Whole minutes. */
export const cfEvent = (event: CurrentEvent | undefined, now: InstantMs) => {
  const isPrequeueing = event?.phase === "prequeue";
  const untilStart = isPrequeueing ? minutesUntil(event.startsAt, now) : null;
  const untilEnd = event === undefined ? null : minutesUntil(event.endsAt, now);
  return {
    isEventActive: event !== undefined,
    isEventPrequeueing: isPrequeueing,
    timeUntilEventStart: untilStart ?? 0,
    timeUntilEventStartFormatted: untilStart === null ? "unavailable" : minutesInWords(untilStart),
    timeUntilEventEnd: untilEnd ?? 0,
    timeUntilEventEndFormatted: untilEnd === null ? "unavailable" : minutesInWords(untilEnd),
    shuffleAtEventStart: event?.shuffle === true,
  };
};

const minutesUntil = (at: InstantMs, now: InstantMs): number =>
  Math.max(0, Math.ceil((at - now) / MINUTE_MS));
