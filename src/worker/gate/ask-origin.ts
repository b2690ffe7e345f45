import type { Arrival } from "../arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { guardWithLock, mayNeedLock } from "../locks/guard.ts";
import { forward } from "../origin/forward.ts";
import type { Errand, OriginAnswer } from "../origin/forward.ts";

/** Asks the origin, under the lock that a rule wants for this request. */
export const askOrigin = (
  isolate: Isolate,
  arrival: Arrival,
  errand: Errand,
): Promise<OriginAnswer> =>
  mayNeedLock(arrival)
    ? askLocked(isolate, arrival, errand)
    : forward(isolate.ports, arrival, errand);

const askLocked = async (
  { ports, lockRules }: Isolate,
  arrival: Arrival,
  errand: Errand,
): Promise<OriginAnswer> => {
  const locked = await guardWithLock(lockRules, ports, arrival, (request, fence) =>
    forward(ports, arrival.with(request), { ...errand, fence, isWatched: true }),
  );
  return locked ?? forward(ports, arrival, errand);
};
