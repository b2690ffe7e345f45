import { plainReason } from "../../core/plain-text.ts";
import { LogThrottle } from "../../core/log-throttle.ts";
import type { Differences } from "../../core/differences.ts";
import type { LogEvent } from "../../core/log-events.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";

/**
 * One line of the log: JSON, one object a line. It names what happened, never which visitor: no tokens,
 * no addresses, no query strings. Only of an operator's change it tells the network.
 */
export interface LogLine {
  readonly level: "info" | "warn" | "error";
  /** What happened: docs/logs.md has every word. */
  readonly event: LogEvent;
  /** The short reference that the visitor's page shows as well. */
  readonly reference?: string;
  readonly room?: string;
  /** Which settings an operator changed, from what to what. */
  readonly changes?: Differences | undefined;
  readonly [detail: string]: string | number | boolean | null | undefined | Differences;
}

/**
 * Warnings and errors of one event: in an outage every request has the same; once a second, with
 * the count.
 */
const TROUBLE_PER_SECOND_MAX = 1;
/** Other lines of one event: they are about single requests, and nobody reads more of them. */
const NEWS_PER_SECOND_MAX = 50;
const SUBJECTS_MAX = 1_000;

/** Writes at most so many lines a second for each event and room, whatever clients do. */
export const quietLog = (
  write: (line: LogLine) => void,
  now: () => number,
): ((line: LogLine) => void) => {
  const subjects = new BoundedMap<string, LogThrottle>(SUBJECTS_MAX);
  return (line) => {
    const subject = `${line.level}/${line.event}/${line.room ?? ""}`;
    const perSecondMax = line.level === "info" ? NEWS_PER_SECOND_MAX : TROUBLE_PER_SECOND_MAX;
    const throttle = subjects.getOrMake(subject, () => new LogThrottle(perSecondMax));
    const unsaid = throttle.mayTell(now());
    if (unsaid !== null) write(unsaid === 0 ? line : { ...line, unsaid });
  };
};

/** What went wrong, in one bounded line: without queries, and without what a terminal acts on. */
export const reasonOf = (error: unknown): string =>
  plainReason(error instanceof Error ? `${error.name}: ${error.message}` : String(error));
