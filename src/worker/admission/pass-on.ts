/**
 * Sends a request on to the origin, in the name of a visit or without one, and ends visits that the
 * origin releases.
 */
import type { LobbyIndex, VisitId } from "../../core/ids.ts";
import type { VisitReply } from "../../durable/contract.ts";
import { errorResponse } from "../answers/error-response.ts";
import { delivered } from "../answers/delivered.ts";
import type { GateStatus } from "../answers/status.ts";
import { valueWithin } from "../isolate/deadline.ts";
import { isSafe } from "../arrival/caller.ts";
import { reasonOf } from "../platform/log.ts";
import type { OriginAnswer, OriginRequest } from "../origin/forward.ts";
import { breakingAlike } from "../origin/break-off.ts";
import { keepPrivate } from "../origin/private.ts";
import type { WithoutPass } from "../origin/request-headers.ts";
import { andThen, asItIs } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { PassClaims } from "../tokens/claims.ts";
import { askOrigin, askOriginAnd } from "./ask-origin.ts";
import type { GateContext } from "./context.ts";
import { learnEnd } from "./lost-visit.ts";
import { keepVisitDuring, uploadMoved } from "./long-answers.ts";
import { tellStep } from "./story.ts";
import { askAboutVisit } from "./visit-call.ts";

/** How long an answer's headers wait for a renewal or a release that runs beside the origin. */
const HEADERS_WAIT_MS = 250;

/** A visit in whose name the origin is asked. */
export interface VisitRef {
  readonly visit: VisitId;
  readonly lobby: LobbyIndex;
}

/** Forwards in the name of a visit whose pass, if it is new, is among the issued tokens already. */
export const passOn = (context: GateContext, visitRef: VisitRef): Promise<Response> =>
  ask(context, visitRef, (answer) => finishVisits(context, visitRef, answer));

export interface WatchedAnswer {
  readonly response: Response;
  /** False for an answer of our own, in place of one that did not come. */
  readonly isOrigins: boolean;
}

/** Forwards for as long as the signal lets it, and leaves the answer's body to the caller. */
export const passOnWatched = async (
  context: GateContext,
  visitRef: VisitRef,
  { signal, relay }: Required<Pick<OriginRequest, "signal" | "relay">>,
): Promise<WatchedAnswer> => {
  const { isolate, arrival, room } = context;
  const originRequest = { room, visit: visitRef.visit, signal, relay, isWatched: true };
  const answer = await askOrigin(isolate, arrival, originRequest);
  const response = await finish(context, visitRef, answer, "admitted");
  return { response, isOrigins: answer.kind === "answer" };
};

/** Forwards, and renews the lease beside it. */
export const passOnAndRenew = async (context: GateContext, pass: PassClaims): Promise<Response> => {
  const { isolate, arrival, room, issued } = context;
  const renewal = isolate.renewals.renew(arrival, room, pass);
  const answer = await ask(context, pass, asItIs);
  const reply = await valueWithin<VisitReply | null>(isolate.ports, renewal, HEADERS_WAIT_MS);
  if (reply?.kind === "visit") await issued.pass(pass.lobby, reply.visit);
  // The cookie stays: with the next request the pass says which visit is over.
  if (reply?.kind === "ended") learnEnd(context, pass, reply);
  return finishVisits(context, pass, answer);
};

/** Forwards without any visit. */
export const passOnFree = async (
  context: GateContext,
  status: GateStatus,
  without: WithoutPass | null = null,
): Promise<Response> => {
  const { isolate, arrival, room } = context;
  const answer = await askOrigin(isolate, arrival, { room, visit: null, without });
  return finish(context, null, answer, status);
};

/** Any answer to a visit may turn out to be long, and is then read on the way. */
const ask = <T>(
  context: GateContext,
  visitRef: VisitRef,
  goOn: (answer: OriginAnswer) => MaybePromise<T>,
): Promise<T> => {
  const { isolate, arrival, room } = context;
  const moved = isSafe(arrival.method) ? null : uploadMoved(context, visitRef);
  const originRequest = { room, visit: visitRef.visit, isWatched: true, moved };
  return askOriginAnd(isolate, arrival, originRequest, goOn);
};

/** An answer that ends its visit needs it no longer, however long it is. */
const finishVisits = (
  context: GateContext,
  visitRef: VisitRef,
  answer: OriginAnswer,
): MaybePromise<Response> => {
  const finished = finish(context, visitRef, answer, "admitted");
  if (answer.kind === "unreachable") return finished;
  return finished instanceof Promise
    ? finished.then((response) => follow(context, visitRef, answer, response))
    : follow(context, visitRef, answer, finished);
};

const follow = (
  context: GateContext,
  visitRef: VisitRef,
  answer: Extract<OriginAnswer, { kind: "answer" }>,
  response: Response,
): MaybePromise<Response> => {
  const { isolate, arrival } = context;
  const isOver = answer.release?.afterMs === 0;
  const { head } = answer;
  const followed = isOver ? response : keepVisitDuring(context, visitRef, response, head);
  if (followed !== response || answer.isWhole === true || head.contentLength !== null)
    return followed;
  return breakingAlike(isolate.ports, arrival, response);
};

const finish = (
  context: GateContext,
  visitRef: VisitRef | null,
  answer: OriginAnswer,
  status: GateStatus,
): MaybePromise<Response> => {
  if (answer.kind === "unreachable") {
    const failure = errorResponse(context.arrival, context.room, answer.code);
    context.issued.writeTo(failure.headers);
    return failure;
  }
  if (visitRef === null || answer.release === null) return deliver(context, answer, status);
  return andThen(release(context, visitRef, answer.release.afterMs), () =>
    deliver(context, answer, status),
  );
};

const deliver = (
  { room, issued }: GateContext,
  answer: Extract<OriginAnswer, { kind: "answer" }>,
  status: GateStatus,
): Response => {
  if (!issued.isEmpty) {
    keepPrivate(answer.headers);
    issued.writeTo(answer.headers);
  }
  return delivered(answer, status, room);
};

/** The origin is done with the visit: it ends, and its permit goes to the head of the line. */
const release = async (
  context: GateContext,
  visitRef: VisitRef,
  afterMs: number,
): Promise<void> => {
  const { isolate, arrival, room, issued } = context;
  // A visit for one answer only has no visitor whose way the log tells.
  if (context.presented.pass?.visit === visitRef.visit)
    tellStep(context, "visit-released", visitRef.visit);
  if (afterMs === 0) {
    isolate.views.sawEnd(room, visitRef.visit);
    issued.clear("pass");
  }
  const ending = endVisit(context, visitRef, afterMs);
  arrival.waitUntil(ending);
  await valueWithin(isolate.ports, ending, HEADERS_WAIT_MS);
};

/** Never rejects: a visit whose end does not arrive ends by its lease. */
export const endVisit = async (
  context: Pick<GateContext, "isolate" | "arrival" | "room">,
  visitRef: VisitRef,
  afterMs: number,
): Promise<void> => {
  const { isolate, arrival, room } = context;
  try {
    await askAboutVisit(context, visitRef.lobby, { end: visitRef.visit, afterMs });
  } catch (error) {
    isolate.ports.log({
      level: "warn",
      event: "end-lost",
      reference: arrival.reference,
      room: room.name,
      reason: reasonOf(error),
    });
  }
};
