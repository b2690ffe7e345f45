import { BoundedMap } from "./isolate/bounded-map.ts";

/**
 * One line of the log: JSON, one object a line. It names what happened, never who: no tokens, no
 * addresses, no query strings.
 */
export interface LogLine {
  readonly level: "info" | "warn" | "error";
  /** A stable word for what happened. */
  readonly event: string;
  /** The short reference that the visitor's page shows as well. */
  readonly reference?: string;
  readonly room?: string;
  readonly [detail: string]: string | number | boolean | null | undefined;
}

/** In an outage every request has the same to say; once a second is enough, with the count. */
const QUIET_MS = 1_000;
const SUBJECTS_MAX = 1_000;

/** Writes at most one error line a second for each event and room. */
export const quietLog = (
  write: (line: LogLine) => void,
  now: () => number,
): ((line: LogLine) => void) => {
  const said = new BoundedMap<string, { at: number; unsaid: number }>(SUBJECTS_MAX);
  return (line) => {
    if (line.level !== "error") return write(line);
    const subject = `${line.event}/${line.room ?? ""}`;
    const last = said.get(subject);
    if (last !== undefined && Math.abs(now() - last.at) < QUIET_MS) {
      last.unsaid += 1;
      return;
    }
    said.set(subject, { at: now(), unsaid: 0 });
    write(last === undefined || last.unsaid === 0 ? line : { ...line, unsaid: last.unsaid });
  };
};

const REASON_MAX = 300;

/** What went wrong, in one bounded line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, REASON_MAX);
