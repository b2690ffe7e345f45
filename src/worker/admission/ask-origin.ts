import type { Arrival } from "../arrival/arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { guardWithLock, mayNeedLock } from "../locks/guard.ts";
import type { Forward } from "../locks/guard.ts";
import { breakingAlike } from "../origin/break-off.ts";
import { lengthOf } from "../origin/content-length.ts";
import { forwardAnd } from "../origin/forward.ts";
import type { OriginRequest, OriginAnswer } from "../origin/forward.ts";
import { asItIs } from "../platform/maybe-promise.ts";
import type { MaybePromise } from "../platform/maybe-promise.ts";

/** Asks the origin, under the lock that a rule wants for this request. */
export const askOrigin = (
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
): Promise<OriginAnswer> => askOriginAnd(isolate, arrival, originRequest, asItIs);

/** Asks the origin, and goes on with its answer at once. */
export const askOriginAnd = <T>(
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
  goOn: (answer: OriginAnswer) => MaybePromise<T>,
): Promise<T> =>
  mayNeedLock(arrival)
    ? askLocked(isolate, arrival, originRequest).then(goOn)
    : askCounted(isolate, arrival, originRequest, goOn);

const askLocked = async (
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
): Promise<OriginAnswer> => {
  const { ports } = isolate;
  const go: Forward = (request, fence) =>
    askCounted(
      isolate,
      arrival.with(request),
      {
        ...originRequest,
        fence,
        isWatched: true,
        // What the lock keeps of the answer comes first.
        relay: null,
        signal: either(originRequest.signal, request.signal),
      },
      asItIs,
    );
  const locked = await guardWithLock(isolate, arrival, go, originRequest.room);
  if (locked === null) return askCounted(isolate, arrival, originRequest, asItIs);
  if (locked.kind !== "answer" || locked.isWhole || originRequest.isWatched) return locked;
  const response = breakingAlike(ports, arrival, locked.response);
  return response === locked.response ? locked : { ...locked, response, headers: response.headers };
};

const either = (one: AbortSignal | null | undefined, other: AbortSignal): AbortSignal =>
  one == null ? other : AbortSignal.any([one, other]);

/** A longer body is an upload: its visitor decides how long it takes. */
const SHORT_BODY_BYTES_MAX = 65_536;

const ERROR_STATUS_MIN = 500;

/**
 * Asks, and counts for the room how long the origin took. What is for no visit is not the room's
 * traffic; what the origin says of the pace counts with every answer for a path of the room.
 */
const askCounted = <T>(
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
  goOn: (answer: OriginAnswer) => MaybePromise<T>,
): Promise<T> => {
  const { ports } = isolate;
  const askedAt = ports.now();
  return forwardAnd(ports, arrival, originRequest, askedAt, (answer) => {
    count(isolate, arrival, originRequest, answer, askedAt);
    return goOn(answer);
  });
};

const count = (
  { ports, views }: Isolate,
  arrival: Arrival,
  { room, visit }: OriginRequest,
  answer: OriginAnswer,
  askedAt: number,
): void => {
  if (room === null) return;
  if (answer.kind === "answer" && answer.pace !== undefined)
    views.heardPace(arrival, room, answer.pace);
  if (visit === null) return;
  const tally = views.tallyOf(room);
  if (answer.kind === "unreachable") {
    if (!answer.isStopped) tally.failed();
  } else if (answer.head.status >= ERROR_STATUS_MIN) tally.failed();
  else tally.answered(isShort(arrival) ? (answer.receivedAt ?? ports.now()) - askedAt : null);
};

const isShort = ({ request, body }: Arrival): boolean =>
  body === null || (lengthOf(request.headers) ?? Infinity) <= SHORT_BODY_BYTES_MAX;
