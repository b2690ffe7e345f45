import type { RoomDefinition } from "../../core/definition.ts";
import type { VisitId } from "../../core/ids.ts";
import type { Arrival } from "../arrival.ts";
import { isSafe } from "../caller.ts";
import { reasonOf } from "../log.ts";
import type { Ports } from "../ports.ts";
import { isForUsAlone, releaseOf } from "./command.ts";
import type { Release } from "./command.ts";
import { isHop, listedBy, originRequestHeaders } from "./request-headers.ts";
import type { HeaderValues } from "./request-headers.ts";
import { rewriteForVisitor } from "./rewrite.ts";
import { signatureOf } from "./signature.ts";
import { targetOf, urlAt } from "./target.ts";
import type { Target } from "./target.ts";

/** For whom the origin is asked. */
export interface Errand {
  readonly room: RoomDefinition | null;
  readonly visit: VisitId | null;
  /** Stops a request that nobody waits for any more, or that takes too long. */
  readonly signal?: AbortSignal | null;
  /** Of the lock under which it runs. */
  readonly fence?: number | null;
  /** Its body is read on the way: as it came, also when it is compressed. */
  readonly isWatched?: boolean;
}

/** `headers` are the response's own, and ours to change; body, status and socket are the origin's. */
export type OriginAnswer =
  | {
      readonly kind: "answer";
      readonly response: Response;
      readonly headers: Headers;
      readonly release: Release | null;
    }
  | { readonly kind: "unreachable" };

/** Asks the origin, whole and streamed, redirects untouched. It may refuse: only its silence is an error. */
export const forward = async (
  ports: Ports,
  arrival: Arrival,
  errand: Errand,
): Promise<OriginAnswer> => {
  try {
    const target = targetOf(arrival.env, errand.room);
    const headers = originHeaders(arrival, errand, target);
    if (arrival.env.ORIGIN_SECRET) await sign(headers, arrival.env.ORIGIN_SECRET, ports, arrival);
    const response = await ask(ports, arrival, errand, target, headers);
    return answerOf(response, arrival, errand, target);
  } catch (error) {
    // Whoever has gone away hears nothing, and the origin is not to blame.
    const isStopped = arrival.request.signal.aborted || errand.signal?.aborted === true;
    if (isStopped) return { kind: "unreachable" };
    ports.log({
      level: "error",
      event: "origin-unreachable",
      reference: arrival.reference,
      ...(errand.room === null ? {} : { room: errand.room.name }),
      reason: reasonOf(error),
    });
    return { kind: "unreachable" };
  }
};

const originHeaders = (arrival: Arrival, errand: Errand, target: Target): HeaderValues => {
  const headers = originRequestHeaders(arrival, target);
  const room = errand.room?.name ?? "";
  const visit = errand.visit === null ? "" : String(errand.visit);
  if (room !== "") headers["seiriken-room"] = room;
  if (visit !== "") headers["seiriken-visit"] = visit;
  if (errand.fence != null) headers["seiriken-fence"] = String(errand.fence);
  return headers;
};

/** Vouches for what the headers say of room and visit. */
const sign = async (
  headers: HeaderValues,
  secret: string,
  ports: Ports,
  { request, url }: Arrival,
): Promise<void> => {
  const room = headers["seiriken-room"] ?? "";
  const visit = headers["seiriken-visit"] ?? "";
  const vouched = { method: request.method, host: url.host, path: url.pathname, room, visit };
  headers["seiriken-signature"] = await signatureOf(secret, vouched, ports.now());
};

/** A copied request is dearer, but it may be a GET with a body, and tells a service all of `cf`. */
const ask = (
  ports: Ports,
  { request, url }: Arrival,
  { signal, isWatched }: Errand,
  target: Target,
  headers: HeaderValues,
): Promise<Response> => {
  const { method, body } = request;
  const init: RequestInit = { headers, redirect: "manual" };
  if (signal) init.signal = signal;
  if (isWatched === true) init.encodeResponseBody = "manual";
  if (target.kind === "service")
    return target.service.fetch(new Request(new Request(url, request), init));
  const to = urlAt(target, url);
  if (body !== null && isSafe(method))
    return ports.fetch(new Request(new Request(to, request), init));
  init.method = method;
  if (body !== null) init.body = body;
  return ports.fetch(to, init);
};

const answerOf = (
  received: Response,
  arrival: Arrival,
  errand: Errand,
  target: Target,
): OriginAnswer => {
  const isSocket = received.status === 101;
  const response = isSocket ? received : new Response(received.body, received);
  const headers = isSocket ? new Headers(received.headers) : response.headers;
  const release = cleanse(headers, isSocket);
  if (target.kind === "url" && errand.room?.rewrite !== false)
    rewriteForVisitor(headers, target.base, arrival);
  return { kind: "answer", response, headers, release };
};

/** Takes out what is not for the visitor, and returns what of it is a command. */
const cleanse = (headers: Headers, isSocket: boolean): Release | null => {
  const listed = isSocket ? [] : listedBy(headers.get("connection"));
  const unwanted: string[] = [...listed];
  let isCommanding = false;
  headers.forEach((_value, name) => {
    const isForUs = isForUsAlone(name);
    isCommanding ||= isForUs;
    if (isForUs || (!isSocket && isHop(name))) unwanted.push(name);
  });
  const release = isCommanding ? releaseOf(headers) : null;
  for (const name of unwanted) headers.delete(name);
  return release;
};
