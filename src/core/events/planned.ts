/** What a Room needs of its events: when, and with which limits. No page, no text. */
import type { RoomDefinition, RoomLimits } from "../definition.ts";
import { limitsDuring, type Overriding } from "./during.ts";
import type { EventId, EventPhase, RoomEvent } from "./event.ts";

export interface PlannedEvent
  extends
    Overriding,
    Pick<RoomEvent, "id" | "name" | "prequeueAt" | "startsAt" | "endsAt" | "suspended" | "draw"> {}

const plannedEvent = (event: RoomEvent): PlannedEvent => {
  const { id, name, prequeueAt, startsAt, endsAt, suspended, shuffle, draw } = event;
  const { permitsMax, startsPerMinuteMax, leaseMs, leaseRenews, queueingMethod } = event.overrides;
  const overrides = { permitsMax, startsPerMinuteMax, leaseMs, leaseRenews, queueingMethod };
  return { id, name, prequeueAt, startsAt, endsAt, suspended, shuffle, draw, overrides };
};

export const plannedEventsOf = ({
  events,
}: Pick<RoomDefinition, "events">): readonly PlannedEvent[] =>
  (events?.list ?? []).map(plannedEvent);

/** The limits in effect: the room's own, or what the event that is on makes of them. */
export const limitsInEffect = (
  own: RoomLimits,
  list: readonly PlannedEvent[],
  current: { readonly id: EventId; readonly phase: EventPhase } | null,
): RoomLimits => {
  const event = current === null ? undefined : list.find(({ id }) => id === current.id);
  if (current === null || event === undefined) return own;
  return limitsDuring(own, event, current.phase);
};
