import type { Arrival } from "../arrival.ts";
import type { Isolate } from "../isolate/isolate.ts";
import { guardWithLock } from "../locks/guard.ts";
import { forward } from "../origin/forward.ts";
import type { Errand, OriginAnswer } from "../origin/forward.ts";

/** Asks the origin, under the lock that a rule wants for this request. */
export const askOrigin = async (
  isolate: Isolate,
  arrival: Arrival,
  errand: Errand,
): Promise<OriginAnswer> => {
  const { ports, lockRules } = isolate;
  const locked = await guardWithLock(lockRules, ports, arrival, (request, fence) =>
    forward(ports, { ...arrival, request }, { ...errand, fence, isWatched: true }),
  );
  return locked ?? forward(ports, arrival, errand);
};
