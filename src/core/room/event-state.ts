/** What a Room keeps of its events. How they come and go is in events.ts. */
import type { EventSeen } from "../alerts/watch.ts";
import type { EventId, EventPhase } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import type { TicketNumber } from "../ids.ts";
import { instant, type InstantMs } from "../time.ts";

/** How far the event that is on has come. */
export interface EventProgress {
  readonly id: EventId;
  readonly phase: EventPhase;
  /** The first number that was to be issued when the event began. */
  readonly first: TicketNumber;
  /** Its numbers were closed for the draw once; they never are again. */
  readonly isClosed: boolean;
}

/** Numbers that are closed, from the start of their event until their order is drawn. */
export interface Drawing {
  readonly event: EventId;
  readonly first: TicketNumber;
  readonly last: TicketNumber;
  readonly closedAt: InstantMs;
  /** Without a public value by then there is no more to wait for. */
  readonly until: InstantMs;
}

/** One row: written when the list changes and when a phase does. */
export interface StoredEvents {
  readonly list: readonly PlannedEvent[];
  readonly current: EventProgress | null;
  readonly drawing: Drawing | null;
}

/** What is planned, and what is on. */
export interface EventPlan {
  list: readonly PlannedEvent[];
  current: EventProgress | null;
  /** The next moment at which a phase changes; null when none will. */
  changesAt: InstantMs | null;
  isUnsaved: boolean;
}

/** As it was written: what has become of it since, the first step finds out. */
export const restorePlan = (stored: StoredEvents | null): EventPlan => ({
  list: stored?.list ?? [],
  current: stored?.current ?? null,
  changesAt: stored === null || stored.list.length === 0 ? null : instant(0),
  isUnsaved: false,
});

/** The event that is on, as the watch tells of it. */
export const eventSeen = ({ list, current }: EventPlan): EventSeen | null => {
  if (current === null) return null;
  const name = list.find(({ id }) => id === current.id)?.name ?? "";
  return { id: current.id, name, phase: current.phase };
};
