/**
 * Tickets in the visitors' API: taken, asked for, given up. Where a number stands is the lobby's answer
 * (admission/join.ts asks).
 */
import { turnsAway } from "../../core/gate/decide.ts";
import type { Refusal, TicketView } from "../../durable/contract.ts";
import { endedVisit } from "../admission/ended-visit.ts";
import { isOwnUrl } from "../arrival/own-hosts.ts";
import { returnPath } from "../answers/return-path.ts";
import { apiBase, ticketResource, waitPage } from "../admission/ticket-resource.ts";
import type { TicketResource } from "../admission/ticket-resource.ts";
import type { GateContext } from "../admission/context.ts";
import { heldTicket, takeTicket } from "../admission/join.ts";
import type { TakenTicket } from "../admission/join.ts";
import { askWhere } from "../admission/where-call.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { wholeSeconds } from "../admission/queue.ts";
import { tellStep } from "../admission/story.ts";
import { strangerAsks } from "../admission/stranger.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import { asksOf } from "../strangers/asks.ts";
import type { Asks } from "../strangers/asks.ts";
import { PROOF_HEADER, readProof } from "../strangers/proof.ts";
import { problems } from "../../api/problem.ts";
import { newIdentity } from "../tokens/issued.ts";
import type { Identity } from "../tokens/presented.ts";
import { answerJson, answerNothing, refuse } from "./our-room.ts";

/** A room that takes no line is asked again as seldom as a closed one. */
const FULL_RETRY_SECONDS = 60;

/** `POST …/tickets`: takes a ticket; with one in hand, returns with it. */
export const postTicket = (context: GateContext): MaybePromise<Response> => {
  const { isolate, room, arrival, presented, issued } = context;
  isolate.pacer.visitorCame();
  if (turnsAway(room)) return refuse(context, "line-full", FULL_RETRY_SECONDS);
  const asks = asksOf(room, arrival.env);
  const isFirst = asks === null && presented.identity === null && issued.shows("ticket");
  return isFirst ? takeFirst(context) : take(context, asks);
};

/** Its visitor id is signed last: while a lobby is asked thousands may wait, each with all that it holds. */
const takeFirst = async (context: GateContext): Promise<Response> => {
  const { issued, view } = context;
  const taken = await takeTicket(context, unmet(context));
  if (!issued.gives("visitor")) await issued.visitor(taken.who, view.now);
  return answerTaken(context, taken);
};

const take = async (context: GateContext, asks: Asks | null): Promise<Response> => {
  const identity =
    asks === null
      ? (context.presented.identity ?? (await newcomer(context)))
      : await entitled(context, asks);
  if (identity === null) return refuse(context, "cookies-needed");
  if (identity instanceof Response) return identity;
  return answerTaken(context, await takeTicket(context, identity));
};

const answerTaken = async (
  context: GateContext,
  { who, reply }: TakenTicket,
): Promise<Response> => {
  if (reply.kind === "refused") return refuseBy(context, reply.refusal, reply.retryAfterMs);
  const resource = await handOut(context, who, reply.view);
  const location = `${apiBase(context.room)}/tickets/mine`;
  return answerJson(
    context,
    reply.isNew ? 201 : 200,
    resource,
    reply.isNew ? { Location: location } : {},
  );
};

/** Who may have a ticket of a room that asks something of strangers; or the answer to one who may not. */
const entitled = async (context: GateContext, asks: Asks): Promise<Identity | Response | null> => {
  if (context.presented.ticket !== null) {
    const place = await getTicket(context);
    // Its number is over; a new one costs as much as the first.
    if (!context.issued.clearsTicket) return place;
  }
  if (isOldPage(context.arrival.request)) return loadAgain(context);
  const proof = readProof(context.arrival.request);
  const reply = await strangerAsks(context, asks, proof, () => newcomer(context));
  if (reply === null) return null;
  switch (reply.kind) {
    case "ticket":
      return reply.who;
    case "puzzle":
      return refuse(context, "proof-needed", null, { puzzle: reply.puzzle });
    case "wait":
      return refuse(context, "still-waiting", reply.retryAfterSeconds);
    case "again":
      return refuse(context, "busy", reply.retryAfterSeconds);
    default:
      return reply satisfies never;
  }
};

