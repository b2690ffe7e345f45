/**
 * Keeps a visit alive while its answers, uploads and sockets go on. When each renewal is due is
 * visit-keeper.ts.
 */
import { callObject } from "../isolate/call-object.ts";
import { lobbyOf } from "../isolate/room-views.ts";
import type { AnswerHead } from "../origin/answer-head.ts";
import { relaySocket } from "../origin/relay-socket.ts";
import { Lifetime } from "../permit/lifetime.ts";
import { VisitKeeper } from "./visit-keeper.ts";
import { relayAnswer } from "../permit/relay-answer.ts";
import { andThen } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { GateContext } from "./context.ts";
import type { VisitRef } from "./pass-on.ts";

/** A client of 16 KB a second has an answer of as many bytes a millisecond within its lease. */
const SLOW_BYTES_A_MS = 16;
/** A page, or a part of one, whose length nobody knows is over within this. */
const PAGE_MOST_MS = 60_000;
const PAGE_PARTS =
  /^(?:text\/(?:html|css|javascript)|application\/(?:json|(?:x-)?javascript|xhtml\+xml)|image\/|font\/)/i;

/**
 * The origin's answer to a visit. An answer that may outlast the visit's lease is watched: bytes
 * that flow renew the lease. All other answers, nearly all there are, go as they came.
 */
export const keepVisitDuring = (
  context: GateContext,
  visitRef: VisitRef,
  response: Response,
  head: AnswerHead,
): MaybePromise<Response> => {
  const { room, arrival } = context;
  const isSocket = head.status === 101;
  if (!isSocket && !mayOutlast(context, head, response)) return response;
  if (!room.limits.leaseRenews && room.closeSockets !== true) return response;
  const lifetime = lifetimeIn(context, arrival.request.signal);
  const stay = stayOf(context, visitRef, lifetime, isSocket ? "socket" : "stream");
  const moved = (): void => stay.moved();
  if (isSocket)
    return relaySocket(response, {
      moved,
      over: () => lifetime.end("answered"),
      stop: lifetime.signal,
    });
  return relayAnswer(response, lifetime, {
    arrival,
    silenceMaxMs: null,
    stallMaxMs: null,
    isEncoded: true,
    isAwaited: false,
    moved,
  });
};

/**
 * To be called for each piece of an upload, which renews its visit. Null where the upload is surely
 * short.
 */
export const uploadMoved = (context: GateContext, visitRef: VisitRef): (() => void) | null => {
  const { arrival, room } = context;
  const { leaseMs, leaseRenews } = room.limits;
  if (!leaseRenews || arrival.request.body === null) return null;
  const length = arrival.request.headers.get("Content-Length");
  if (length !== null && Number(length) <= leaseMs * SLOW_BYTES_A_MS) return null;
  const stay = stayOf(context, visitRef, lifetimeIn(context, null), "upload");
  return () => stay.moved();
};

const lifetimeIn = ({ isolate, arrival }: GateContext, client: AbortSignal | null): Lifetime =>
  new Lifetime({ ports: isolate.ports, waitUntil: arrival.waitUntil, client });

const mayOutlast = (
  { arrival, room }: GateContext,
  { contentLength: length, contentType }: AnswerHead,
  response: Response,
): boolean => {
  const { leaseMs } = room.limits;
  if (length !== null && Number(length) <= leaseMs * SLOW_BYTES_A_MS) return false;
  if (response.body === null || arrival.method === "HEAD") return false;
  if (length !== null || leaseMs < PAGE_MOST_MS) return true;
  return !PAGE_PARTS.test(contentType ?? "");
};

type Staying = "socket" | "stream" | "upload";

const stayOf = (
  context: GateContext,
  visitRef: VisitRef,
  lifetime: Lifetime,
  what: Staying,
): VisitKeeper => {
  const { isolate, arrival, room, view } = context;
  const { ports } = isolate;
  const epoch = view.snapshot?.epoch ?? 0;
  const lobby = () => lobbyOf(arrival, room, visitRef.lobby);
  return new VisitKeeper(
    {
      leaseMs: room.limits.leaseMs,
      renew: room.limits.leaseRenews
        ? () => callObject(ports, () => lobby().renew(visitRef.visit))
        : null,
      peek: () => callObject(ports, () => lobby().peek(visitRef.visit)),
      mayHaveEnded: () =>
        andThen(
          isolate.views.view(arrival, room),
          (latest) => latest.hasEnded(visitRef.visit) || (latest.snapshot?.epoch ?? 0) > epoch,
        ),
      // An upload goes on after its visit: what was sent so far would be lost.
      closes: room.closeSockets === true && what !== "upload",
      ended() {
        isolate.views.sawEnd(room, visitRef.visit);
        const { reference } = arrival;
        ports.log({ level: "info", event: "visit-outlived", reference, room: room.name, what });
      },
    },
    lifetime,
  );
};
