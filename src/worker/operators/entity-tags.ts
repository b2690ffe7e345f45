/** Versions of what can be edited, as `ETag`: each change moves the time that they are made of. */
import type { Context } from "hono";
import { ApiRefusal } from "../../api/envelope.ts";
import { instant, rfc3339, type InstantMs } from "../../core/time.ts";
import type { ReadAt } from "../../durable/contract.ts";
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

/**
 * What `If-Match` names (RFC 9110, 13.1.1), as the times of last changes: one of them must still stand. Null
 * where it names no version of ours.
 */
export const ifMatchOf = (c: Context<AppContext>): ReadAt | null | undefined => {
  const given = c.req.header("If-Match");
  if (given === undefined || given.trim() === "*") return undefined;
  const times = entityTagsOf(given).map((tag) => Date.parse(tag.slice(1, -1)));
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? null : known.map(instant);
};

/** For Cloudflare's calls. `what`: "this room". */
export const readAtOf = (c: Context<AppContext>, what: string): ReadAt | undefined => {
  const readAt = ifMatchOf(c);
  if (readAt !== null) return readAt;
  throw new ApiRefusal("modified-since", `If-Match names no version of ${what}.`);
};
