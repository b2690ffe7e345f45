import { plainText, withoutQueries } from "../core/plain-text.ts";
import { Quiet } from "../core/quiet.ts";

const REASON_MAX = 300;
/** Events are words of ours, so there are few of them. */
const subjects = new Map<string, Quiet>();

/** One structured line for what went wrong inside objects, once a second. No tokens, no addresses. */
export const logFailure = (
  event: string,
  error: unknown,
  more: Readonly<Record<string, string>> = {},
): void => {
  const quiet = subjects.get(event) ?? new Quiet(1);
  subjects.set(event, quiet);
  const unsaid = quiet.mayTell(Date.now());
  if (unsaid === null) return;
  const told = error instanceof Error ? error.message : String(error);
  const reason = plainText(withoutQueries(told, REASON_MAX), REASON_MAX);
  const count = unsaid === 0 ? {} : { unsaid };
  console.error(JSON.stringify({ level: "error", event, ...more, reason, ...count }));
};
