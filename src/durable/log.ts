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

/** Alerts are few, and each is told once; a deployment of many rooms may have many at once. */
const NEWS_PER_SECOND_MAX = 50;

/** One structured line for what happened in a room. */
export const logNews = (event: LogEvent, more: Readonly<Record<string, unknown>>): void => {
  const throttle = subjects.getOrMake(event, () => new LogThrottle(NEWS_PER_SECOND_MAX));
  const unsaid = throttle.mayTell(Date.now());
  if (unsaid === null) return;
  const count = unsaid === 0 ? {} : { unsaid };
  console.log(JSON.stringify({ level: "info", event, ...more, ...count }));
};
