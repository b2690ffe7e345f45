/**
 * A permit for one request at a lobby, and the origin's answer under it. Rooms of requests are
 * request-room.ts.
 */
import type { LobbyIndex } from "../../core/ids.ts";
import type { EnterReply } from "../../durable/contract.ts";
import type { GateContext } from "../admission/context.ts";
import { awaitMoment } from "../admission/moment.ts";
import { endVisit, passOnWatched } from "../admission/pass-on.ts";
import type { VisitRef } from "../admission/pass-on.ts";
import { errorResponse } from "../answers/error-response.ts";
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { Lifetime } from "../permit/lifetime.ts";
import { maySayNothing, relayAnswer, relayUntilIdle } from "../permit/relay-answer.ts";
import { RequestPermit } from "../permit/request-permit.ts";
import type { CounterReply } from "../permit/request-permit.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import { oneTimer } from "../platform/one-timer.ts";
import type { Ports } from "../platform/ports.ts";
import { addressKey } from "../tokens/address-key.ts";
import type { Identity } from "../tokens/presented.ts";

type No = Exclude<EnterReply, { kind: "visit" }>;

/** Enters an open room for one request only. Returns the room's "no" if it says no. */
export const enterTransiently = async (
  context: GateContext,
  { visitor, lobby: index }: Identity,
): Promise<Response | No> => {
  const { arrival, room, deployment } = context;
  const address = await addressKey(deployment.keys, arrival, room);
  const entry = { visitor, transient: true, number: null, address };
  const permit = permitFor<EnterReply>(context, index, {
    ask: (ports) => callObject(ports, () => lobbyOf(arrival, room, index).enter(entry)),
    abandon: () => Promise.resolve(),
  });
  const reply = await permit.ask();
  if (reply.kind !== "visit") return reply;
  const visitRef = { visit: reply.visit.visit, lobby: index };
  return serveUnder(context, visitRef, permit, () => awaitMoment(context, index));
};

/** How a lobby is asked for a permit, and told that the client left before there was an answer. */
interface Asking<Reply> {
  readonly ask: (ports: Ports) => Promise<Reply>;
  readonly abandon: () => Promise<unknown>;
}

/** A permit for this request, from one of the room's lobbies. */
export const permitFor = <Reply extends CounterReply>(
  context: GateContext,
  lobby: LobbyIndex,
  { ask, abandon }: Asking<Reply>,
): RequestPermit<Reply> => {
  const { arrival, room } = context;
  const ports: Ports = { ...context.isolate.ports, timer: oneTimer(context.isolate.ports) };
  const isolate = { ...context.isolate, ports };
  return new RequestPermit({
    ports,
    waitUntil: arrival.waitUntil,
    client: arrival.request.signal,
    ask: () => ask(ports),
    abandon,
    renew: (visit) => lobbyOf(arrival, room, lobby).renew(visit),
    end: (visit) => endVisit({ isolate, arrival, room }, { visit, lobby }, 0),
  });
};

/** The origin's answer under a permit. `before` may return another answer in its place. */
export const serveUnder = async (
  context: GateContext,
  visitRef: VisitRef,
  lifetime: Lifetime,
  before: (() => Promise<Response | null>) | null = null,
): Promise<Response> => {
  try {
    const instead = (await before?.()) ?? null;
    if (instead !== null) lifetime.end("turned-away");
    return instead ?? (await serve(context, visitRef, lifetime));
  } catch (error) {
    lifetime.stop("origin-failed");
    throw error;
  }
};

/** The answer to a client that has gone: nobody reads it. */
const nobody = (): Response => new Response(null, { status: 499 });

/** Asks the origin and watches its answer, for as long as the life lasts. */
const serve = async (
  context: GateContext,
  visitRef: VisitRef,
  lifetime: Lifetime,
): Promise<Response> => {
  const { arrival, room, issued, isolate } = context;
  const { ports, signal } = lifetime;
  if (lifetime.outcome !== null) return nobody();
  const stop = ports.timer(room.originTimeoutMs, () => lifetime.stop("origin-timeout"));
  let isRelayed = false;
  const relay = (received: Response): MaybePromise<Response> => {
    stop();
    isRelayed = true;
    return relayed(context, lifetime, received);
  };
  const passing = passOnWatched(context, visitRef, { signal, relay });
  const { response, isOrigins } = await passing.finally(stop);
  if (!isOrigins) {
    lifetime.end("origin-failed");
    if (lifetime.outcome !== "origin-timeout") return response;
    const { reference } = arrival;
    isolate.views.tallyOf(room).failed();
    isolate.ports.log({ level: "error", event: "origin-timeout", reference, room: room.name });
    const late = errorResponse(arrival, room, "origin-timeout");
    issued.writeTo(late.headers);
    return late;
  }
  if (isRelayed) return response;
  if (response.status === 101) return relayUntilIdle(response, lifetime, room.originTimeoutMs);
  return relayed(context, lifetime, response);
};

/** The answer, with an eye on its end. */
const relayed = (
  context: GateContext,
  lifetime: Lifetime,
  response: Response,
): MaybePromise<Response> => {
  const { arrival, room } = context;
  if (arrival.method === "HEAD") {
    lifetime.end("answered");
    return response;
  }
  if (maySayNothing(response.headers)) endWithLease(context, lifetime);
  return relayAnswer(response, lifetime, {
    arrival,
    silenceMaxMs: maySayNothing(response.headers) ? null : (room.originSilenceMs ?? null),
    stallMaxMs: room.originTimeoutMs,
    isEncoded: true,
    isAwaited: room.limits.permit === "request",
  });
};

/**
 * In a room of visits, a stream that goes on for as long as its client listens would keep a permit from
 * those who take a visit for it: without a pass it lasts as long as a visit without activity.
 */
const endWithLease = ({ room: { limits } }: GateContext, lifetime: Lifetime): void => {
  if (limits.permit !== "visit") return;
  const stop = lifetime.ports.timer(limits.leaseMs, () => lifetime.stop("revoked"));
  void lifetime.over.then(stop);
};
