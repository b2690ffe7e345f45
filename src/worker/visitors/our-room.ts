/**
 * What all calls of the visitors' API share: the room they are for, preflights, which pages may call,
 * and the shapes of answers.
 */
import { createMiddleware } from "hono/factory";
import type { Context } from "hono";
import { setCommonHeaders, ownPreflight } from "../answers/our-headers.ts";
import { isAllowedOrigin } from "../arrival/own-hosts.ts";
import { errorResponse } from "../answers/error-response.ts";
import type { AppContext } from "../isolate/app-context.ts";
import { gateContextOf } from "../admission/context.ts";
import type { GateContext } from "../admission/context.ts";
import { UnreachableError } from "../isolate/call-object.ts";
import { findRoom } from "../isolate/deployment.ts";
import { callerKindOf, isPreflight, isSafe } from "../arrival/caller.ts";
import { problem } from "../../api/problem.ts";
import type { ProblemCode } from "../../api/problem.ts";

/** A request to the visitor API of one room. */
export interface RoomContext {
  Bindings: AppContext["Bindings"];
  Variables: AppContext["Variables"] & { context: GateContext };
}

/** Nothing of ours takes a body; one this small is ignored. */
const BODY_BYTES_MAX = 16_384;
const METHODS = "GET, HEAD, POST, PATCH, DELETE";

/** Finds the room, answers preflights, and dresses every answer. */
export const inRoom = createMiddleware<RoomContext>(async function inRoom(c, next) {
  const arrival = c.get("arrival");
  const deployment = c.get("deployment");
  const isolate = c.get("isolate");
  const room = findRoom(deployment, c.req.param("room") ?? "");
  if (room === null)
    return callerKindOf(c.req.raw) === "document"
      ? errorResponse(arrival, null, "room-not-found")
      : dressed(problem("room-not-found", arrival.reference), c);
  if (isPreflight(c.req.raw)) return ownPreflight(arrival, room, METHODS);
  c.set("context", await gateContextOf(isolate, arrival, deployment, room));
  await next();
  if (c.res.status === 101) return undefined;
  setCommonHeaders(c.res.headers, arrival, room);
  // The page reads instants of the Room's clock; here it learns how far its own is off.
  c.res.headers.set("Date", new Date(c.get("context").view.now).toUTCString());
  return undefined;
});

/** Requests that change something come from the room's own pages, or from no page at all. */
export const fromOurPages = createMiddleware<RoomContext>(async function fromOurPages(c, next) {
  if (isSafe(c.req.method)) return next();
  if (!isFromOurPages(c)) return problem("foreign-origin", c.get("arrival").reference);
  if (Number(c.req.header("Content-Length") ?? 0) > BODY_BYTES_MAX)
    return problem("too-large", c.get("arrival").reference);
  return next();
});

const isFromOurPages = (c: Context<RoomContext>): boolean => {
  const context = c.get("context");
  const { arrival } = context;
  const site = c.req.header("Sec-Fetch-Site");
  // The browser knows its page's port, also where a proxy in front keeps it from us.
  if (site === "same-origin") return true;
  const origin = c.req.header("Origin");
  if (origin !== undefined) return isAllowedOrigin(arrival, context.room, origin);
  return site === undefined || site === "none";
};

/** A problem in the visitor API, with the tokens that were handed out before it came up. */
export const refuse = (
  c: Context<RoomContext>,
  code: ProblemCode,
  retryAfterSeconds: number | null = null,
  members: Readonly<Record<string, unknown>> = {},
): Response => {
  const answer = problem(code, c.get("arrival").reference, members);
  if (retryAfterSeconds !== null) answer.headers.set("Retry-After", String(retryAfterSeconds));
  c.get("context").issued.writeTo(answer.headers);
  return answer;
};

/** JSON of ours, with the tokens handed out. */
export const answerJson = (
  c: Context<RoomContext>,
  status: 200 | 201 | 202,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Response => {
  const answer = new Response(JSON.stringify(body), {
    status,
    headers: { "Content-Type": "application/json", ...headers },
  });
  c.get("context").issued.writeTo(answer.headers);
  return answer;
};

export const answerNothing = (c: Context<RoomContext>): Response => {
  const answer = new Response(null, { status: 204 });
  c.get("context").issued.writeTo(answer.headers);
  return answer;
};

const UNREACHABLE_RETRY_SECONDS = 2;

/** The visitor API says plainly that an object cannot be reached; the page goes on trying. */
export const answerUnreachable = async (
  c: Context<RoomContext>,
  answer: () => Promise<Response>,
): Promise<Response> => {
  try {
    return await answer();
  } catch (error) {
    if (!(error instanceof UnreachableError)) throw error;
    const context = c.get("context");
    const isolate = c.get("isolate");
    const arrival = c.get("arrival");
    isolate.ports.log({
      level: "error",
      event: "room-unreachable",
      reference: arrival.reference,
      room: context.room.name,
      reason: error.message,
    });
    return refuse(c, "room-unavailable", UNREACHABLE_RETRY_SECONDS);
  }
};

const dressed = (answer: Response, c: Context<RoomContext>): Response => {
  setCommonHeaders(answer.headers, c.get("arrival"), null);
  return answer;
};
