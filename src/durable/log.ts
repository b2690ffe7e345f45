import type { LogEvent } from "../core/log-events.ts";
import { BoundedMap } from "../core/collections/bounded-map.ts";
import { plainReason } from "../core/plain-text.ts";
import { LogThrottle } from "../core/log-throttle.ts";

/** Events are words of ours, so there are few of them. */
const subjects = new BoundedMap<string, LogThrottle>(1_000);

/** One structured line for what went wrong inside objects, once a second. No tokens, no addresses. */
export const logFailure = (
  event: LogEvent,
  error: unknown,
  more: Readonly<Record<string, string>> = {},
): void => {
  const throttle = subjects.getOrMake(event, () => new LogThrottle(1));
  const unsaid = throttle.mayTell(Date.now());
  if (unsaid === null) return;
  const told = error instanceof Error ? error.message : String(error);
  const reason = plainReason(told);
  const count = unsaid === 0 ? {} : { unsaid };
  console.error(JSON.stringify({ level: "error", event, ...more, reason, ...count }));
};
