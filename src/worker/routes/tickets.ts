import type { Context } from "hono";
import type { Refusal, TicketView } from "../../durable/contract.ts";
import { isOwnHost } from "../answers/own-hosts.ts";
import { returnPath } from "../answers/queue-answer.ts";
import { apiBase, ticketResource, waitPage } from "../answers/ticket-resource.ts";
import type { TicketResource } from "../answers/ticket-resource.ts";
import { heldTicket, takeTicket } from "../gate/join.ts";
import { wholeSeconds } from "../gate/queue.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf, pickLobby } from "../isolate/room-views.ts";
import { newIdentity } from "../tokens/handout.ts";
import type { Identity } from "../tokens/in-hand.ts";
import { canonicalHost } from "../url/canonical.ts";
import { answerJson, answerNothing, refuse } from "./our-room.ts";
import type { RoomContext } from "./our-room.ts";

/** `POST …/tickets`: takes a ticket; with one in hand, returns with it. */
export const postTicket = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const identity = guarded.inHand.identity ?? (await newcomer(c));
  if (identity === null) return refuse(c, "cookies-needed");
  const { who, reply } = await takeTicket(guarded, identity);
  if (reply.kind === "refused") return refuseBy(c, reply.refusal, reply.retryAfterMs);
  const resource = await handOut(c, who, reply.view);
  const location = `${apiBase(guarded.room)}/tickets/mine`;
  return answerJson(
    c,
    reply.isNew ? 201 : 200,
    resource,
    reply.isNew ? { Location: location } : {},
  );
};

/** `GET …/tickets/mine`: where am I? It counts as a poll. */
export const getTicket = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate, arrival } = guarded;
  const { ticket } = guarded.inHand;
  if (ticket === null) return refuse(c, "no-ticket");
  const reply = await callObject(isolate.ports, () =>
    lobbyOf(arrival, guarded.room, ticket.lobby).where(ticket),
  );
  switch (reply.kind) {
    case "ticket":
      return answerJson(c, 200, await handOut(c, ticket, reply.view));
    case "ended":
      guarded.handout.clear("ticket");
      return refuse(c, "ended");
    case "refused":
      return refuseBy(c, reply.refusal, reply.retryAfterMs);
    default:
      return reply satisfies never;
  }
};

/** `DELETE …/tickets/mine`: I give up my place. */
export const deleteTicket = async (c: Context<RoomContext>): Promise<Response> => {
  const guarded = c.get("guarded");
  const { isolate, arrival } = guarded;
  const { ticket } = guarded.inHand;
  if (ticket !== null)
    await callObject(isolate.ports, () =>
      lobbyOf(arrival, guarded.room, ticket.lobby).leave(ticket),
    );
  guarded.handout.clear("ticket");
  return answerNothing(c);
};

/** The ticket resource, and the ticket itself signed anew. */
export const handOut = async (
  c: Context<RoomContext>,
  who: Identity,
  view: TicketView,
): Promise<TicketResource> => {
  const { room, handout } = c.get("guarded");
  const token = await handout.ticket(heldTicket(view, who), view.now);
  return ticketResource(room, view, token, waitPage(room, refererPath(c)));
};

export const refuseBy = (
  c: Context<RoomContext>,
  refusal: Refusal,
  retryAfterMs: number,
): Response =>
  refuse(
    c,
    refusal,
    retryAfterMs > 0 ? wholeSeconds(retryAfterMs) : null,
    refusal === "room-closed" ? { closed: closedText(c) } : {},
  );

const closedText = (c: Context<RoomContext>): string | null => {
  const { view, room } = c.get("guarded");
  return view.snapshot?.closed ?? room.limits.closed;
};

/**
 * A visitor whom nobody has met. A page of ours was sent with a visitor id: if it comes without,
 * its browser keeps no cookies, and would take a new place with every try. It gets one more cookie
 * and a no. Programs, and pages of other hosts, carry their ticket themselves.
 */
const newcomer = async (c: Context<RoomContext>): Promise<Identity | null> => {
  const guarded = c.get("guarded");
  const { isolate } = guarded;
  const { view, handout } = guarded;
  const who = newIdentity(isolate.ports, pickLobby(isolate.ports, view.snapshot));
  await handout.visitor(who, view.now);
  return isOwnPage(c) ? null : who;
};

const isOwnPage = (c: Context<RoomContext>): boolean => {
  const site = c.req.header("Sec-Fetch-Site");
  if (site !== undefined) return site === "same-origin";
  const origin = c.req.header("Origin");
  return (
    origin !== undefined &&
    URL.canParse(origin) &&
    new URL(origin).host === c.get("arrival").url.host
  );
};

const refererPath = (c: Context<RoomContext>): string | null => {
  const guarded = c.get("guarded");
  const { arrival } = guarded;
  const referer = c.req.header("Referer") ?? "";
  if (!URL.canParse(referer)) return null;
  const url = new URL(referer);
  return isOwnHost(arrival, guarded.room, canonicalHost(url.hostname)) ? returnPath(url) : null;
};
