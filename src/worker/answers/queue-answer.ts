import { base64url } from "jose";
import type { RoomMode } from "../../core/snapshot.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Refusal } from "../../durable/contract.ts";
import type { Guarded } from "../gate/guarded.ts";
import { renderQueuePage } from "../page/index.ts";
import type { QueuePageInput } from "../page/index.ts";
import { problems } from "../problem.ts";
import { TICKET_HEADER } from "../tokens/in-hand.ts";
import { isSafe } from "../caller.ts";
import { cfWaitingRoom } from "./cf-waiting-room.ts";
import { dressOurs } from "./our-headers.ts";
import { STATUS_HEADER, statusText } from "./status.ts";
import { apiBase } from "./ticket-resource.ts";
import type { TicketResource } from "./ticket-resource.ts";

const NONCE_BYTES = 16;
const UNAVAILABLE_STATUS = 503;

/** What a request is told that does not get in. */
export interface Queued {
  readonly ticket: TicketResource;
  readonly refusal: Refusal | null;
  readonly retryAfterSeconds: number;
  /** The waiting room itself is out of reach: never with a status that means well. */
  readonly isUnavailable: boolean;
  readonly cookiesMissing: boolean;
}

/** The page, JSON or a short text, as the caller can read it. */
export const queueAnswer = (guarded: Guarded, queued: Queued): Response => {
  const { arrival, room, kind, handout } = guarded;
  const answer = bodyFor[kind](guarded, queued);
  dressOurs(answer.headers, arrival, room);
  handout.writeTo(answer.headers);
  answer.headers.set("Retry-After", String(queued.retryAfterSeconds));
  const status = queued.isUnavailable ? "error" : "queued";
  answer.headers.set(STATUS_HEADER, statusText(status, room));
  return answer;
};

const statusFor = (guarded: Guarded, queued: Queued): number =>
  queued.isUnavailable ? UNAVAILABLE_STATUS : guarded.room.queueingStatusCode;

/** The room's mode as this answer tells it: a refusal may know better than the snapshot. */
const modeFor = ({ view, room }: Guarded, { refusal }: Queued): RoomMode => {
  if (refusal === "room-closed") return "closed";
  if (view.snapshot !== null) return view.snapshot.mode;
  if (room.limits.closed !== null) return "closed";
  return room.limits.held ? "held" : "queues";
};

/** What of a refusal the page can say. */
const troubleOf = {
  "line-full": "line-full",
  "lobby-full": "line-full",
  "too-many-joins": "too-many-joins",
  busy: "busy",
  "room-closed": null,
  "room-suspended": null,
} as const satisfies Record<Refusal, QueuePageInput["trouble"]>;

/** In a room of requests the client itself does the waiting: it is told how. */
const withAdvice = ({ ticket, refusal }: Queued) => ({
  ...ticket,
  detail:
    ticket.ticket !== null
      ? `Repeat this request after the time in Retry-After, with this ticket in ${TICKET_HEADER} or ` +
        `in its cookie: number ${ticket.number} keeps its place. Without it you start at the back.`
      : refusal === "line-full" || refusal === "lobby-full"
        ? problems["line-full"].detail
        : "Repeat this request after the time in Retry-After. You have no place yet.",
});

const pageAnswer = (guarded: Guarded, queued: Queued): Response => {
  const { arrival, room, view, isolate } = guarded;
  const { limits } = room;
  const { html, csp } = renderQueuePage({
    room: { name: room.name, id: room.id },
    appearance: room.appearance,
    languages: arrival.request.headers.get("Accept-Language") ?? "",
    mode: modeFor(guarded, queued),
    message: view.snapshot === null ? limits.message : view.snapshot.message,
    closed: view.snapshot?.closed ?? limits.closed,
    ticket: queued.ticket,
    to: returnPath(guarded.to),
    formLost: !isSafe(arrival.request.method),
    refreshSeconds: queued.retryAfterSeconds,
    cookiesMissing: queued.cookiesMissing,
    reference: arrival.reference,
    nonce: base64url.encode(isolate.ports.randomBytes(NONCE_BYTES)),
    returnWindowSeconds: limits.returnWindowMs / SECOND_MS,
    claimWithinSeconds: limits.claimWithinMs / SECOND_MS,
    sessionSeconds: limits.leaseMs / SECOND_MS,
    apiBase: apiBase(room),
    waiting: view.snapshot?.waiting ?? 0,
    visiting: view.snapshot?.visiting ?? 0,
    host: arrival.url.host,
    reloads: limits.permit === "request",
    trouble: queued.refusal === null ? null : troubleOf[queued.refusal],
  });
  return new Response(html, {
    status: statusFor(guarded, queued),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      ...compression(arrival.request),
      "Content-Security-Policy": csp,
      "Referrer-Policy": "same-origin",
      "X-Robots-Tag": "noindex",
    },
  });
};

/**
 * `no-transform` keeps the edge from compressing the page, so the runtime is told to. The header is
 * the edge's own; what the client accepts stands in `cf`, where there is one.
 */
const compression = (request: Request): { "Content-Encoding"?: string } => {
  const { cf } = request as { cf?: { clientAcceptEncoding?: unknown } };
  const accepted = cf?.clientAcceptEncoding ?? request.headers.get("Accept-Encoding");
  return typeof accepted === "string" && /\bgzip\b/.test(accepted)
    ? { "Content-Encoding": "gzip" }
    : {};
};

const jsonAnswer = (guarded: Guarded, queued: Queued): Response => {
  const { room, view } = guarded;
  const isFull = queued.refusal === "line-full" || queued.refusal === "lobby-full";
  const body = {
    cfWaitingRoom: cfWaitingRoom(room, view.snapshot, queued.ticket, isFull, view.now),
    seiriken: room.limits.permit === "request" ? withAdvice(queued) : queued.ticket,
  };
  return new Response(JSON.stringify(body), {
    status: statusFor(guarded, queued),
    headers: { "Content-Type": "application/json" },
  });
};

/** Part of a page: a broken picture must look broken, so its status is never a good one. */
const textAnswer = (): Response =>
  new Response("This site has a waiting room. Open its page to take a ticket.\n", {
    status: UNAVAILABLE_STATUS,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });

const bodyFor = {
  document: pageAnswer,
  json: jsonAnswer,
  subresource: textAnswer,
} as const satisfies Record<Guarded["kind"], (guarded: Guarded, queued: Queued) => Response>;

/** A path of the same host; one that would name another host is spelled out. */
export const returnPath = (url: URL): string =>
  url.pathname.startsWith("//") ? url.href : `${url.pathname}${url.search}`;
