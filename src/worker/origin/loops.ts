/**
 * `CDN-Loop` (RFC 8586), by which a request that comes round to us again is known: an origin may lead back
 * here, by way of other proxies too.
 */

export const LOOP_HEADER = "cdn-loop";
const OWN_ID = "seiriken";
/** One Seiriken may be another's origin, and one's rooms each other's: more in a row are nobody's plan. */
const PASSES_MAX = 4;

/** The origin leads back here. */
export class LoopError extends Error {
  override readonly name = "LoopError";
}

/**
 * What an origin hears, given what came.
 *
 * @throws LoopError where it has been here four times
 */
export const loopHeaderAfter = (came: string | undefined): string => {
  if (came === undefined || came === "") return OWN_ID;
  const passes = came.split(",").filter((info) => idOf(info) === OWN_ID).length;
  if (passes >= PASSES_MAX)
    throw new LoopError(`it has come through here ${passes} times: the origin leads back to us`);
  return `${came}, ${OWN_ID}`;
};

/** Without the parameters that may follow it. */
const idOf = (info: string): string => (info.split(";", 1)[0] ?? "").trim().toLowerCase();
