import type { RoomDefinition } from "../../core/definition.ts";
import { definitionDuring } from "../../core/events/during.ts";
import { eventIn, type EventResource } from "../../core/events/resource.ts";
import type { RoomMode, RoomSnapshot } from "../../core/snapshot.ts";
import { callsPerSecondMax } from "../../core/ring/call-rate.ts";
import { loweredResource, type LoweredResource } from "../../core/pace/resource.ts";
import { rfc3339 } from "../../core/time.ts";

/** Three of Cloudflare's four words. */
const STATUS_OF_MODE = {
  open: "not_queueing",
  queues: "queueing",
  paused: "queueing",
  closed: "queueing",
  suspended: "suspended",
} as const satisfies Record<RoomMode, string>;

/** Cloudflare's status object, and under `seiriken` the exact numbers of the Room's snapshot. */
export interface RoomStatusResource {
  readonly event_id: string;
  readonly status: (typeof STATUS_OF_MODE)[RoomMode] | "event_prequeueing";
  readonly estimated_queued_users: number;
  readonly estimated_total_active_users: number;
  readonly max_estimated_time_minutes: number;
  readonly seiriken: {
    readonly name: string;
    readonly at: string;
    readonly mode: RoomMode;
    readonly waiting: number;
    readonly called: number;
    readonly visiting: number;
    readonly permits: number;
    readonly issued: number;
    readonly entries_per_minute: number;
    /** The most that are called in a second; null: as many as permits are free (rooms of requests). */
    readonly calls_per_second: number | null;
    readonly message: string | null;
    readonly closed: string | null;
    readonly event?: EventResource;
    /** Only while something but the operator lowers the limits. */
    readonly pace?: LoweredResource;
  };
}

/** A room whose event lets everybody through is not one that its operator has suspended. */
const statusWord = (
  room: RoomDefinition,
  { mode, event }: RoomSnapshot,
): RoomStatusResource["status"] => {
  if (mode === "paused" && event?.phase === "prequeue") return "event_prequeueing";
  if (mode === "suspended" && event?.phase === "running" && !room.limits.suspended)
    return "not_queueing";
  return STATUS_OF_MODE[mode];
};

export const statusOf = (room: RoomDefinition, snapshot: RoomSnapshot): RoomStatusResource => ({
  event_id: snapshot.event?.id ?? "",
  status: statusWord(room, snapshot),
  estimated_queued_users: snapshot.waiting,
  estimated_total_active_users: snapshot.visiting,
  max_estimated_time_minutes: longestWaitMinutes(snapshot),
  seiriken: {
    name: room.name,
    at: rfc3339(snapshot.at),
    mode: snapshot.mode,
    waiting: snapshot.waiting,
    called: snapshot.called,
    visiting: snapshot.visiting,
    permits: snapshot.permitsMax,
    issued: snapshot.issued,
    entries_per_minute: Math.round(snapshot.entriesPerMinute * 10) / 10,
    calls_per_second: callsPerSecondMax({
      ...definitionDuring(room, snapshot.event ?? null).limits,
      ...snapshot.lowered?.inEffect,
    }),
    message: snapshot.message,
    closed: snapshot.closed,
    ...eventIn(snapshot),
    ...(snapshot.lowered === undefined ? {} : { pace: loweredResource(snapshot.lowered) }),
  },
});

/** The wait of a new visitor, in whole minutes; 0 while it is unknown, as Cloudflare has it. */
const longestWaitMinutes = ({ newcomer }: RoomSnapshot): number =>
  newcomer.known ? Math.ceil(newcomer.seconds / 60) : 0;
