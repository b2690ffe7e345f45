/** Versions of what can be edited, as `ETag`: each change moves the time that they are made of. */
import type { Context } from "hono";
import { ApiRefusal } from "../../api/envelope.ts";
import { instant, rfc3339, type InstantMs } from "../../core/time.ts";
import type { AppContext } from "../isolate/app-context.ts";

export const etagAt = (changedAt: InstantMs): string => `"${rfc3339(changedAt)}"`;

/**
 * The tags that a condition lists. A tag names what something is set to, not bytes: what compresses an
 * answer on its way and calls the tag weak has not changed that.
 */
const entityTagsOf = (condition: string): readonly string[] =>
  condition.match(/(?<=^|[\s,]|W\/)("[^"]*"|\*)(?=$|[\s,])/g) ?? [];

/** Has the client this version already? */
export const isKnown = (c: Context<AppContext>, etag: string): boolean => {
  const known = entityTagsOf(c.req.header("If-None-Match") ?? "");
  return known.includes(etag) || known.includes("*");
};

/** What `If-Match` names (RFC 9110, 13.1.1), as the time of the last change that must still stand. */
export const readAtOf = (c: Context<AppContext>, what: string): InstantMs | undefined => {
  const given = c.req.header("If-Match");
  if (given === undefined || given.trim() === "*") return undefined;
  const [tag = "", ...more] = entityTagsOf(given);
  const at = more.length > 0 ? Number.NaN : Date.parse(tag.slice(1, -1));
  if (Number.isNaN(at))
    throw new ApiRefusal("modified-since", `If-Match names no version of ${what}.`);
  return instant(at);
};
