/**
 * From a request to the origin's answer: its target, its headers, and what of the answer is the
 * visitor's.
 */
import type { RoomDefinition } from "../../core/definition.ts";
import type { VisitId } from "../../core/ids.ts";
import type { PaceAsk } from "../../core/pace/signal.ts";
import type { Arrival } from "../arrival/arrival.ts";
import { isSafe } from "../arrival/caller.ts";
import { reasonOf } from "../platform/log.ts";
import { andThen, asItIs } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";
import type { Ports } from "../platform/ports.ts";
import { askOnce, throwUnlessAgain } from "./ask.ts";
import { breakingAlike } from "./break-off.ts";
import { AnswerHead, cleanse } from "./answer-head.ts";
import type { VisitRelease } from "./command.ts";
import { finalAnswer, isInterim } from "./interim.ts";
import { LoopError } from "./loops.ts";
import { originRequestHeaders } from "./request-headers.ts";
import type { HeaderValues, WithoutPass } from "./request-headers.ts";
import { rewriteForVisitor } from "./rewrite.ts";
import { signatureOf } from "./signature.ts";
import { isBrokenBody } from "./watched-body.ts";
import { keepsHost, TargetError, targetOf } from "./target.ts";
import type { Target } from "./target.ts";

/** For whom the origin is asked. */
export interface OriginRequest {
  readonly room: RoomDefinition | null;
  readonly visit: VisitId | null;
  /**
   * Without a room: the rooms of this host have `keep_host`, so the origin hears the host here too.
   */
  readonly keepsHost?: boolean;
  /** Why it goes on without a visit, where a room had a say. */
  readonly without?: WithoutPass | null;
  /** Stops a request that nobody waits for any more, or that takes too long. */
  readonly signal?: AbortSignal | null;
  /** Of the lock under which it runs. */
  readonly fence?: number | null;
  /** Its body is read on the way: as it came, also when it is compressed. */
  readonly isWatched?: boolean;
  /**
   * Takes the body as soon as it begins, before anybody looks at what the answer says. It is given back
   * as it came, or as an answer of ours with the same head.
   */
  readonly relay?: ((received: Response) => MaybePromise<Response>) | null;
  /** The request's body may take long: told of each piece of it that is passed on. */
  readonly moved?: (() => void) | null;
}

/** `headers` are the response's own, and ours to change; body, status and socket are the origin's. */
export type OriginAnswer =
  | {
      readonly kind: "answer";
      readonly response: Response;
      /** When its head was here, by the isolate's clock; absent where it was kept from before. */
      readonly receivedAt?: number;
      readonly headers: Headers;
      readonly head: AnswerHead;
      readonly release: VisitRelease | null;
      /** Absent where it says nothing of it. */
      readonly pace?: PaceAsk;
      /** Its body is here already. */
      readonly isWhole?: true;
    }
  | Unreachable;

/**
 * origin-lost: what was asked may have been done all the same · origin-loop: it leads back to us
 * `isStopped`: the client, or who asked for it, has ended it
 */
export interface Unreachable {
  readonly kind: "unreachable";
  readonly code: "origin-unreachable" | "origin-lost" | "origin-loop";
  readonly isStopped: boolean;
}

/** One asking of the origin, from its first try to the answer. */
interface Asking {
  readonly ports: Ports;
  readonly arrival: Arrival;
  readonly originRequest: OriginRequest;
  readonly target: Target;
  readonly askedAt: number;
}

/** Asks the origin, whole and streamed, redirects untouched. It may refuse: only its silence is an error. */
export const forward = (
  ports: Ports,
  arrival: Arrival,
  originRequest: OriginRequest,
): Promise<OriginAnswer> => forwardAnd(ports, arrival, originRequest, ports.now(), asItIs);

/** Asks the origin, and goes on with its answer at once: a promise more for each step would be waited for. */
export const forwardAnd = <T>(
  ports: Ports,
  arrival: Arrival,
  originRequest: OriginRequest,
  askedAt: number,
  goOn: (answer: OriginAnswer) => MaybePromise<T>,
): Promise<T> => {
  try {
    const target = targetOf(arrival.env, originRequest.room);
    const asking = { ports, arrival, originRequest, target, askedAt };
    return ask(asking).then(
      (received) => andThen(answered(asking, received), goOn),
      (error: unknown) => askAgain(asking, error).then(goOn),
    );
  } catch (error) {
    return Promise.resolve(unreachable(ports, arrival, originRequest, error)).then(goOn);
  }
};

/** While the origin works nobody needs the headers that were sent, and there may be thousands of requests. */
const ask = ({ ports, arrival, originRequest, target }: Asking): Promise<Response> => {
  const headers = originHeaders(arrival, originRequest, target);
  if (arrival.env.ORIGIN_SECRET)
    return sign(headers, arrival.env.ORIGIN_SECRET, ports, arrival).then(() =>
      askOnce(ports, arrival, originRequest, target, headers),
    );
  const asked = askOnce(ports, arrival, originRequest, target, headers);
  arrival.forgetHeaders();
  return asked;
};

