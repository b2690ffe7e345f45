import type { Context } from "hono";
import { rfc3339 } from "../../core/time.ts";
import type { VisitView } from "../../durable/contract.ts";
import { apiBase } from "../answers/ticket-resource.ts";
import { claimTurn } from "../gate/join.ts";
import { endVisit } from "../gate/pass-on.ts";
import { wholeSeconds } from "../gate/queue.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { HeldPass } from "../tokens/claims.ts";
import { answerJson, answerNothing, refuse } from "./our-room.ts";
import type { RoomContext } from "./our-room.ts";
import { handOut, refuseBy } from "./tickets.ts";

/** `POST …/visits`: claims the turn, and counts as a poll. Claiming ends the ticket. */
export const postVisit = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { ticket, pass } = guarded.inHand;
  if (ticket === null) return pass === null ? refuse(c, "no-ticket") : claimAgain(c, pass);
  const claim = await claimTurn(guarded, ticket);
  switch (claim.kind) {
    case "visit": {
      const { handout, room } = guarded;
      const token = await handout.pass(ticket.lobby, claim.visit);
      handout.clear("ticket");
      const location = `${apiBase(room)}/visits/mine`;
      const body = claimResource(c, claim.visit, token);
      return answerJson(
        c,
        claim.isNew ? 201 : 200,
        body,
        claim.isNew ? { Location: location } : {},
      );
    }
    case "not-yet": {
      const resource = await handOut(c, ticket, claim.view);
      const body = { ...resource, retry_after_ms: claim.retryAfterMs };
      return answerJson(c, 202, body, { "Retry-After": String(wholeSeconds(claim.retryAfterMs)) });
    }
    case "ended":
      guarded.handout.clear("ticket");
      return refuse(c, "ended");
    case "refused":
      return refuseBy(c, claim.refusal, claim.retryAfterMs);
    default:
      return claim satisfies never;
  }
};

/** `GET …/visits/mine`: how long the visit lasts. Looking renews nothing. */
export const getVisit = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate, arrival } = guarded;
  const { pass } = guarded.inHand;
  if (pass === null) return refuse(c, "no-visit");
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, guarded.room, pass.lobby).look(pass.visit),
  );
  return reply.kind === "visit" && isOfThisEpoch(guarded, pass)
    ? answerJson(c, 200, visitResource(c, reply.visit))
    : ended(c, pass);
};

/** `PATCH …/visits/mine`: renews the lease. */
export const patchVisit = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate, arrival } = guarded;
  const { pass } = guarded.inHand;
  if (pass === null) return refuse(c, "no-visit");
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, guarded.room, pass.lobby).renew(pass.visit),
  );
  if (reply.kind === "ended" || !isOfThisEpoch(guarded, pass)) return ended(c, pass);
  await guarded.handout.pass(pass.lobby, reply.visit);
  return answerJson(c, 200, visitResource(c, reply.visit));
};

/** `DELETE …/visits/mine`: I am done; the permit goes to the head of the line. */
export const deleteVisit = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate } = guarded;
  const { pass } = guarded.inHand;
  if (pass !== null) {
    await endVisit(guarded, pass, 0);
    isolate.views.sawEnd(guarded.room, pass.visit);
  }
  guarded.handout.clear("pass");
  return answerNothing(c);
};

/** The ticket is spent already: the pass says by which visit. */
const claimAgain = async (c: Context<RoomContext>, pass: HeldPass): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate, arrival } = guarded;
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, guarded.room, pass.lobby).look(pass.visit),
  );
  if (reply.kind === "ended" || !isOfThisEpoch(guarded, pass)) return ended(c, pass);
  const token = await guarded.handout.pass(pass.lobby, reply.visit);
  return answerJson(c, 200, claimResource(c, reply.visit, token));
};

const isOfThisEpoch = ({ view }: RoomContext["Variables"]["guarded"], pass: HeldPass): boolean =>
  view.snapshot === null || pass.epoch >= view.snapshot.epoch;

const ended = (c: Context<RoomContext>, pass: HeldPass): Response => {
  const guarded = c.get("guarded");
  const { isolate } = guarded;
  isolate.views.sawEnd(guarded.room, pass.visit);
  guarded.handout.clear("pass");
  return refuse(c, "ended");
};

const claimResource = (c: Context<RoomContext>, visit: VisitView, pass: string) => ({
  ...visitResource(c, visit),
  pass,
});

const visitResource = (c: Context<RoomContext>, visit: VisitView) => ({
  room: c.get("guarded").room.name,
  visit: visit.visit,
  lease_until: rfc3339(visit.leaseUntil),
  ends_at: visit.endsAt === null ? null : rfc3339(visit.endsAt),
});
