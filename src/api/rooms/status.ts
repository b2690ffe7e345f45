import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomMode, RoomSnapshot } from "../../core/snapshot.ts";
import { callsPerSecondMax } from "../../core/ring/pace.ts";
import { rfc3339 } from "../../core/time.ts";

/** Cloudflare's four words; `event_prequeueing` belongs to events. */
const STATUS_OF_MODE = {
  open: "not_queueing",
  queues: "queueing",
  paused: "queueing",
  closed: "queueing",
  suspended: "suspended",
} as const satisfies Record<RoomMode, string>;

/** Cloudflare's status object, and under `seiriken` the exact numbers of the Room's snapshot. */
export interface RoomStatus {
  readonly event_id: string;
  readonly status: (typeof STATUS_OF_MODE)[RoomMode];
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
  };
}

export const statusOf = (room: RoomDefinition, snapshot: RoomSnapshot): RoomStatus => ({
  event_id: "",
  status: STATUS_OF_MODE[snapshot.mode],
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
    calls_per_second: callsPerSecondMax(room.limits),
    message: snapshot.message,
    closed: snapshot.closed,
  },
});

/** The wait of a new visitor, in whole minutes; 0 while it is unknown, as Cloudflare has it. */
const longestWaitMinutes = ({ newcomer }: RoomSnapshot): number =>
  newcomer.known ? Math.ceil(newcomer.seconds / 60) : 0;
