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

const REASON_MAX = 300;

/** What went wrong, in one bounded line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? `${error.name}: ${error.message}` : String(error)).slice(0, REASON_MAX);