const askAgain = async (asking: Asking, error: unknown): Promise<OriginAnswer> => {
  const { ports, arrival, originRequest, askedAt } = asking;
  try {
    throwUnlessAgain(error, ports, arrival, originRequest, askedAt);
    return await answered(asking, await ask(asking));
  } catch (last) {
    return unreachable(ports, arrival, originRequest, last);
  }
};

/** At once, where the body is only to be passed on. */
const answered = (asking: Asking, received: Response): MaybePromise<OriginAnswer> => {
  const { ports, arrival, originRequest } = asking;
  const status = received.status;
  try {
    if (isInterim(status) || (originRequest.relay != null && status !== 101))
      return relayed(asking, received);
    return answerOf(asking, { received, response: received, receivedAt: ports.now() });
  } catch (error) {
    return unreachable(ports, arrival, originRequest, error);
  }
};

const relayed = async (asking: Asking, first: Response): Promise<OriginAnswer> => {
  const { ports, arrival, originRequest } = asking;
  try {
    const received = isInterim(first.status) ? await finalAnswer(first) : first;
    const receivedAt = ports.now();
    const { relay } = originRequest;
    const response = relay == null || received.status === 101 ? received : await relay(received);
    return answerOf(asking, { received, response, receivedAt });
  } catch (error) {
    return unreachable(ports, arrival, originRequest, error);
  }
};

const unreachable = (
  ports: Ports,
  arrival: Arrival,
  originRequest: OriginRequest,
  error: unknown,
): Unreachable => {
  // The client has left, so nobody hears the answer, and the origin is not to blame.
  const isStopped =
    arrival.request.signal.aborted || originRequest.signal?.aborted === true || isBrokenBody(error);
  const code = codeOf(error, arrival);
  if (isStopped) return { kind: "unreachable", code, isStopped };
  ports.log({
    level: "error",
    event: code,
    reference: arrival.reference,
    ...(originRequest.room === null ? {} : { room: originRequest.room.name }),
    reason: reasonOf(error),
  });
  return { kind: "unreachable", code, isStopped };
};

const codeOf = (error: unknown, { method }: Arrival): Unreachable["code"] => {
  if (error instanceof LoopError) return "origin-loop";
  const wasAsked = !(error instanceof TargetError);
  return wasAsked && !isSafe(method) ? "origin-lost" : "origin-unreachable";
};

const originHeaders = (
  arrival: Arrival,
  originRequest: OriginRequest,
  target: Target,
): HeaderValues => {
  const headers = originRequestHeaders(arrival, originRequest.room, target, originRequest.without);
  const room = originRequest.room?.name ?? "";
  const visit = originRequest.visit === null ? "" : String(originRequest.visit);
  if (room !== "") headers["seiriken-room"] = room;
  if (visit !== "") headers["seiriken-visit"] = visit;
  if (originRequest.fence != null) headers["seiriken-fence"] = String(originRequest.fence);
  return headers;
};

/** Vouches for what the headers say of room and visit. */
const sign = async (
  headers: HeaderValues,
  secret: string,
  ports: Ports,
  { method, asked }: Arrival,
): Promise<void> => {
  const room = headers["seiriken-room"] ?? "";
  const visit = headers["seiriken-visit"] ?? "";
  const vouched = { method, host: asked.server.host, path: asked.pathname, room, visit };
  headers["seiriken-signature"] = await signatureOf(secret, vouched, ports.now());
};

interface Relayed {
  readonly received: Response;
  /** The same, or ours in its place. */
  readonly response: Response;
  readonly receivedAt: number;
}

const answerOf = (
  { ports, arrival, originRequest, target }: Asking,
  { received, response: given, receivedAt }: Relayed,
): OriginAnswer => {
  const head = new AnswerHead(received.status);
  const isSocket = head.status === 101;
  const isOurs = isSocket || given !== received;
  const response = isOurs ? given : ours(ports, received, arrival, originRequest);
  const headers = isSocket ? new Headers(received.headers) : response.headers;
  const { release, pace } = cleanse(headers, head, originRequest.room);
  if (target.kind === "url" && originRequest.room?.rewrite !== false)
    rewriteForVisitor(headers, head, target.base, arrival, keepsHost(originRequest));
  const answer = { kind: "answer", response, receivedAt, headers, head, release } as const;
  return pace === null ? answer : { ...answer, pace };
};

/**
 * The answer with headers that can be changed. Where `isWatched`, the caller looks after its end.
 */
const ours = (
  ports: Ports,
  received: Response,
  arrival: Arrival,
  { isWatched }: OriginRequest,
): Response => {
  const seen = isWatched === true ? received : breakingAlike(ports, arrival, received);
  return seen === received ? new Response(received.body, received) : seen;
};
