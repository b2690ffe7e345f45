import type { RoomDefinition } from "../../core/definition.ts";
import type { VisitId } from "../../core/ids.ts";
import type { Arrival } from "../arrival.ts";
import { reasonOf } from "../log.ts";
import type { Ports } from "../ports.ts";
import { dropCommands, releaseOf } from "./command.ts";
import type { Release } from "./command.ts";
import { dropHopHeaders, originRequestHeaders } from "./request-headers.ts";
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
}

/** `headers` is ours to change; body, status and socket are the origin's. */
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
    const request = await originRequest(ports, arrival, errand, target);
    const response = await (target.kind === "service"
      ? target.service.fetch(request)
      : ports.fetch(request));
    return answerOf(response, arrival, errand, target);
  } catch (error) {
    // Whoever has gone away hears nothing, and the origin is not to blame.
    if (arrival.request.signal.aborted) return { kind: "unreachable" };
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

const originRequest = async (
  ports: Ports,
  arrival: Arrival,
  errand: Errand,
  target: Target,
): Promise<Request> => {
  const { env, request, url } = arrival;
  const headers = originRequestHeaders(arrival, target);
  const room = errand.room?.name ?? "";
  const visit = errand.visit === null ? "" : String(errand.visit);
  if (room !== "") headers.set("Seiriken-Room", room);
  if (visit !== "") headers.set("Seiriken-Visit", visit);
  if (env.ORIGIN_SECRET) {
    const vouched = { method: request.method, host: url.host, path: url.pathname, room, visit };
    const signature = await signatureOf(env.ORIGIN_SECRET, vouched, ports.now());
    headers.set("Seiriken-Signature", signature);
  }
  return new Request(new Request(urlAt(target, url).href, request), {
    headers,
    redirect: "manual",
    ...(errand.signal ? { signal: errand.signal } : {}),
  });
};

const answerOf = (
  response: Response,
  arrival: Arrival,
  errand: Errand,
  target: Target,
): OriginAnswer => {
  const headers = new Headers(response.headers);
  const release = releaseOf(headers);
  dropCommands(headers);
  if (response.status !== 101) dropHopHeaders(headers);
  if (target.kind === "url" && errand.room?.rewrite !== false)
    rewriteForVisitor(headers, target.base, arrival);
  return { kind: "answer", response, headers, release };
};
