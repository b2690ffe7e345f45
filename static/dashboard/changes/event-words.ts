import type { PlannedEventResource } from "../../../src/api/events/resource.ts";
import { count, dayTimeOf } from "../text/format.ts";

export type EventStanding = "planned" | "prequeue" | "on" | "over" | "suspended";

type EventTimes = Pick<
  PlannedEventResource,
  "suspended" | "prequeue_start_time" | "event_start_time" | "event_end_time"
>;

export const eventState = (event: EventTimes, now: number): EventStanding => {
  if (now >= Date.parse(event.event_end_time)) return "over";
  if (event.suspended) return "suspended";
  if (now >= Date.parse(event.event_start_time)) return "on";
  const prequeue = event.prequeue_start_time;
  return prequeue !== null && now >= Date.parse(prequeue) ? "prequeue" : "planned";
};

/** What the event does, part by part. */
export const eventChanges = (event: PlannedEventResource): readonly string[] => {
  const parts: string[] = [];
  if (event.prequeue_start_time !== null)
    parts.push(`prequeue from ${dayTimeOf(Date.parse(event.prequeue_start_time))}`);
  if (event.shuffle_at_event_start) parts.push(`order drawn (${event.seiriken.draw ?? "draw"})`);
  if (event.total_active_users !== null)
    parts.push(`${count(event.total_active_users)} on the site`);
  if (event.new_users_per_minute !== null)
    parts.push(`${count(event.new_users_per_minute)} a minute`);
  if (event.session_duration !== null) parts.push(`visits of ${event.session_duration} min`);
  if (event.queueing_method !== null) parts.push(`queueing: ${event.queueing_method}`);
  return parts.length === 0 ? ["the room's own settings"] : parts;
};

/** What the dialog of an event is filled in with. */
export interface EventDraft {
  readonly name: string;
  readonly startsAt: number | null;
  readonly endsAt: number | null;
  readonly prequeueAt: number | null;
  readonly shuffle: boolean;
  readonly permits: number | null;
  readonly perMinute: number | null;
  readonly suspended: boolean;
}

const instantText = (at: number | null): string | null =>
  at === null ? null : new Date(at).toISOString();

/** As the API takes it, or what is wrong with it as it stands. */
export const eventBody = (
  draft: EventDraft,
): { readonly body: object } | { readonly problem: string } => {
  if (!/^[\w-]{1,64}$/.test(draft.name))
    return { problem: "The name takes letters, digits, - and _, 64 at most." };
  if (draft.startsAt === null || draft.endsAt === null)
    return { problem: "An event needs a start and an end." };
  if (draft.endsAt <= draft.startsAt) return { problem: "The end must come after the start." };
  if (draft.shuffle && draft.prequeueAt === null)
    return { problem: "An order is drawn among those of a prequeue: say when that begins." };
  if ((draft.permits === null) !== (draft.perMinute === null))
    return { problem: "Both limits are the event's, or neither." };
  return {
    body: {
      name: draft.name,
      event_start_time: instantText(draft.startsAt),
      event_end_time: instantText(draft.endsAt),
      prequeue_start_time: instantText(draft.prequeueAt),
      shuffle_at_event_start: draft.shuffle,
      suspended: draft.suspended,
      total_active_users: draft.permits,
      new_users_per_minute: draft.perMinute,
    },
  };
};