/** A page of ours that was made when tickets cost nothing: it does not know what is asked of it. */
const isOldPage = ({ headers }: Request): boolean =>
  headers.get("Sec-Fetch-Site") === "same-origin" && !headers.has(PROOF_HEADER);

/** What is no JSON makes the page load itself again. */
const loadAgain = (context: GateContext): Response => {
  const answer = new Response("Load this page again: a ticket takes a proof by now.\n", {
    status: problems["proof-needed"].status,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
  context.issued.writeTo(answer.headers);
  return answer;
};

/** `GET …/tickets/mine`: where am I? It counts as a poll. */
export const getTicket = async (context: GateContext): Promise<Response> => {
  const { ticket } = context.presented;
  if (ticket === null) return refuse(context, "no-ticket");
  const reply = await askWhere(context, ticket);
  switch (reply.kind) {
    case "ticket":
      return answerJson(context, 200, await handOut(context, ticket, reply.view));
    case "ended":
      context.issued.clear("ticket");
      return refuse(context, "ended");
    case "refused":
      return refuseBy(context, reply.refusal, reply.retryAfterMs);
    default:
      return reply satisfies never;
  }
};

/** `DELETE …/tickets/mine`: I give up my place. */
export const deleteTicket = async (context: GateContext): Promise<Response> => {
  const { isolate, arrival } = context;
  const { ticket } = context.presented;
  if (ticket !== null) {
    const lobby = () => lobbyOf(arrival, context.room, ticket.lobby);
    await callObject(isolate.ports, () => lobby().leave(ticket));
    tellStep(context, "place-left", ticket.number);
  }
  context.issued.clear("ticket");
  return answerNothing(context);
};

/** The ticket resource, and the ticket itself signed anew. */
export const handOut = async (
  context: GateContext,
  who: Identity,
  view: TicketView,
): Promise<TicketResource> => {
  const { room, issued, view: known } = context;
  const token = await issued.ticket(heldTicket(view, who), view.now);
  const ended = endedVisit(context);
  const resource = ticketResource(
    room,
    view,
    known.snapshot,
    token,
    waitPage(room, refererPath(context)),
  );
  return ended === null ? resource : { ...resource, ended };
};

export const refuseBy = (context: GateContext, refusal: Refusal, retryAfterMs: number): Response =>
  refuse(
    context,
    refusal,
    retryAfterMs > 0 ? wholeSeconds(retryAfterMs) : null,
    refusal === "room-closed" ? { closed: closedText(context) } : {},
  );

const closedText = ({ view, room }: GateContext): string | null =>
  view.snapshot?.closed ?? room.limits.closed;

/**
 * A visitor whom nobody has met. A page of ours was sent with a visitor id: if it comes without,
 * its browser keeps no cookies, and would take a new place with every try. It gets one more cookie
 * and a no. Programs, and pages of `cors_origins`, carry their ticket themselves.
 */
const newcomer = async (context: GateContext): Promise<Identity | null> => {
  const { view, issued } = context;
  const who = unmet(context);
  await issued.visitor(who, view.now);
  return issued.shows("ticket") ? who : null;
};

const unmet = ({ isolate, arrival, room, view, presented }: GateContext): Identity => {
  const lobby = pickLobby(isolate, view.snapshot, arrival, room);
  const who = newIdentity(isolate.ports, lobby, presented.pass);
  arrival.isOf(who.visitor);
  return who;
};

const refererPath = ({ arrival, room }: GateContext): string | null => {
  const referer = arrival.headers.get("referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const url = new URL(referer);
  return isOwnUrl(arrival, room, url) ? returnPath(url) : null;
};
