import { isOver, after, MINUTE_MS, rfc3339, SECOND_MS } from "../../core/time.ts";
import type { EndReason, VisitEnd } from "../../durable/contract.ts";
import type { GateContext } from "./context.ts";
import type { PassClaims } from "../tokens/claims.ts";

/** How the visit ended whose pass a request still brings, as API clients read it. */
export interface EndedVisitResource {
  /** `unknown`: the Room has forgotten how it ended. */
  readonly reason: EndReason | "unknown";
  /** RFC 3339; null where the reason is unknown. */
  readonly at: string | null;
  /** The time that ran out: without activity, or of the whole visit. Null where that is not sure. */
  readonly after_seconds: number | null;
  /** When this pass was last renewed: then the visit still lived. */
  readonly heard_at: string;
}

/** Visits that ended longer ago are not told of: they are not why the visitor waits. */
const TOLD_FOR_MS = 60 * MINUTE_MS;
/** Instants this close count as one: the lobby that renewed a lease reads its own clock. */
const SAME_MOMENT_MS = SECOND_MS;

/** Null where there was none, where it lives as far as is known, and where it ended long ago. */
export const endedVisit = ({ presented, view, room }: GateContext): EndedVisitResource | null => {
  const { pass } = presented;
  if (pass === null || isOver(after(pass.until, TOLD_FOR_MS), view.now)) return null;
  const isOfAnEarlierEpoch = view.snapshot !== null && pass.epoch < view.snapshot.epoch;
  if (!isOfAnEarlierEpoch && !view.hasEnded(pass.visit)) return null;
  const end = view.endOf(pass.visit) ?? null;
  const heardAt = rfc3339(pass.mintedAt);
  if (end === null) return { reason: "unknown", at: null, after_seconds: null, heard_at: heardAt };
  const afterMs = end.reason === "inactive" ? idleMs(end, pass, room.limits.leaseMs) : end.afterMs;
  return {
    reason: end.reason,
    at: rfc3339(end.at),
    after_seconds: afterMs === null ? null : Math.round(afterMs / SECOND_MS),
    heard_at: heardAt,
  };
};

/** Only if the pass was the last to be renewed, and the setting is still what it was then. */
const idleMs = ({ at }: VisitEnd, { mintedAt }: PassClaims, leaseMs: number): number | null =>
  Math.abs(at - mintedAt - leaseMs) <= SAME_MOMENT_MS ? leaseMs : null;
