/**
 * How a request that does not get in is answered: the page, JSON or a short text. Why it does not
 * is decided before.
 */
import { base64url } from "jose";
import type { RoomDefinition } from "../../core/definition.ts";
import { turnsAway } from "../../core/gate/decide.ts";
import type { RoomMode } from "../../core/snapshot.ts";
import { after, isOver, SECOND_MS, type InstantMs } from "../../core/time.ts";
import type { Refusal } from "../../durable/contract.ts";
import type { GateContext } from "./context.ts";
import type { EventState } from "../../page/state.ts";
import { renderQueuePage } from "../page/index.ts";
import type { QueuePageInput } from "../page/index.ts";
import type { VisitLoss } from "../page/lost.ts";
import { problems } from "../../api/problem.ts";
import { languagesOf } from "../tokens/language.ts";
import { TICKET_HEADER } from "../tokens/presented.ts";
import { isFramedElsewhere, isSafe, isSpeculative } from "../arrival/caller.ts";
import { cfWaitingRoom } from "./cf-waiting-room.ts";
import { compression } from "../answers/compression.ts";
import { endedVisit } from "./ended-visit.ts";
import { framedPage } from "./framed-page.ts";
import { pageProof } from "./page-proof.ts";
import { setCommonHeaders } from "../answers/our-headers.ts";
import { returnPath } from "../answers/return-path.ts";
import { STATUS_HEADER, statusText } from "../answers/status.ts";
import { errorPage } from "../answers/error-response.ts";
import { ownPage } from "./own-page.ts";
import { lastingApiBase } from "./ticket-resource.ts";
import type { TicketResource } from "./ticket-resource.ts";

const NONCE_BYTES = 16;
const UNAVAILABLE_STATUS = 503;

/** What the answer to a request that does not get in says. */
export interface Queued {
  readonly ticket: TicketResource;
  readonly refusal: Refusal | null;
  readonly retryAfterSeconds: number;
  /** The Room cannot be reached: the answer never has a status of success. */
  readonly isUnavailable: boolean;
  readonly cookiesMissing: boolean;
}

/** The page, JSON or a short text, as the caller can read it. */
export const queueAnswer = (context: GateContext, waits: Queued): Response => {
  const { arrival, room, kind, issued } = context;
  const ended = endedVisit(context);
  const queued = ended === null ? waits : { ...waits, ticket: { ...waits.ticket, ended } };
  // A page that was fetched in advance would be shown at the click, and nobody would have taken a place.
  const body = isSpeculative(arrival.request) ? textAnswer : bodyFor[shownKind(room, kind)];
  const answer = body(context, queued);
  setCommonHeaders(answer.headers, arrival, room);
  issued.writeTo(answer.headers);
  answer.headers.set("Retry-After", String(queued.retryAfterSeconds));
  const status = queued.isUnavailable ? "error" : "queued";
  answer.headers.set(STATUS_HEADER, statusText(status, room));
  return answer;
};

/** A program gets the page where the operator wants no JSON, as from Cloudflare. */
const shownKind = (room: RoomDefinition, kind: GateContext["kind"]): GateContext["kind"] =>
  kind === "json" && !room.jsonResponseEnabled ? "document" : kind;

const statusFor = (context: GateContext, queued: Queued): number =>
  queued.isUnavailable ? UNAVAILABLE_STATUS : context.room.queueingStatusCode;

/** The room's mode as this answer tells it: a refusal may know better than the snapshot. */
const modeFor = ({ view, room }: GateContext, { refusal }: Queued): RoomMode => {
  if (refusal === "room-closed") return "closed";
  if (view.snapshot !== null) return view.snapshot.mode;
  if (room.limits.closed !== null) return "closed";
  return room.limits.paused ? "paused" : "queues";
};

/** The problem that the page shows for each refusal. */
const problemOf = {
  "line-full": "line-full",
  "lobby-full": "line-full",
  "too-many-joins": "too-many-joins",
  busy: "busy",
  "room-closed": null,
  "room-suspended": null,
} as const satisfies Record<Refusal, QueuePageInput["problem"]>;

/**
 * What a client without its ticket is told: it gets the place that the room keeps for it, or the
 * last one.
 */
const withoutTicket = ({ clientKey = null }: RoomDefinition): string => {
  if (clientKey === null) return "Without it you start at the back.";
  const sameKey = clientKey.from === "address" ? "the same address" : `the same ${clientKey.name}`;
  return `Without it, a request with ${sameKey} has the oldest place that waits for that.`;
};

/** In a room of requests the client itself waits and asks again: the answer says how. */
const withAdvice = (room: RoomDefinition, { ticket, refusal }: Queued) => ({
  ...ticket,
  detail:
    ticket.number !== null
      ? `Repeat this request after the time in Retry-After, with this ticket in ${TICKET_HEADER} or ` +
        `in its cookie: number ${ticket.number} keeps its place. ${withoutTicket(room)}`
      : refusal === "line-full" || refusal === "lobby-full"
        ? problems["line-full"].detail
        : "Repeat this request after the time in Retry-After. You have no place yet.",
});

/** Nobody waits before this room: there is no ticket to take, and no line to show. */
const isTurnedAway = (context: GateContext, queued: Queued): boolean =>
  turnsAway(context.room) && modeFor(context, queued) !== "closed";

