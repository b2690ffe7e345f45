/** The opening of a sale, as the Room knows it: one planned event, and its draw. */
import type { EventId } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import { after, type InstantMs } from "../time.ts";
import type { Sale } from "./sale.ts";

const EVENT = "sale" as EventId;

/** What the Room is told to begin with: limits of its own, and what its event makes of them. */
export const configurationOf = (
  { limits, opening }: Sale,
  begin: InstantMs,
): { readonly limits: Sale["limits"]; readonly events: readonly PlannedEvent[] } => {
  if (opening === null) return { limits, events: [] };
  const { prequeueMs, isDrawn, ends } = opening;
  const startsAt = after(begin, prequeueMs);
  const { permitsMax, startsPerMinuteMax, leaseMs, leaseRenews, order } = limits;
  const event: PlannedEvent = {
    id: EVENT,
    name: EVENT,
    prequeueAt: prequeueMs === 0 ? null : begin,
    startsAt,
    endsAt: after(startsAt, ends?.afterMs ?? FOR_EVER_MS),
    suspended: false,
    shuffle: isDrawn,
    overrides: {
      ...{ permitsMax, startsPerMinuteMax, leaseMs, leaseRenews },
      queueingMethod: order === "random" ? "random" : "fifo",
    },
    draw: isDrawn
      ? {
          ...{ secret: "5a".repeat(32), commitment: "", announcedAt: begin },
          promised: { from: "witnesses" },
        }
      : null,
  };
  return { limits: ends?.limits ?? limits, events: [event] };
};

/** Longer than any sale is lived through. */
const FOR_EVER_MS = 365 * 86_400_000;

/** The public value of its draw. Another seed has another order. */
export const publicValueOf = ({ seed }: Sale) => ({
  type: "draw" as const,
  event: EVENT,
  value: { from: "witnesses" as const, text: `seed ${seed}` },
});
