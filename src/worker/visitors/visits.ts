/** Visits in the visitors' API: claimed, asked for, renewed, ended. */
import { rfc3339 } from "../../core/time.ts";
import type { VisitReply, VisitView } from "../../durable/contract.ts";
import type { GateContext } from "../admission/context.ts";
import { endedVisit } from "../admission/ended-visit.ts";
import { apiBase } from "../admission/ticket-resource.ts";
import { claimTurn } from "../admission/join.ts";
import { learnEnd } from "../admission/lost-visit.ts";
import { endVisit } from "../admission/pass-on.ts";
import { wholeSeconds } from "../admission/queue.ts";
import { tellStep } from "../admission/story.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { PassClaims } from "../tokens/claims.ts";
import { answerJson, answerNothing, refuse } from "./our-room.ts";
import { handOut, refuseBy } from "./tickets.ts";

/** `POST …/visits`: claims the turn, and counts as a poll. Claiming ends the ticket. */
export const postVisit = async (context: GateContext): Promise<Response> => {
  const { ticket, pass } = context.presented;
  if (ticket === null)
    return pass === null ? refuse(context, "no-ticket") : claimAgain(context, pass);
  const claim = await claimTurn(context, ticket);
  switch (claim.kind) {
    case "visit": {
      const { issued, room } = context;
      const token = await issued.pass(ticket.lobby, claim.visit);
      issued.clear("ticket");
      const location = `${apiBase(room)}/visits/mine`;
      const body = claimResource(context, claim.visit, token);
      return answerJson(
        context,
        claim.isNew ? 201 : 200,
        body,
        claim.isNew ? { Location: location } : {},
      );
    }
    case "not-yet": {
      const resource = await handOut(context, ticket, claim.view);
      const body = { ...resource, retry_after_ms: claim.retryAfterMs };
      return answerJson(context, 202, body, {
        "Retry-After": String(wholeSeconds(claim.retryAfterMs)),
      });
    }
    case "ended":
      context.issued.clear("ticket");
      return refuse(context, "ended");
    case "refused":
      return refuseBy(context, claim.refusal, claim.retryAfterMs);
    default:
      return claim satisfies never;
  }
};

/** `GET …/visits/mine`: how long the visit lasts. Looking renews nothing. */
export const getVisit = async (context: GateContext): Promise<Response> => {
  const { isolate, arrival } = context;
  const { pass } = context.presented;
  if (pass === null) return refuse(context, "no-visit");
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, context.room, pass.lobby).peek(pass.visit),
  );
  return reply.kind === "visit" && isOfThisEpoch(context, pass)
    ? answerJson(context, 200, visitResource(context, reply.visit))
    : ended(context, pass, reply);
};

/** `PATCH …/visits/mine`: renews the lease. */
export const patchVisit = async (context: GateContext): Promise<Response> => {
  const { isolate, arrival } = context;
  const { pass } = context.presented;
  if (pass === null) return refuse(context, "no-visit");
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, context.room, pass.lobby).renew(pass.visit),
  );
  if (reply.kind === "ended" || !isOfThisEpoch(context, pass)) return ended(context, pass, reply);
  await context.issued.pass(pass.lobby, reply.visit);
  return answerJson(context, 200, visitResource(context, reply.visit));
};

/** `DELETE …/visits/mine`: I am done; the permit goes to the head of the line. */
export const deleteVisit = async (context: GateContext): Promise<Response> => {
  const { isolate } = context;
  const { pass } = context.presented;
  if (pass !== null) {
    await endVisit(context, pass, 0);
    tellStep(context, "visit-finished", pass.visit);
    isolate.views.sawEnd(context.room, pass.visit);
  }
  context.issued.clear("pass");
  return answerNothing(context);
};

/** The ticket is spent already: the pass says by which visit. */
const claimAgain = async (context: GateContext, pass: PassClaims): Promise<Response> => {
  const { isolate, arrival } = context;
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, context.room, pass.lobby).peek(pass.visit),
  );
  if (reply.kind === "ended" || !isOfThisEpoch(context, pass)) return ended(context, pass, reply);
  const token = await context.issued.pass(pass.lobby, reply.visit);
  return answerJson(context, 200, claimResource(context, reply.visit, token));
};

const isOfThisEpoch = ({ view }: GateContext, pass: PassClaims): boolean =>
  view.snapshot === null || pass.epoch >= view.snapshot.epoch;

const ended = (context: GateContext, pass: PassClaims, reply: VisitReply): Response => {
  if (reply.kind === "ended") learnEnd(context, pass, reply);
  else context.isolate.views.sawEnd(context.room, pass.visit);
  const how = endedVisit(context);
  context.issued.clear("pass");
  return refuse(context, "ended", null, how === null ? {} : { ended: how });
};

const claimResource = (context: GateContext, visit: VisitView, pass: string | null) => ({
  ...visitResource(context, visit),
  pass,
});

const visitResource = (context: GateContext, visit: VisitView) => ({
  room: context.room.name,
  visit: visit.visit,
  lease_until: rfc3339(visit.leaseUntil),
  ends_at: visit.endsAt === null ? null : rfc3339(visit.endsAt),
});