const fullPage = (context: GateContext, queued: Queued): Response => {
  const { arrival, room } = context;
  const page = { code: "full", status: statusFor(context, queued), refreshSeconds: null } as const;
  return errorPage(arrival, room, page);
};

const pageAnswer = (context: GateContext, queued: Queued): Response => {
  const { arrival } = context;
  if (isFramedElsewhere(arrival.request))
    return framedPage(context.to.href, statusFor(context, queued));
  const input = pageInput(context, queued);
  const own = ownPage(context, input, () => waitingRoomOf(context, queued, input.ticket));
  if (own === null && isTurnedAway(context, queued)) return fullPage(context, queued);
  const { html, csp } = own ?? renderQueuePage(input);
  return new Response(html, {
    status: statusFor(context, queued),
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      ...compression(arrival.request),
      "Content-Security-Policy": csp,
      "Referrer-Policy": "same-origin",
      "X-Robots-Tag": "noindex",
      ...(own?.refresh == null ? {} : { Refresh: own.refresh }),
    },
  });
};

const pageInput = (context: GateContext, queued: Queued): QueuePageInput & Numbered => {
  const { arrival, room, view, isolate } = context;
  const { limits } = room;
  return {
    room: { name: room.name, id: room.id },
    appearance: room.appearance,
    languages: languagesOf(arrival.request),
    defaultLanguage: room.kept.default_template_language,
    mode: modeFor(context, queued),
    message: view.snapshot === null ? limits.message : view.snapshot.message,
    closed: view.snapshot?.closed ?? limits.closed,
    ticket: numbered(context, queued),
    to: returnPath(context.to),
    formLost: !isSafe(arrival.request.method),
    refreshSeconds: queued.retryAfterSeconds,
    cookiesMissing: queued.cookiesMissing,
    reference: arrival.reference,
    nonce: base64url.encode(isolate.ports.randomBytes(NONCE_BYTES)),
    returnWindowSeconds: limits.returnWindowMs / SECOND_MS,
    claimWithinSeconds: limits.claimWithinMs / SECOND_MS,
    sessionSeconds: limits.leaseMs / SECOND_MS,
    apiBase: lastingApiBase(room),
    waiting: view.snapshot?.waiting ?? 0,
    visiting: view.snapshot?.visiting ?? 0,
    drawn: room.queueingMethod === "random",
    event: eventState(queued.ticket.event, view.now),
    host: arrival.url.host,
    proof: pageProof(room, arrival.env),
    framedBy: room.corsOrigins,
    reloads: limits.permit === "request",
    lost: lostVisitOf(context, queued.ticket.ended),
    problem: problemTold(queued),
  };
};

/** The ticket as our answers have it, of which the page shows a part. */
interface Numbered {
  readonly ticket: TicketResource;
}

/** What the page says of the event. One that runs, and was not drawn, is a line like any other. */
const eventState = (told: TicketResource["event"], now: InstantMs): EventState | null => {
  if (told === undefined || (told.phase === "running" && !told.shuffle)) return null;
  const opensInMs = Math.max(0, Date.parse(told.starts_at) - now);
  return { told, phase: told.phase, opensInMs, opensAt: null };
};

const problemTold = ({
  refusal,
  isUnavailable,
}: Queued): NonNullable<QueuePageInput["problem"]> | null => {
  if (isUnavailable) return "unavailable";
  return refusal === null ? null : problemOf[refusal];
};

/**
 * Shows the number of the ticket that the request brings, where the Room has not said that it is
 * spent.
 */
const numbered = (context: GateContext, queued: Queued): TicketResource => {
  const { presented, issued, view, room } = context;
  const { ticket } = presented;
  const isAnswered = queued.refusal !== null && queued.refusal !== "busy";
  if (queued.ticket.number !== null || ticket === null || isAnswered) return queued.ticket;
  const isKept = !isOver(after(ticket.heardAt, room.limits.returnWindowMs), view.now);
  if (!isKept || issued.clearsTicket) return queued.ticket;
  const eta = { known: false, seconds: null, low: null, high: null } as const;
  return { ...queued.ticket, number: ticket.number, state: "waiting", ahead: null, eta };
};

/** For the page: how long ago, as the visitor's clock may be another. */
const lostVisitOf = ({ view }: GateContext, ended: TicketResource["ended"]): VisitLoss | null => {
  if (ended === undefined) return null;
  const { reason, at, after_seconds: afterSeconds, heard_at: heardAt } = ended;
  return { reason, afterSeconds, agoMs: Math.max(0, view.now - Date.parse(at ?? heardAt)) };
};

/** What Cloudflare tells programs, and the templates of operators' own pages. */
const waitingRoomOf = ({ room, view }: GateContext, { refusal }: Queued, shown: TicketResource) => {
  const isFull = refusal === "line-full" || refusal === "lobby-full";
  return cfWaitingRoom(room, view.snapshot, shown, isFull, view.now);
};

const jsonAnswer = (context: GateContext, queued: Queued): Response => {
  const { room } = context;
  const body = {
    cfWaitingRoom: waitingRoomOf(context, queued, queued.ticket),
    seiriken: room.limits.permit === "request" ? withAdvice(room, queued) : queued.ticket,
  };
  return new Response(JSON.stringify(body), {
    status: statusFor(context, queued),
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
} as const satisfies Record<
  GateContext["kind"],
  (context: GateContext, queued: Queued) => Response
>;
