import type { Arrival } from "../arrival/arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { guardWithLock, mayNeedLock } from "../locks/guard.ts";
import type { Forward } from "../locks/guard.ts";
import { breakingAlike } from "../origin/break-off.ts";
import { forward } from "../origin/forward.ts";
import type { OriginRequest, OriginAnswer } from "../origin/forward.ts";

/** Asks the origin, under the lock that a rule wants for this request. */
export const askOrigin = (
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
): Promise<OriginAnswer> =>
  mayNeedLock(arrival)
    ? askLocked(isolate, arrival, originRequest)
    : forward(isolate.ports, arrival, originRequest);

const askLocked = async (
  isolate: Isolate,
  arrival: Arrival,
  originRequest: OriginRequest,
): Promise<OriginAnswer> => {
  const { ports } = isolate;
  const go: Forward = (request, fence) =>
    forward(ports, arrival.with(request), {
      ...originRequest,
      fence,
      isWatched: true,
      signal: either(originRequest.signal, request.signal),
    });
  const locked = await guardWithLock(isolate, arrival, go, originRequest.room);
  if (locked === null) return forward(ports, arrival, originRequest);
  if (locked.kind !== "answer" || locked.isWhole || originRequest.isWatched) return locked;
  const response = breakingAlike(ports, arrival, locked.response);
  return response === locked.response ? locked : { ...locked, response, headers: response.headers };
};

const either = (one: AbortSignal | null | undefined, other: AbortSignal): AbortSignal =>
  one == null ? other : AbortSignal.any([one, other]);
