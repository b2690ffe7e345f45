/** The opening of a sale, as the Room knows it: one planned event, and its draw. */
import { QUICKNET, roundForStart } from "../draw/drand-chain.ts";
import { hex } from "../hex.ts";
import type { EventId } from "../events/event.ts";
import type { PlannedEvent } from "../events/planned.ts";
import type { RoundWanted } from "../room/draw-state.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import type { Command } from "../room/commands.ts";
import type { Sale } from "./sale.ts";

const EVENT = "sale" as EventId;

/** What the Room is told to begin with: limits of its own, and what its event makes of them. */
export const configurationOf = (
  { limits, opening }: Sale,
  begin: InstantMs,
): { readonly limits: Sale["limits"]; readonly events: readonly PlannedEvent[] } => {
  if (opening === null) return { limits, events: [] };
  const { prequeueMs, isDrawn, valueAfterMs, ends } = opening;
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
          promised:
            valueAfterMs === undefined
              ? { from: "drand", chain: QUICKNET, round: roundForStart(QUICKNET, startsAt) }
              : { from: "witnesses" },
        }
      : null,
  };
  return { limits: ends?.limits ?? limits, events: [event] };
};

/** Longer than any sale is lived through. */
const FOR_EVER_MS = 365 * 86_400_000;

/**
 * The public value of its draw, once it can be known; another seed has another order.
 * @param wanted the round that the Room asked for
 */
export const publicValueOf = (
  { seed, opening }: Sale,
  begin: InstantMs,
  wanted: RoundWanted | null,
  now: InstantMs,
): Extract<Command, { type: "draw" }> | null => {
  const { prequeueMs = 0, valueAfterMs } = opening ?? {};
  if (valueAfterMs !== undefined)
    return isOver(after(begin, prequeueMs + valueAfterMs), now)
      ? { type: "draw", event: EVENT, value: { from: "witnesses", text: `seed ${seed}` } }
      : null;
  if (wanted === null) return null;
  const signature = hex(new TextEncoder().encode(`seed ${seed}`));
  const { event, round } = wanted;
  return {
    type: "draw",
    event,
    value: { from: "drand", round, signature, previousSignature: null },
  };
};
