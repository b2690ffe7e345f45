/** The visitors' API: every path of it, and what answers there. */
import { problem } from "../../api/problem.ts";
import { PREFIX } from "../../durable/contract.ts";
import { gateContextOf } from "../admission/context.ts";
import type { GateContext } from "../admission/context.ts";
import { ownPreflight } from "../answers/our-headers.ts";
import { notFound } from "../answers/not-found.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isPreflight, isSafe } from "../arrival/caller.ts";
import { findRoom } from "../isolate/deployment.ts";
import type { Deployment } from "../isolate/deployment.ts";
import type { Isolate } from "../isolate/isolate.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { getDraw } from "./draw.ts";
import { getLanguages } from "./languages.ts";
import { dress, refuse, refuseUnreachable, whyNotHere } from "./our-room.ts";
import { getRoomState } from "./room-state.ts";
import { getSocket } from "./socket.ts";
import { deleteTicket, getTicket, postTicket } from "./tickets.ts";
import { deleteVisit, getVisit, patchVisit, postVisit } from "./visits.ts";
import { getWait } from "./wait.ts";

/** Below it is all that visitors ask of us. */
export const ROOMS = `${PREFIX}/rooms`;
const METHODS = "GET, HEAD, POST, PATCH, DELETE";

/** `event` is what the path names last, where it names an event. */
type Handler = (context: GateContext, event: string) => MaybePromise<Response>;
type Methods = Readonly<Partial<Record<"GET" | "POST" | "PATCH" | "DELETE", Handler>>>;

/** By what follows the room's name, and what each takes. */
const resources: ReadonlyMap<string, Methods> = new Map<string, Methods>([
  ["", { GET: getRoomState }],
  ["/tickets", { POST: postTicket }],
  ["/tickets/mine", { GET: getTicket, DELETE: deleteTicket }],
  ["/visits", { POST: postVisit }],
  ["/visits/mine", { GET: getVisit, PATCH: patchVisit, DELETE: deleteVisit }],
  ["/socket", { GET: getSocket }],
  ["/wait", { GET: getWait }],
  ["/languages", { GET: getLanguages }],
]);
const draws: Methods = { GET: getDraw };

/** `/{room}`, or `/{room}` and a resource. */
const ROOM_PATH = /^\/([^/]+)(.*)$/s;
const DRAW_PATH = /^\/draws\/([^/]+)$/s;

interface AskedResource {
  readonly room: string;
  readonly methods: Methods;
  readonly event: string;
}

/** Null where no path of ours is meant. `path` is what follows the prefix. */
const resourceAt = (path: string): AskedResource | null => {
  const [, room, rest = ""] = ROOM_PATH.exec(path) ?? [];
  if (room === undefined) return null;
  const methods = resources.get(rest);
  if (methods !== undefined) return { room: decoded(room), methods, event: "" };
  const [, event] = DRAW_PATH.exec(rest) ?? [];
  return event === undefined
    ? null
    : { room: decoded(room), methods: draws, event: decoded(event) };
};

const decoded = (part: string): string => {
  if (!part.includes("%")) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    // No name of a room or an event: it is looked for as it was sent, and not found.
    return part;
  }
};

/**
 * Finds the room, answers preflights, and dresses every answer. There is no router of a library's, as a
 * sale's every visitor comes this way (docs/decisions/shared-calls.md).
 */
export const answerVisitor = (
  isolate: Isolate,
  arrival: Arrival,
  deployment: Deployment,
  path: string,
): MaybePromise<Response> => {
  const asked = resourceAt(path.slice(ROOMS.length));
  if (asked === null) return notFound(arrival, "not-found");
  const room = findRoom(deployment, asked.room);
  if (room === null) return notFound(arrival, "room-not-found");
  if (isPreflight(arrival.request)) return ownPreflight(arrival, room, METHODS);
  const known = gateContextOf(isolate, arrival, deployment, room);
  return known instanceof Promise
    ? known.then((context) => dressedAnswer(context, asked))
    : dressedAnswer(known, asked);
};

const dressedAnswer = async (context: GateContext, asked: AskedResource): Promise<Response> => {
  let answer: Response;
  try {
    answer = await answerAt(context, asked);
  } catch (error) {
    answer = refuseUnreachable(context, error);
  }
  if (answer.status !== 101) dress(answer, context);
  return answer;
};

const answerAt = (
  context: GateContext,
  { methods, event }: AskedResource,
): MaybePromise<Response> => {
  const { arrival, method } = context;
  const problemCode = whyNotHere(context);
  if (problemCode !== null) return problem(problemCode, arrival.reference);
  const handler = methods[(isSafe(method) ? "GET" : method) as keyof Methods];
  if (handler !== undefined) return handler(context, event);
  const answer = refuse(context, "method-not-allowed");
  answer.headers.set("Allow", Object.keys(methods).join(", "));
  return answer;
};
