/** An event as the API shows it. Of a draw's secret nothing is in it. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { EventOverrides, RoomEvent } from "../../core/events/event.ts";
import { rfc3339 } from "../../core/time.ts";

const MINUTE = 60_000;

/** An event as the API answers it: what it does not set is null. */
export const eventResource = (event: RoomEvent) => ({
  id: event.id,
  created_on: rfc3339(event.createdAt),
  modified_on: rfc3339(event.modifiedAt),
  name: event.name,
  description: event.description,
  prequeue_start_time: event.given.prequeue,
  event_start_time: event.given.start,
  event_end_time: event.given.end,
  suspended: event.suspended,
  shuffle_at_event_start: event.shuffle,
  ...overridesResource(event.overrides),
  seiriken: { draw: event.draw?.promised.from ?? null },
});

export type PlannedEventResource = ReturnType<typeof eventResource>;

const overridesResource = (overrides: EventOverrides) => ({
  total_active_users: overrides.permitsMax,
  new_users_per_minute: overrides.startsPerMinuteMax,
  session_duration: overrides.leaseMs === null ? null : overrides.leaseMs / MINUTE,
  disable_session_renewal: overrides.leaseRenews === null ? null : !overrides.leaseRenews,
  queueing_method: overrides.queueingMethod,
  custom_page_html: overrides.customPageHtml,
  turnstile_mode: overrides.turnstileMode,
  turnstile_action: overrides.turnstileAction,
});

/** The event as if it were on: what it does not set is the room's. */
export const eventDetails = (event: RoomEvent, room: RoomDefinition) => {
  const { limits, kept } = room;
  const { overrides } = event;
  const own = (field: string): string | null =>
    typeof kept[field] === "string" ? kept[field] : null;
  const effective: EventOverrides = {
    permitsMax: overrides.permitsMax ?? limits.permitsMax,
    startsPerMinuteMax: overrides.startsPerMinuteMax ?? limits.startsPerMinuteMax,
    leaseMs: overrides.leaseMs ?? limits.leaseMs,
    leaseRenews: overrides.leaseRenews ?? limits.leaseRenews,
    queueingMethod: overrides.queueingMethod ?? room.queueingMethod,
    customPageHtml: overrides.customPageHtml ?? own("custom_page_html"),
    turnstileMode: overrides.turnstileMode ?? own("turnstile_mode"),
    turnstileAction: overrides.turnstileAction ?? own("turnstile_action"),
  };
  return { ...eventResource(event), ...overridesResource(effective) };
};
