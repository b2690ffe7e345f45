/**
 * One request to the origin, and when it may be asked a second time. Headers in and out are
 * forward.ts.
 */
import type { Arrival } from "../arrival/arrival.ts";
import { isSafe } from "../arrival/caller.ts";
import { reasonOf } from "../platform/log.ts";
import type { Ports } from "../platform/ports.ts";
import { lengthOf } from "./content-length.ts";
import type { OriginRequest } from "./forward.ts";
import { askHeadAlone, needsOwnConnection } from "./head-by-hand.ts";
import type { HeaderValues } from "./request-headers.ts";
import { hostKeeperOf, keepsHost, keptUrlAt, urlAt } from "./target.ts";
import type { Target } from "./target.ts";
import { watchedBody } from "./watched-body.ts";
import type { WatchedBody } from "./watched-body.ts";

/**
 * A connection that was idle for too long is found closed as soon as it is used. Later, the origin
 * may have worked for the request all the while, and should not do so twice.
 */
const CLOSED_WITHIN_MS = 1_000;

type Ask = (
  ports: Ports,
  arrival: Arrival,
  originRequest: OriginRequest,
  target: Target,
  headers: HeaderValues,
) => Promise<Response>;

/** Throws the error of a first try, where the origin may not be asked once more. */
export const throwUnlessAgain = (
  error: unknown,
  ports: Ports,
  arrival: Arrival,
  originRequest: OriginRequest,
  askedAt: number,
): void => {
  if (!mayAskAgain(arrival, originRequest) || ports.now() - askedAt > CLOSED_WITHIN_MS) throw error;
  tellAgain(ports, arrival, originRequest, error);
};

/** A request that changes nothing and whose body is not gone with the first try. */
const mayAskAgain = ({ request, method }: Arrival, { signal }: OriginRequest): boolean =>
  isSafe(method) && request.body === null && !request.signal.aborted && signal?.aborted !== true;

const tellAgain = (ports: Ports, arrival: Arrival, { room }: OriginRequest, error: unknown): void =>
  ports.log({
    level: "warn",
    event: "origin-asked-again",
    reference: arrival.reference,
    ...(room === null ? {} : { room: room.name }),
    reason: reasonOf(error),
  });

/**
 * Of a body that says its length the origin counts for itself what came, and under a lock somebody
 * watches already.
 */
const watchedFor = (
  { request, method, body }: Arrival,
  { fence, moved = null }: OriginRequest,
): WatchedBody | null => {
  if (isSafe(method) || body === null) return null;
  const length = lengthOf(request.headers);
  if (moved === null && (length !== null || fence != null)) return null;
  return watchedBody(body as ReadableStream<Uint8Array>, length, moved);
};

const either = (one: AbortSignal | null | undefined, other: AbortSignal): AbortSignal =>
  one == null ? other : AbortSignal.any([one, other]);

/** A copied request is more expensive, but it may be a GET with a body, and tells a service all of `cf`. */
export const askOnce: Ask = (ports, arrival, originRequest, target, headers) => {
  const { request, asked, method, env } = arrival;
  const { signal } = originRequest;
  const isBare = originRequest.without === "preflight";
  const watched = isBare ? null : watchedFor(arrival, originRequest);
  const body = watched?.readable ?? (isBare ? null : arrival.body);
  // Bytes as they came, also when they are compressed: nobody here reads them as text.
  const stops = (watched === null ? signal : either(signal, watched.broken)) ?? null;
  const how = { headers, redirect: "manual", encodeResponseBody: "manual" } as const;
  // A request that is copied keeps its own signal where none is named.
  const forCopy = (): RequestInit => (stops === null ? how : { ...how, signal: stops });
  if (target.kind === "service") {
    if (watched !== null) {
      // Nothing can be copied from a request whose body is under way.
      const cf = request.cf as RequestInit["cf"];
      const again: RequestInit = { ...forCopy(), method, body: watched.readable };
      return target.service.fetch(
        new Request(asked.whole, cf === undefined ? again : { ...again, cf }),
      );
    }
    const copy = new Request(asked.whole, isBare ? { method } : request);
    return target.service.fetch(new Request(copy, forCopy()));
  }
  const keeper =
    target.kind === "url" && keepsHost(originRequest) ? hostKeeperOf(env, target) : null;
  const to = keeper === null ? urlAt(target, asked) : keptUrlAt(target, asked);
  if (needsOwnConnection(arrival, target))
    return askHeadAlone(ports, target, new URL(to), headers, signal ?? null);
  const by = keeper ?? ports;
  if (body !== null && isSafe(method)) {
    // Without either header the runtime takes a GET for one without a body, and then fails on it.
    if (headers["content-length"] === undefined) headers["transfer-encoding"] = "chunked";
    return by.fetch(new Request(new Request(to, request), forCopy()));
  }
  return by.fetch(to, {
    method,
    body,
    headers,
    redirect: "manual",
    encodeResponseBody: "manual",
    signal: stops,
  });
};
