import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomSnapshot } from "../../core/snapshot.ts";
import { rfc3339 } from "../../core/time.ts";
import type { InstantMs } from "../../core/time.ts";
import { cfEvent } from "./cf-event.ts";
import { minutesInWords } from "./minutes-in-words.ts";
import type { TicketResource } from "./ticket-resource.ts";

const SECONDS_IN_MINUTE = 60;

/**
 * `cfWaitingRoom` as Cloudflare documents it for JSON clients, exactly its keys, times in whole
 * minutes (developers.cloudflare.com/waiting-room, "JSON response").
 */
export const cfWaitingRoom = (
  room: RoomDefinition,
  snapshot: RoomSnapshot | null,
  resource: TicketResource,
  isFull: boolean,
  now: InstantMs,
) => {
  const { eta } = resource;
  const waitTime = minutes(eta.seconds);
  return {
    inWaitingRoom: true,
    waitTimeKnown: eta.known,
    waitTime,
    waitTime25Percentile: minutes(eta.low),
    waitTime50Percentile: waitTime,
    waitTime75Percentile: minutes(eta.high),
    waitTimeFormatted: eta.known ? minutesInWords(waitTime) : "unavailable",
    queueIsFull: isFull,
    queueAll: snapshot?.mode === "paused" || room.limits.paused,
    lastUpdated: rfc3339(now),
    refreshIntervalSeconds: resource.poll_after_seconds,
    queueingMethod: room.queueingMethod,
    isFIFOQueue: room.queueingMethod === "fifo",
    isRandomQueue: room.queueingMethod === "random",
    isPassthroughQueue: room.queueingMethod === "passthrough",
    isRejectQueue: room.queueingMethod === "reject",
    ...cfEvent(snapshot?.event, now),
  };
};

const minutes = (seconds: number | null): number =>
  seconds === null ? 0 : Math.ceil(seconds / SECONDS_IN_MINUTE);
