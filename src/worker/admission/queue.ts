/**
 * What a request that waits gets: first contact, a place, the page. How it looks is queue-
 * answer.ts.
 */
import { turnsAway } from "../../core/gate/decide.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Refusal, TicketView } from "../../durable/contract.ts";
import { queueAnswer } from "./queue-answer.ts";
import type { Queued } from "./queue-answer.ts";
import { returnPath } from "../answers/return-path.ts";
import {
  FIRST_POLL_SECONDS,
  noTicketResource,
  ticketResource,
  waitPage,
} from "./ticket-resource.ts";
import { isFramedElsewhere, isSpeculative } from "../arrival/caller.ts";
import { pickLobby } from "../isolate/room-views.ts";
import { asksOf, holdsBack } from "../strangers/asks.ts";
import { newIdentity } from "../tokens/issued.ts";
import type { Identity } from "../tokens/presented.ts";
import { isOwnUrl } from "../arrival/own-hosts.ts";
import type { GateContext } from "./context.ts";
import { heldTicket } from "./join.ts";
import { SCRIPTLESS_WAIT_SECONDS } from "./stranger.ts";

const UNAVAILABLE_RETRY_SECONDS = 5;
const CLOSED_RETRY_SECONDS = 60;

/** First contact with a room that queues: the page and a visitor id, without an object call. */
export const answerNewcomer = async (context: GateContext): Promise<Response> => {
  await giveVisitorId(context);
  const cookiesMissing = saysCookiesAreMissing(context);
  return answerWithout(context, { cookiesMissing, retryAfterSeconds: firstPoll(context) });
};

/** An open room has refused the entry: the page, which may take a ticket later. */
export const answerRefusedAtDoor = async (
  context: GateContext,
  refusal: Refusal,
  retryAfterMs: number,
): Promise<Response> => {
  await giveVisitorId(context);
  return answerRefused(context, refusal, retryAfterMs);
};

/** Where a wait may stand for a puzzle, the first look comes when it is over. */
const firstPoll = ({ room, arrival }: GateContext): number =>
  asksOf(room, arrival.env)?.work === true ? SCRIPTLESS_WAIT_SECONDS + 1 : FIRST_POLL_SECONDS;

const giveVisitorId = async (context: GateContext): Promise<void> => {
  if (!mayKeepVisitorId(context)) return;
  const { isolate, arrival, room, view, presented, issued } = context;
  const lobby = pickLobby(isolate, view.snapshot, arrival, room);
  await issued.visitor(newIdentity(isolate.ports, lobby, presented.pass), view.now);
};

/** The page for someone who has no ticket, for whatever reason. */
export const answerWithout = (
  context: GateContext,
  queued: Partial<
    Pick<Queued, "refusal" | "retryAfterSeconds" | "isUnavailable" | "cookiesMissing">
  > = {},
): Response => {
  const { room, view } = context;
  const isClosed = view.snapshot?.mode === "closed" || queued.refusal === "room-closed";
  return queueAnswer(context, {
    ticket: { ...noTicketResource(room, view.snapshot, pageFor(context)), ...proofNeeded(context) },
    refusal: null,
    retryAfterSeconds: isClosed ? CLOSED_RETRY_SECONDS : FIRST_POLL_SECONDS,
    isUnavailable: false,
    cookiesMissing: false,
    ...queued,
  });
};

/** An app that asked the site hears that only `POST tickets` gets it a place. */
const proofNeeded = ({ room, arrival, kind }: GateContext): { readonly proof_needed?: true } => {
  const asks = kind === "json" ? asksOf(room, arrival.env) : null;
  return asks !== null && holdsBack(asks) ? { proof_needed: true } : {};
};

export const answerRefused = (
  context: GateContext,
  refusal: Refusal,
  retryAfterMs: number,
): Response =>
  answerWithout(context, {
    refusal,
    ...(refusal === "room-closed" ? {} : { retryAfterSeconds: wholeSeconds(retryAfterMs) }),
  });

/** The page with the visitor's ticket, signed anew. */
export const answerWaiting = async (
  context: GateContext,
  who: Identity,
  view: TicketView,
  retryAfterMs: number | null = null,
): Promise<Response> => {
  const { room, issued } = context;
  const token = await issued.ticket(heldTicket(view, who), view.now);
  return queueAnswer(context, {
    ticket: ticketResource(room, view, context.view.snapshot, token, pageFor(context)),
    refusal: null,
    retryAfterSeconds: retryAfterMs === null ? view.pollAfterSeconds : wholeSeconds(retryAfterMs),
    isUnavailable: false,
    cookiesMissing: false,
  });
};

/** The room cannot be reached and stays shut: the page, with retry. */
export const answerUnavailable = (context: GateContext): Response =>
  answerWithout(context, {
    isUnavailable: true,
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
  });

export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / SECOND_MS));

/**
 * A cross-site form comes without the visitor id that its browser may have (Lax), and gets a new
 * one. No place is lost by that: the visitor id in a ticket counts more.
 */
const mayKeepVisitorId = ({ arrival, kind, presented, room }: GateContext): boolean => {
  const { request } = arrival;
  if (kind === "subresource" || request.method === "HEAD") return false;
  if (isSpeculative(request) || isFramedElsewhere(request)) return false;
  return presented.identity === null && !turnsAway(room);
};

/** The page itself asked again, and came without the cookie that it was sent with. */
const saysCookiesAreMissing = ({ arrival, presented }: GateContext): boolean =>
  presented.identity === null &&
  presented.pass === null &&
  arrival.request.headers.get("Referer") === arrival.url.href;

/** An app shows people the page they came from, not the address of its own call. */
const pageFor = ({ arrival, room, kind, to }: GateContext): string => {
  if (kind === "document") return waitPage(room, returnPath(to));
  const referer = arrival.request.headers.get("Referer") ?? "";
  if (!URL.canParse(referer)) return waitPage(room, null);
  const url = new URL(referer);
  return waitPage(room, isOwnUrl(arrival, room, url) ? returnPath(url) : null);
};
