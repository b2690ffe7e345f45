/** What is going on in a room, as visitors are told: in the ticket, over the socket, in the page. */
import type { CurrentEvent, EventPhase } from "./event.ts";
import { rfc3339 } from "../time.ts";

export interface EventResource {
  readonly id: string;
  readonly name: string;
  readonly phase: EventPhase;
  /** RFC 3339. */
  readonly starts_at: string;
  readonly ends_at: string;
  readonly shuffle: boolean;
}

export const eventResource = (event: CurrentEvent): EventResource => ({
  id: event.id,
  name: event.name,
  phase: event.phase,
  starts_at: rfc3339(event.startsAt),
  ends_at: rfc3339(event.endsAt),
  shuffle: event.shuffle,
});

/** The member `event` of an answer; none while nothing is going on. */
export const eventIn = (
  told: { readonly event?: CurrentEvent } | null,
): { readonly event?: EventResource } =>
  told?.event === undefined ? {} : { event: eventResource(told.event) };
