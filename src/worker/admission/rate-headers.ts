import type { RoomDefinition } from "../../core/definition.ts";
import { LIMIT_HEADER, limitText, POLICY_HEADER, policyText } from "../answers/rate-limit.ts";
import type { QuotaPolicy } from "../answers/rate-limit.ts";

/**
 * starts: of visits, or of requests in a room of requests · requests: those of all admitted
 * visitors
 */
export type RateName = "starts" | "requests";

/** A second, and no finer: that is what the headers can say. */
const WINDOW_SECONDS = 1;

/** What this request learned of the room's limits per second, for the answer's headers. */
export class RateHeaders {
  #left: Map<RateName, number> | null = null;

  told(name: RateName, left: number): void {
    this.#left ??= new Map();
    this.#left.set(name, left);
  }

  /** An origin's own limits stay beside ours. A socket's answer takes no headers. */
  writeTo(answer: Response, room: RoomDefinition): Response {
    const policies = policiesOf(room);
    if (policies.length === 0 || answer.status === 101) return answer;
    answer.headers.append(POLICY_HEADER, policyText(policies));
    // No client may be told of more before it may come back.
    const retryAfter = Number(answer.headers.get("Retry-After") ?? Number.NaN);
    const resetSeconds = retryAfter >= WINDOW_SECONDS ? retryAfter : WINDOW_SECONDS;
    const limits = [...(this.#left ?? [])].map(([name, left]) => ({ name, left, resetSeconds }));
    if (limits.length > 0) answer.headers.append(LIMIT_HEADER, limitText(limits));
    return answer;
  }
}

/** Has the room limits per second that its answers tell of? */
export const limitsRates = ({ limits, originRequestsPerSecondMax }: RoomDefinition): boolean =>
  limits.startsPerSecondMax !== null || originRequestsPerSecondMax !== null;

const policiesOf = ({ limits, originRequestsPerSecondMax }: RoomDefinition): QuotaPolicy[] => {
  const starts = limits.startsPerSecondMax;
  const requests = originRequestsPerSecondMax;
  if (limits.permit === "visit")
    return [...policyOf("starts", starts), ...policyOf("requests", requests)];
  // Each request is a start, so both limits are one.
  if (starts === null || requests === null) return policyOf("starts", starts ?? requests);
  return policyOf("starts", Math.min(starts, requests));
};

const policyOf = (name: RateName, quota: number | null): QuotaPolicy[] =>
  quota === null ? [] : [{ name, quota, windowSeconds: WINDOW_SECONDS }];
