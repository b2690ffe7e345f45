import type { TicketNumber } from "../../core/ids.ts";
import type { GateContext } from "./context.ts";

/** What a visitor's way is made of, as the log tells it. */
type Step = "ticket-taken" | "place-left" | "visit-began" | "visit-finished" | "visit-released";

/** One line of a visitor's way, under the reference that its page shows. A visit has its number's name. */
export const tellStep = (
  { isolate, arrival, room }: Pick<GateContext, "isolate" | "arrival" | "room">,
  event: Step,
  number: TicketNumber,
): void =>
  isolate.ports.log({
    level: "info",
    event,
    reference: arrival.reference,
    room: room.name,
    number,
  });
