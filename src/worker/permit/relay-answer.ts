/**
 * Passes an answer on and notices its end, so that its permit lasts exactly as long. The permit
 * itself is request-permit.ts.
 */
import type { Arrival } from "../arrival/arrival.ts";
import { breakOff, isRefusal } from "../origin/break-off.ts";
import type { RequestWithBody } from "../origin/break-off.ts";
import { lengthOf } from "../origin/content-length.ts";
import { BodyRelay, CHUNK_BYTES, piecesOf, startingWith } from "../origin/relay-body.ts";
import type { BodyEnd } from "../origin/relay-body.ts";
import { relaySocket } from "../origin/relay-socket.ts";
import { IdleTimer } from "../platform/idle-timer.ts";
import type { Lifetime } from "./lifetime.ts";

/** Many programs say something every 25 to 30 s, so that nobody between them closes the socket. */
const SOCKET_IDLE_MS = 60_000;

/** Which end of an answer is waited for: the origin, or the client. */
type End = "source" | "sink";

export interface AnswerOptions {
  /** What ends the request, so that its client sees that the answer is not whole. */
  readonly arrival: Pick<Arrival, "abort"> & { readonly request: RequestWithBody };
  /** The longest silence of the origin within an answer; null: it may pause for as long as it likes. */
  readonly silenceMaxMs: number | null;
  /** The longest that a client may take nothing; null where others lose nothing by it. */
  readonly stallMaxMs: number | null;
  /** The body's bytes are encoded as its headers say; else the runtime sees to that. */
  readonly isEncoded: boolean;
  /** Somebody may wait for the permit: their request goes to the origin before this answer to its client. */
  readonly isAwaited: boolean;
  /** A piece of the body is passed on. */
  readonly moved?: () => void;
}

/** Is this a stream that is silent while nothing happens? */
export const maySayNothing = (headers: Headers): boolean =>
  headers.get("Content-Type")?.startsWith("text/event-stream") === true;

/**
 * The answer, byte for byte, with an eye on its end: its last byte, the origin's breaking off or
 * falling silent, the client's leaving or taking no more.
 */
export const relayAnswer = async (
  response: Response,
  lifetime: Lifetime,
  options: AnswerOptions,
): Promise<Response> => {
  const { body, status, statusText, headers } = response;
  if (body === null) {
    lifetime.end("answered");
    return response;
  }
  const lengthBytes = lengthOf(headers);
  const encodeBody = options.isEncoded ? "manual" : "automatic";
  const init = { status, statusText, headers, encodeBody } as const;
  const pieces = piecesOf(body, lengthBytes);
  const limits = { source: options.silenceMaxMs, sink: options.stallMaxMs };
  const idle = new IdleTimer<End>(lifetime.ports, limits, "source", (end) =>
    lifetime.stop(end === "source" ? "origin-timeout" : "client-gone"),
  );
  const first = isShort(lengthBytes, headers) ? pieces.next() : null;
  const piece = await first?.catch(() => null);
  if (piece?.byteLength === lengthBytes) {
    // All of it is here: nothing is left to watch.
    idle.stop();
    lifetime.end("answered");
    // One turn of the event loop: within it the next request has been sent (docs/decisions/the-counter.md).
    if (options.isAwaited) await scheduler.wait(0);
    return new Response(piece, init);
  }
  const relay = new BodyRelay(first === null ? pieces : startingWith(first, pieces), {
    lengthBytes,
    waiting: (end) => idle.waitFor(end),
    passing(_, isLast) {
      options.moved?.();
      // The origin is done; passing on the rest needs no permit.
      if (isLast) lifetime.end("answered");
    },
    stop: lifetime.signal,
  });
  const relaying = relay.run().then((end) => {
    idle.stop();
    return endLife(end, { relay, lifetime, lengthBytes, status, arrival: options.arrival });
  });
  // After a reset a write may never settle; the life is over all the same.
  lifetime.waitUntil(Promise.race([relaying, lifetime.over]));
  return new Response(relay.readable, init);
};

interface Relaying {
  readonly relay: BodyRelay;
  readonly lifetime: Lifetime;
  readonly lengthBytes: number | null;
  readonly status: number;
  readonly arrival: AnswerOptions["arrival"];
}

/** The life ends as the body did, and the client sees whether it has all of it. */
const endLife = async (
  end: BodyEnd,
  { relay, lifetime, lengthBytes, status, arrival }: Relaying,
): Promise<void> => {
  if (end.kind === "whole") return lifetime.end("answered");
  if (end.kind === "broken" && lengthBytes === null && isRefusal(arrival.request, status)) {
    lifetime.end("answered");
    return relay.writer.close().catch(() => undefined);
  }
  if (end.kind !== "stopped")
    lifetime.stop(end.kind === "broken" ? "origin-failed" : "client-gone");
  // With a length, what is missing tells the client. Without one the request ends with its answer,
  // and whatever has to be done after it comes first.
  if ((await lifetime.over) === "client-gone" || lengthBytes !== null)
    return relay.writer.abort(new Error("the answer was stopped")).catch(() => undefined);
  await lifetime.afterwards;
  return breakOff(lifetime.ports, arrival, relay.writer);
};

/**
 * A socket that is its own visit: the permit lasts as long as it does, and it ends when neither end
 * says anything for a minute, or for `idleMs` where that is longer. The runtime answers a socket's
 * own pings, so that only messages count.
 */
export const relayUntilIdle = (
  response: Response,
  lifetime: Lifetime,
  idleMs = SOCKET_IDLE_MS,
): Response => {
  const limits = { message: Math.max(SOCKET_IDLE_MS, idleMs) };
  const idle = new IdleTimer(lifetime.ports, limits, "message", () => lifetime.stop("idle"));
  void lifetime.over.then(() => idle.stop());
  return relaySocket(response, {
    moved: () => idle.waitFor("message"),
    over: () => lifetime.end("answered"),
    stop: lifetime.signal,
  });
};

/** Most likely the body is here in one piece: a server that knows its length has all of it. */
const isShort = (lengthBytes: number | null, headers: Headers): boolean =>
  lengthBytes !== null && lengthBytes > 0 && lengthBytes <= CHUNK_BYTES && !maySayNothing(headers);
