import { isOver } from "../../core/time.ts";
import type { VisitReply, VisitView } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import type { Soon } from "../soon.ts";
import type { HeldPass } from "../tokens/claims.ts";
import type { Guarded } from "./guarded.ts";

/** A pass older than this part of its life is renewed beside the request that brings it. */
const DUE_AFTER = 0.1;
/** A strict room's request waits for the Room no longer than this. */
const STRICT_WAIT_MS = 2_000;

/**
 * What the pass in hand is worth.
 * none: there is none · ended: it was one · live: good for this request, `isDue` for renewal ·
 * revived: it had expired, but its visit lives · unknown: nobody can say just now
 */
export type Standing =
  | { readonly kind: "none" }
  | { readonly kind: "ended"; readonly pass: HeldPass }
  | { readonly kind: "live"; readonly pass: HeldPass; readonly isDue: boolean }
  | { readonly kind: "revived"; readonly pass: HeldPass; readonly visit: VisitView }
  | { readonly kind: "unknown"; readonly pass: HeldPass };

/** Costs no object call while the pass is live and the room is not strict. */
export const standingOf = (guarded: Guarded): Soon<Standing> => {
  const { view, room, inHand } = guarded;
  const { pass } = inHand;
  if (pass === null) return { kind: "none" };
  if (view.snapshot !== null && pass.epoch < view.snapshot.epoch) return { kind: "ended", pass };
  if (view.hasEnded(pass.visit)) return { kind: "ended", pass };
  if (view.state === "lost" || (room.strict && view.state !== "fresh"))
    return { kind: "unknown", pass };
  if (isOver(pass.until, view.now)) return revive(guarded, pass);
  if (room.strict) return askTheRoom(guarded, pass);
  return { kind: "live", pass, isDue: isDue(guarded, pass) };
};

const isDue = ({ view, room }: Guarded, pass: HeldPass): boolean => {
  if (pass.provisional) return true;
  if (!room.limits.leaseRenews) return false;
  return view.now - pass.mintedAt > (pass.until - pass.mintedAt) * DUE_AFTER;
};

/** An authentic pass that has expired is not refused unheard: the Room is asked, once. */
const revive = async (guarded: Guarded, pass: HeldPass): Promise<Standing> => {
  const { isolate, arrival, room } = guarded;
  const reply = await isolate.renewals.renew(arrival, room, pass);
  if (reply === null) return { kind: "unknown", pass };
  if (reply.kind === "visit") return { kind: "revived", pass, visit: reply.visit };
  isolate.views.sawEnd(room, pass.visit);
  return { kind: "ended", pass };
};

/** Strict rooms believe nobody but the Room. */
const askTheRoom = async (guarded: Guarded, pass: HeldPass): Promise<Standing> => {
  const { isolate, arrival, room } = guarded;
  const look = () => arrival.env.ROOM.getByName(room.id).look(pass.visit);
  const reply = await callObject<VisitReply>(isolate.ports, look, STRICT_WAIT_MS).catch(() => null);
  if (reply === null) return { kind: "unknown", pass };
  if (reply.kind === "visit") return { kind: "live", pass, isDue: isDue(guarded, pass) };
  isolate.views.sawEnd(room, pass.visit);
  return { kind: "ended", pass };
};
