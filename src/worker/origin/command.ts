import { paceAskOf, type PaceAsk } from "../../core/pace/signal.ts";
import { SECOND_MS } from "../../core/time.ts";

/** The origin is done with this visit, at once or in so many milliseconds. */
export interface VisitRelease {
  readonly afterMs: number;
}

const COMMAND = "seiriken-command";
/** Cloudflare's header of the same meaning. */
const CLOUDFLARE_COMMAND = "cf-waiting-room-command";
const AFTER_SECONDS_MAX = 86_400;

/**
 * What the origin's answer commands, or null. Unknown commands are ignored, and so is one of
 * Cloudflare's that is not `enabled`, as there.
 */
export const releaseOf = (headers: Headers, enabled: readonly string[]): VisitRelease | null => {
  const ours = /^\s*release\s*(?:;\s*after\s*=\s*(\d{1,9})\s*)?$/i.exec(headers.get(COMMAND) ?? "");
  if (ours !== null)
    return { afterMs: Math.min(Number(ours[1] ?? 0), AFTER_SECONDS_MAX) * SECOND_MS };
  const theirs = (headers.get(CLOUDFLARE_COMMAND) ?? "").trim().toLowerCase();
  return theirs === "revoke" && enabled.includes(theirs) ? { afterMs: 0 } : null;
};

const PACE = "seiriken-pace";
const PACE_LENGTH_MAX = 200;

/** What the origin's answer says of the pace; null where it says nothing, or nothing that can be read. */
export const paceSaid = (headers: Headers): PaceAsk | null => {
  const said = headers.get(PACE);
  return said === null || said.length > PACE_LENGTH_MAX ? null : paceAskOf(said);
};

/** Commands are for us alone, and what looks like our own headers is not the origin's to say. */
export const isForUsAlone = (name: string): boolean =>
  name.startsWith("seiriken-") || name === CLOUDFLARE_COMMAND;
