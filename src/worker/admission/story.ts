import type { TicketNumber } from "../../core/ids.ts";
import type { GateContext } from "./context.ts";

/** What a visitor's way is made of, as the log tells it. */
type StoryEvent =
  | "ticket-taken"
  | "place-left"
  | "visit-began"
  | "visit-finished"
  | "visit-released";

/**
 * Logs one step of a visitor's way, under the reference that the page shows. A visit is named by
 * its number.
 */
export const tellStep = (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  event: StoryEvent,
  number: TicketNumber,
): void =>
  isolate.ports.log({
    level: "info",
    event,
    reference: arrival.reference,
    room: room.name,
    number,
  });
