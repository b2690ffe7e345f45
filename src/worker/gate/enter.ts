/**
 * Carries out what the core decides for a request without a live pass: enter, wait, or be shown the
 * page.
 */
import { decideAtDoor, decidePlace, isFirstContact } from "../../core/gate/decide.ts";
import type { PlaceDecision } from "../../core/gate/decide.ts";
import type { ClaimReply, EnterReply, TicketClaims } from "../../durable/contract.ts";
import { addressKey } from "../tokens/address-key.ts";
import { pickLobby } from "../isolate/room-views.ts";
import { newIdentity } from "../tokens/issued.ts";
import type { Identity } from "../tokens/presented.ts";
import type { GateContext } from "../admission/context.ts";
import { claimTurn, heldTicket, takeTicket } from "../admission/join.ts";
import type { TakenTicket } from "../admission/join.ts";
import { askToEnter } from "../admission/enter-call.ts";
import { askWhere } from "../admission/where-call.ts";
import { awaitMoment } from "../admission/moment.ts";
import { passOn } from "../admission/pass-on.ts";
import type { VisitRef } from "../admission/pass-on.ts";
import {
  answerNewcomer,
  answerRefused,
  answerRefusedAtDoor,
  answerWaiting,
  answerWithout,
} from "../admission/queue.ts";
import { tellStep } from "../admission/story.ts";
import { strangerComesBack, WAITING_SECONDS } from "../admission/stranger.ts";
import { asksOf } from "../strangers/asks.ts";
import type { Asks } from "../strangers/asks.ts";
import { enterTransiently } from "../requests/one-request.ts";

/** What happens to a request without a live pass while the room can be reached. */
export const enterOrQueue = async (context: GateContext): Promise<Response> => {
  if (isFirstContact(context) && context.presented.pass === null)
    context.isolate.views.tallyOf(context.room).arrived();
  let decision = decideAtDoor(context);
  if (decision.kind === "enter") {
    const answer = await enterAtOnce(context, decision.stays);
    if (answer instanceof Response) return answer;
    if (answer.kind === "refused")
      return answerRefusedAtDoor(context, answer.refusal, answer.retryAfterMs);
    decision = decidePlace(context);
  }
  const turn = await waitingOrTurn(context, decision);
  return turn instanceof Response ? turn : begin(context, turn);
};

/** The page, or its like, for a visitor who waits; the visit for one whose turn it is. */
export const waitingOrTurn = async (
  context: GateContext,
  decision: PlaceDecision,
): Promise<Response | VisitRef> => {
  const { identity, ticket } = context.presented;
  if (decision.kind === "without-place") return answerWithout(context);
  if (decision.kind === "tell-place" && ticket !== null) return tellWhere(context, ticket);
  if (decision.kind !== "take-place" || identity === null) return answerNewcomer(context);
  const asks = asksOf(context.room, context.arrival.env);
  const taken =
    asks === null ? await takeTicket(context, identity) : await placeOf(context, asks, identity);
  if (!("reply" in taken)) return taken;
  const { who, reply } = taken;
  if (reply.kind === "refused") return answerRefused(context, reply.refusal, reply.retryAfterMs);
  const { state } = reply.view;
  if (state !== "called" && state !== "visiting") return answerWaiting(context, who, reply.view);
  return turnOf(context, who, await claimTurn(context, heldTicket(reply.view, who)));
};

/** Where a room asks something of strangers: a place that is held already, or one that was waited for. */
const placeOf = async (
  context: GateContext,
  asks: Asks,
  identity: Identity,
): Promise<TakenTicket | Response | VisitRef> => {
  const { ticket } = context.presented;
  if (ticket !== null) {
    const reply = await askWhere(context, ticket);
    if (reply.kind === "ticket") return { who: ticket, reply: { ...reply, isNew: false } };
    if (reply.kind === "refused") return { who: ticket, reply };
    // Claimed before, maybe, by a request whose answer was lost.
    return turnOf(context, ticket, await claimTurn(context, ticket));
  }
  if (strangerComesBack(context, asks) === "ticket") return takeTicket(context, identity);
  return answerWithout(context, { retryAfterSeconds: WAITING_SECONDS });
};

/** Admitted in the same request: a document or a known visitor for a visit, others for this answer. */
const enterAtOnce = async (
  context: GateContext,
  stays: "for-visit" | "for-answer",
): Promise<Response | Exclude<EnterReply, { kind: "visit" }>> => {
  const { isolate, arrival, room, view, presented, issued } = context;
  const who =
    presented.identity ??
    newIdentity(isolate.ports, pickLobby(isolate, view.snapshot, arrival, room), presented.pass);
  if (stays === "for-answer") return enterTransiently(context, who);
  arrival.isOf(who.visitor);
  const address = await addressKey(context.deployment.keys, arrival, room);
  const reply = await askToEnter(context, who.lobby, {
    visitor: who.visitor,
    transient: false,
    number: presented.ticket?.number ?? null,
    ...(presented.ticket === null ? {} : { joinedAt: presented.ticket.joinedAt }),
    address,
  });
  if (reply.kind !== "visit") return reply;
  tellStep(context, "visit-began", reply.visit.visit);
  await issued.pass(who.lobby, reply.visit);
  if (presented.ticket !== null) issued.clear("ticket");
  return begin(context, { visit: reply.visit.visit, lobby: who.lobby });
};

const begin = async (context: GateContext, visitRef: VisitRef): Promise<Response> =>
  (await awaitMoment(context, visitRef.lobby)) ?? passOn(context, visitRef);

const tellWhere = async (context: GateContext, ticket: TicketClaims): Promise<Response> => {
  const reply = await askWhere(context, ticket);
  if (reply.kind === "ticket") return answerWaiting(context, ticket, reply.view);
  if (reply.kind === "refused") return answerRefused(context, reply.refusal, reply.retryAfterMs);
  context.issued.clear("ticket");
  return answerWithout(context);
};

const turnOf = async (
  context: GateContext,
  who: Identity,
  claim: ClaimReply,
): Promise<Response | VisitRef> => {
  const { issued } = context;
  switch (claim.kind) {
    case "visit":
      await issued.pass(who.lobby, claim.visit);
      issued.clear("ticket");
      return { visit: claim.visit.visit, lobby: who.lobby };
    case "not-yet":
      return answerWaiting(context, who, claim.view, claim.retryAfterMs);
    case "ended":
      // Its last moment passed between the two questions; the next contact takes a new ticket.
      issued.clear("ticket");
      return answerWithout(context);
    case "refused":
      return answerRefused(context, claim.refusal, claim.retryAfterMs);
    default:
      return claim satisfies never;
  }
};
