import { canPassLastUntil } from "../../core/token-lives.ts";
import { isOver } from "../../core/time.ts";
import type { VisitReply, VisitView } from "../../durable/contract.ts";
import { callObject } from "../isolate/call-object.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { PassClaims } from "../tokens/claims.ts";
import type { GateContext } from "../admission/context.ts";
import { learnEnd } from "../admission/lost-visit.ts";
import { roomObject } from "../platform/room-object.ts";

/** A pass older than this part of its life is renewed beside the request that brings it. */
const DUE_AFTER = 0.1;
/** A strict room's request waits for the Room no longer than this. */
const STRICT_WAIT_MS = 2_000;

/**
 * What the pass that a request brings is worth. none: it brings none · ended: its visit is over ·
 * live: good for this request, `isDue` for renewal · revived: it had expired, but its visit lives ·
 * unknown: no object can say just now
 */
export type PassStanding =
  | { readonly kind: "none" }
  | { readonly kind: "ended"; readonly pass: PassClaims }
  | { readonly kind: "live"; readonly pass: PassClaims; readonly isDue: boolean }
  | { readonly kind: "revived"; readonly pass: PassClaims; readonly visit: VisitView }
  | { readonly kind: "unknown"; readonly pass: PassClaims };

/** Costs no object call while the pass is live and the room is not strict. */
export const standingOf = (context: GateContext): MaybePromise<PassStanding> => {
  const { view, room, presented } = context;
  const { pass } = presented;
  if (pass === null) return { kind: "none" };
  if (view.snapshot !== null && pass.epoch < view.snapshot.epoch) return { kind: "ended", pass };
  if (view.hasEnded(pass.visit)) return { kind: "ended", pass };
  if (view.state === "lost" || (room.strict && view.state !== "fresh"))
    return { kind: "unknown", pass };
  // Whatever it claims, no pass is believed for longer than passes live.
  if (isOver(pass.until, view.now) || !canPassLastUntil(pass.until, view.now))
    return revive(context, pass);
  if (room.strict) return askTheRoom(context, pass);
  return { kind: "live", pass, isDue: isDue(context, pass) };
};

const isDue = ({ view, room }: GateContext, pass: PassClaims): boolean => {
  if (pass.provisional) return true;
  if (!room.limits.leaseRenews) return false;
  return view.now - pass.mintedAt > (pass.until - pass.mintedAt) * DUE_AFTER;
};

/** An authentic pass that has expired is not refused unheard: the Room is asked, once. */
const revive = async (context: GateContext, pass: PassClaims): Promise<PassStanding> => {
  const { isolate, arrival, room } = context;
  const reply = await isolate.renewals.renew(arrival, room, pass);
  if (reply === null) return { kind: "unknown", pass };
  if (reply.kind === "visit") return { kind: "revived", pass, visit: reply.visit };
  learnEnd(context, pass, reply);
  return { kind: "ended", pass };
};

/** In a strict room the Room itself is asked at each request. */
const askTheRoom = async (context: GateContext, pass: PassClaims): Promise<PassStanding> => {
  const { isolate, arrival, room } = context;
  const look = () => roomObject(arrival.env, room).peek(pass.visit);
  const reply = await callObject<VisitReply>(isolate.ports, look, STRICT_WAIT_MS).catch(() => null);
  if (reply === null) return { kind: "unknown", pass };
  if (reply.kind === "visit") return { kind: "live", pass, isDue: isDue(context, pass) };
  learnEnd(context, pass, reply);
  return { kind: "ended", pass };
};
