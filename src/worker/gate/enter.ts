import type { ClaimReply, EnterReply, HeldTicket } from "../../durable/contract.ts";
import { isSafe, isSpeculative, isUpgrade } from "../caller.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import { newIdentity } from "../tokens/handout.ts";
import type { Identity } from "../tokens/in-hand.ts";
import type { Guarded } from "./guarded.ts";
import { claimTurn, heldTicket, takeTicket } from "./join.ts";
import { paced } from "./pace.ts";
import { passOn } from "./pass-on.ts";
import type { Going } from "./pass-on.ts";
import { answerNewcomer, answerRefused, answerWaiting, answerWithout, mayJoin } from "./queue.ts";
import { enterTransiently } from "./transient.ts";

/**
 * What happens to a request without a live pass while the room can be reached. An open room is
 * entered at once; else whoever has a visitor id takes a ticket, and goes in if it is called.
 */
export const enterOrQueue = async (guarded: Guarded): Promise<Response> => {
  const mode = guarded.view.snapshot?.mode;
  const hasPlace = queues(guarded) && guarded.inHand.ticket !== null;
  if (mode === "open" && !hasPlace) {
    const answer = await enterAtOnce(guarded);
    if (answer instanceof Response) return answer;
    if (answer.kind === "refused")
      return answerRefused(guarded, answer.refusal, answer.retryAfterMs);
  }
  const turn = await waitingOrTurn(guarded);
  return turn instanceof Response ? turn : begin(guarded, turn);
};

/** The page (or its like) for those who wait; for those whose turn it is, their visit. */
export const waitingOrTurn = async (guarded: Guarded): Promise<Response | Going> => {
  const { identity, ticket } = guarded.inHand;
  const isClosed = guarded.view.snapshot?.mode === "closed";
  if (isClosed && (ticket === null || !queues(guarded))) return answerWithout(guarded);
  if (ticket !== null && isAppThatCannotJoin(guarded)) return tellWhere(guarded, ticket);
  if (identity === null || !queues(guarded)) return answerNewcomer(guarded);
  const { who, reply } = await takeTicket(guarded, identity);
  if (reply.kind === "refused") return answerRefused(guarded, reply.refusal, reply.retryAfterMs);
  const { state } = reply.view;
  if (state !== "called" && state !== "visiting") return answerWaiting(guarded, who, reply.view);
  return turnOf(guarded, who, await claimTurn(guarded, heldTicket(reply.view, who)));
};

/** May this request take a place, or use one? */
const queues = (guarded: Guarded): boolean =>
  guarded.room.queueingMethod === "fifo" && mayJoin(guarded);

/** Admitted in the same request: a document or a known visitor for a visit, others for this answer. */
const enterAtOnce = async (
  guarded: Guarded,
): Promise<Response | Exclude<EnterReply, { kind: "visit" }>> => {
  const { isolate, arrival, room, view, inHand, handout } = guarded;
  const who =
    inHand.identity ?? newIdentity(isolate.ports, pickLobby(isolate.ports, view.snapshot));
  if (!staysForAVisit(guarded)) return enterTransiently(guarded, who);
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, room, who.lobby).enter({ visitor: who.visitor, transient: false }),
  );
  if (reply.kind !== "visit") return reply;
  await handout.pass(who.lobby, reply.visit);
  if (inHand.ticket !== null) handout.clear("ticket");
  return begin(guarded, { visit: reply.visit.visit, lobby: who.lobby });
};

const begin = async (guarded: Guarded, going: Going): Promise<Response> =>
  (await paced(guarded, going.lobby)) ?? passOn(guarded, going);

const staysForAVisit = ({ arrival, kind, inHand }: Guarded): boolean => {
  const { request } = arrival;
  if (request.method === "HEAD" || isSpeculative(request) || isUpgrade(request)) return false;
  return kind === "document" || inHand.identity !== null;
};

/** An app's POST takes no place and no turn, but it may hear of its ticket. */
const isAppThatCannotJoin = ({ arrival, kind, room }: Guarded): boolean =>
  kind === "json" && !isSafe(arrival.request.method) && room.queueingMethod === "fifo";

const tellWhere = async (guarded: Guarded, ticket: HeldTicket): Promise<Response> => {
  const { isolate, arrival, room, handout } = guarded;
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, room, ticket.lobby).where(ticket),
  );
  if (reply.kind === "ticket") return answerWaiting(guarded, ticket, reply.view);
  if (reply.kind === "refused") return answerRefused(guarded, reply.refusal, reply.retryAfterMs);
  handout.clear("ticket");
  return answerWithout(guarded);
};

const turnOf = async (
  guarded: Guarded,
  who: Identity,
  claim: ClaimReply,
): Promise<Response | Going> => {
  const { handout } = guarded;
  switch (claim.kind) {
    case "visit":
      await handout.pass(who.lobby, claim.visit);
      handout.clear("ticket");
      return { visit: claim.visit.visit, lobby: who.lobby };
    case "not-yet":
      return answerWaiting(guarded, who, claim.view, claim.retryAfterMs);
    case "ended":
      // Its last moment passed between the two questions; the next contact takes a new ticket.
      handout.clear("ticket");
      return answerWithout(guarded);
    case "refused":
      return answerRefused(guarded, claim.refusal, claim.retryAfterMs);
    default:
      return claim satisfies never;
  }
};
