/**
 * An origin may lead back here, by way of other proxies too. What comes round again is known by what only a
 * Seiriken sets: `Seiriken-Room`, and where there is none, and from the second round on, `CDN-Loop` (RFC 8586).
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
 * What an origin hears as `CDN-Loop`, given what came, and whether it came from a room.
 *
 * @throws LoopError where it has been here four times
 */
export const loopHeaderAfter = (came: string | null, isFromRoom: boolean): string => {
  const noted = came === null ? 0 : came.split(",").filter(isOwn).length;
  const passes = noted + (isFromRoom ? 1 : 0);
  if (passes >= PASSES_MAX)
    throw new LoopError(`it has come through here ${passes} times: the origin leads back to us`);
  return came === null || came === "" ? OWN_ID : `${came}, ${OWN_ID}`;
};

/** Parameters may follow it. */
const isOwn = (info: string): boolean =>
  (info.split(";", 1)[0] ?? "").trim().toLowerCase() === OWN_ID;
