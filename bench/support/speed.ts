import { onlyStatuses } from "./load.ts";
import type { LoadResult } from "./load.ts";
import type { Served } from "./serve.ts";

export interface Speed {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly cpuUs: number;
}

/** Of a run whose answers all have this status; any other throws. */
export const speedOf = async (
  served: Served,
  run: () => Promise<LoadResult>,
  status: number,
): Promise<Speed> => {
  const cpuBefore = served.cpuMs();
  const { answers, seconds, p99Ms } = onlyStatuses(await run(), status);
  const cpuUs = ((served.cpuMs() - cpuBefore) * 1_000) / answers;
  return { perSecond: answers / seconds, p99Ms, cpuUs };
};
