/**
 * What all calls of the visitors' API share: which pages may call, and the shapes of answers. Which call is
 * whose is routes.ts's.
 */
import { setCommonHeaders } from "../answers/our-headers.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isAllowedOrigin } from "../arrival/own-hosts.ts";
import type { GateContext } from "../admission/context.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import { isSafe } from "../arrival/caller.ts";
import { problem } from "../../api/problem.ts";
import type { ProblemCode } from "../../api/problem.ts";

/** Nothing of ours takes a body; one this small is ignored. */
const BODY_BYTES_MAX = 16_384;

/**
 * Why this request may not change anything: what changes something comes from the room's own pages, or from
 * no page at all. Null where it may.
 */
export const whyNotHere = ({ arrival, room }: GateContext): ProblemCode | null => {
  if (isSafe(arrival.method)) return null;
  if (!isFromOurPages(arrival, room)) return "foreign-origin";
  const bytes = Number(arrival.headers.get("content-length") ?? 0);
  return bytes > BODY_BYTES_MAX ? "too-large" : null;
};

const isFromOurPages = (arrival: Arrival, room: RoomDefinition): boolean => {
  const site = arrival.headers.get("sec-fetch-site");
  // The browser knows its page's port, also where a proxy in front keeps it from us.
  if (site === "same-origin") return true;
  const origin = arrival.headers.get("origin");
  if (origin !== null) return isAllowedOrigin(arrival, room, origin);
  return site === null || site === "none";
};

/** What every answer to a visitor of the room carries. */
export const dress = (answer: Response, { arrival, room, view }: GateContext): void => {
  setCommonHeaders(answer.headers, arrival, room);
  // The page reads instants of the Room's clock; here it learns how far its own is off.
  answer.headers.set("Date", new Date(view.now).toUTCString());
};

/** A problem in the visitor API, with the tokens that were handed out before it came up. */
export const refuse = (
  context: GateContext,
  code: ProblemCode,
  retryAfterSeconds: number | null = null,
  members: Readonly<Record<string, unknown>> = {},
): Response => {
  const answer = problem(code, context.arrival.reference, members);
  if (retryAfterSeconds !== null) answer.headers.set("Retry-After", String(retryAfterSeconds));
  context.issued.writeTo(answer.headers);
  return answer;
};

/** JSON of ours, with the tokens handed out. */
export const answerJson = (
  context: GateContext,
  status: 200 | 201 | 202,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const answer = new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
  context.issued.writeTo(answer.headers);
  return answer;
};

export const answerNothing = (context: GateContext): Response => {
  const answer = new Response(null, { status: 204 });
  context.issued.writeTo(answer.headers);
  return answer;
};

const UNREACHABLE_RETRY_SECONDS = 2;

/** The visitor API says plainly that an object cannot be reached; the page goes on trying. */
export const refuseUnreachable = (context: GateContext, error: unknown): Response => {
  if (!(error instanceof UnreachableError)) throw error;
  context.isolate.ports.log({
    level: "error",
    event: "room-unreachable",
    reference: context.arrival.reference,
    room: context.room.name,
    reason: error.message,
  });
  return refuse(context, "room-unavailable", UNREACHABLE_RETRY_SECONDS);
};
