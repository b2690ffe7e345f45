import { SECOND_MS } from "../../core/time.ts";
import { eventIn } from "../../core/events/resource.ts";
import type { GateContext } from "../admission/context.ts";
import { etaResource } from "../admission/ticket-resource.ts";
import { answerJson, refuse } from "./our-room.ts";

const RETRY_SECONDS = 2;

/** `GET …/rooms/{room}`: what anyone may know of a room. */
export const getRoomState = (context: GateContext): Response => {
  const { room, view } = context;
  const { snapshot } = view;
  if (snapshot === null || view.state === "lost")
    return refuse(context, "room-unavailable", RETRY_SECONDS);
  const { limits } = room;
  return answerJson(context, 200, {
    room: room.name,
    id: room.id,
    state: snapshot.mode,
    message: snapshot.message,
    closed: snapshot.closed,
    waiting: snapshot.waiting,
    visiting: snapshot.visiting,
    starts_last_minute: snapshot.startsLastMinute ?? null,
    permits: snapshot.permitsMax,
    entries_per_minute: snapshot.entriesPerMinute,
    eta: etaResource(snapshot.newcomer),
    claim_within_seconds: limits.claimWithinMs / SECOND_MS,
    return_window_seconds: limits.returnWindowMs / SECOND_MS,
    session_seconds: limits.leaseMs / SECOND_MS,
    ...eventIn(snapshot),
  });
};
