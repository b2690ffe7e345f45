import { SECOND_MS } from "../../core/time.ts";
import type { Refusal, TicketView } from "../../durable/contract.ts";
import { queueAnswer, returnPath } from "../answers/queue-answer.ts";
import type { Queued } from "../answers/queue-answer.ts";
import {
  FIRST_POLL_SECONDS,
  noTicketResource,
  ticketResource,
  waitPage,
} from "../answers/ticket-resource.ts";
import { isSpeculative } from "../caller.ts";
import { pickLobby } from "../isolate/room-views.ts";
import { newIdentity } from "../tokens/handout.ts";
import type { Identity } from "../tokens/in-hand.ts";
import { isOwnHost } from "../answers/own-hosts.ts";
import { canonicalHost } from "../url/canonical.ts";
import type { Guarded } from "./guarded.ts";
import { heldTicket } from "./join.ts";

const UNAVAILABLE_RETRY_SECONDS = 5;
const CLOSED_RETRY_SECONDS = 60;

/** First contact with a room that queues: the page and a visitor id, and nobody is asked. */
export const answerNewcomer = async (guarded: Guarded): Promise<Response> => {
  if (mayKeepVisitorId(guarded)) {
    const { isolate, view, handout } = guarded;
    await handout.visitor(
      newIdentity(isolate.ports, pickLobby(isolate.ports, view.snapshot)),
      view.now,
    );
  }
  return answerWithout(guarded, { cookiesMissing: saysCookiesAreMissing(guarded) });
};

/** The page for someone who has no ticket, for whatever reason. */
export const answerWithout = (
  guarded: Guarded,
  queued: Partial<
    Pick<Queued, "refusal" | "retryAfterSeconds" | "isUnavailable" | "cookiesMissing">
  > = {},
): Response => {
  const { room, view } = guarded;
  const isClosed = view.snapshot?.mode === "closed" || queued.refusal === "room-closed";
  return queueAnswer(guarded, {
    ticket: noTicketResource(room, view.snapshot, pageFor(guarded)),
    refusal: null,
    retryAfterSeconds: isClosed ? CLOSED_RETRY_SECONDS : FIRST_POLL_SECONDS,
    isUnavailable: false,
    cookiesMissing: false,
    ...queued,
  });
};

export const answerRefused = (guarded: Guarded, refusal: Refusal, retryAfterMs: number): Response =>
  answerWithout(guarded, {
    refusal,
    ...(refusal === "room-closed" ? {} : { retryAfterSeconds: wholeSeconds(retryAfterMs) }),
  });

/** The page with the visitor's ticket, signed anew. */
export const answerWaiting = async (
  guarded: Guarded,
  who: Identity,
  view: TicketView,
  retryAfterMs: number | null = null,
): Promise<Response> => {
  const { room, handout } = guarded;
  const token = await handout.ticket(heldTicket(view, who), view.now);
  return queueAnswer(guarded, {
    ticket: ticketResource(room, view, token, pageFor(guarded)),
    refusal: null,
    retryAfterSeconds: retryAfterMs === null ? view.pollAfterSeconds : wholeSeconds(retryAfterMs),
    isUnavailable: false,
    cookiesMissing: false,
  });
};

/** The room cannot be reached and stays shut: the page, with retry. */
export const answerUnavailable = (guarded: Guarded): Response =>
  answerWithout(guarded, {
    isUnavailable: true,
    retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS,
  });

/** May this request take a place, or keep one? Only one that a person or an app waits with. */
export const mayJoin = ({ arrival, kind }: Guarded): boolean =>
  kind !== "subresource" && arrival.request.method === "GET" && !isSpeculative(arrival.request);

export const wholeSeconds = (ms: number): number => Math.max(1, Math.ceil(ms / SECOND_MS));

/**
 * A cross-site form comes without the visitor id that its browser may well have (Lax), and gets a
 * new one. That costs nobody a place: a ticket's own visitor counts more.
 */
const mayKeepVisitorId = ({ arrival, kind, inHand, room }: Guarded): boolean => {
  const { request } = arrival;
  if (kind === "subresource" || request.method === "HEAD" || isSpeculative(request)) return false;
  return inHand.identity === null && room.queueingMethod !== "reject";
};

/** The page itself asked again, and came without the cookie that it was sent with. */
const saysCookiesAreMissing = ({ arrival, inHand }: Guarded): boolean =>
  inHand.identity === null &&
  inHand.pass === null &&
  arrival.request.headers.get("Referer") === arrival.url.href;

/** An app shows people the page they came from, not the address of its own call. */
const pageFor = ({ arrival, room, kind, to }: Guarded): string => {
  if (kind === "document") return waitPage(room, returnPath(to));
  const referer = arrival.request.headers.get("Referer") ?? "";
  if (!URL.canParse(referer)) return waitPage(room, null);
  const url = new URL(referer);
  return waitPage(
    room,
    isOwnHost(arrival, room, canonicalHost(url.hostname)) ? returnPath(url) : null,
  );
};
