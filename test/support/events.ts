import type { EventId, EventOverrides, RoomEvent } from "../../src/core/events/event.ts";
import { instant, type InstantMs } from "../../src/core/time.ts";

const NO_OVERRIDES: EventOverrides = {
  permitsMax: null,
  startsPerMinuteMax: null,
  leaseMs: null,
  leaseRenews: null,
  queueingMethod: null,
  customPageHtml: null,
  turnstileMode: null,
  turnstileAction: null,
};

const given = (at: InstantMs): string => new Date(at).toISOString();

interface Planned extends Partial<Omit<RoomEvent, "id" | "overrides" | "given">> {
  readonly id?: number;
  readonly overrides?: Partial<EventOverrides>;
}

export const eventId = (id: number): EventId => id.toString(16).padStart(32, "0") as EventId;

/** An event of an hour, without a prequeue and overrides, unless a test names them. */
export const roomEvent = (startsAt: number, more: Planned = {}): RoomEvent => {
  const event = {
    name: "sale",
    description: "",
    createdAt: instant(0),
    modifiedAt: instant(0),
    prequeueAt: null,
    startsAt: instant(startsAt),
    endsAt: instant(startsAt + 3_600_000),
    suspended: false,
    shuffle: false,
    draw: null,
    ...more,
    id: eventId(more.id ?? 1),
    overrides: { ...NO_OVERRIDES, ...more.overrides },
  };
  const { prequeueAt: prequeue, startsAt: start, endsAt: end } = event;
  return {
    ...event,
    given: {
      prequeue: prequeue === null ? null : given(prequeue),
      start: given(start),
      end: given(end),
    },
  };
};
