import { isOver } from "../../core/time.ts";
import type { VisitEnd, VisitReply } from "../../durable/contract.ts";
import { isSpeculative } from "../arrival/caller.ts";
import { callObject, UnreachableError } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { PassClaims } from "../tokens/claims.ts";
import type { GateContext } from "./context.ts";

/** The visit of this pass is over: the isolate remembers how, and the log tells it once. */
export const learnEnd = (
  { isolate, arrival, room, view }: GateContext,
  pass: PassClaims,
  reply: Extract<VisitReply, { kind: "ended" }>,
): void => {
  const isFirst = view.endOf(pass.visit) === undefined;
  const end: VisitEnd | null = reply.end ?? null;
  isolate.views.sawEnd(room, pass.visit, end);
  if (!isFirst) return;
  isolate.ports.log({
    level: "info",
    event: "visit-over",
    reference: arrival.reference,
    room: room.name,
    visit: pass.visit,
    why: end?.reason ?? "unknown",
  });
};

/**
 * A visitor who has to wait after a visit is told how it ended. Mostly the Room has said so
 * already, or the snapshot tells that all visits ended; about any other pass the Room is asked,
 * once.
 */
export const learnHowItEnded = async (context: GateContext, pass: PassClaims): Promise<void> => {
  const { isolate, arrival, room, view, kind } = context;
  if (view.endOf(pass.visit) !== undefined || view.snapshot?.mode === "open") return;
  if (kind === "subresource" || isSpeculative(arrival.request)) return;
  const revoked = revokedWithAll(context, pass);
  if (revoked !== null) return learnEnd(context, pass, { kind: "ended", end: revoked });
  try {
    const look = () => lobbyOf(arrival, room, pass.lobby).peek(pass.visit);
    const reply = await callObject<VisitReply>(isolate.ports, look);
    if (reply.kind === "ended") learnEnd(context, pass, reply);
  } catch (error) {
    // The queue's answer can do without it.
    if (!(error instanceof UnreachableError)) throw error;
  }
};

/**
 * The visit ended with all others, and its pass was good then. Many come back at once, so no object
 * is asked.
 */
const revokedWithAll = ({ view }: GateContext, pass: PassClaims): VisitEnd | null => {
  const { epoch = 0, epochAt = null } = view.snapshot ?? {};
  if (epochAt === null || pass.epoch !== epoch - 1 || isOver(pass.until, epochAt)) return null;
  return { reason: "revoked", at: epochAt, afterMs: null };
};
