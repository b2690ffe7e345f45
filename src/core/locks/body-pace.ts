import { SECOND_MS } from "../time.ts";

/** Without a byte for so long a client has stalled. */
const IDLE_MAX_MS = 15_000;
/** So long a body may take however small it is; then it has to keep a rate. */
const FIRST_MS = 30 * SECOND_MS;
const BYTES_PER_SECOND_MIN = 1_024;

/**
 * How long the next piece of a body may be waited for, when its client has been waited for so long and
 * has sent so much. 0 and less: it is too slow.
 */
export const patienceMs = (waitedMs: number, bytes: number, wholeMaxMs: number): number => {
  const byRateMs = FIRST_MS + Math.floor(bytes / BYTES_PER_SECOND_MIN) * SECOND_MS;
  return Math.min(IDLE_MAX_MS, Math.min(byRateMs, wholeMaxMs) - waitedMs);
};
