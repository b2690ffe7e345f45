/**
 * When pages that have lost their sockets come back: in the order of the line, so that whoever is near
 * its turn is there again first. The page adds up to two seconds by chance.
 */
import type { Eta } from "../estimate/eta.ts";

/** Of a lobby, which bears some 1,000 requests a second: claims and questions come beside. */
export const RETURNS_PER_SECOND = 400;
/** Over all lobbies of a room. */
const ROOM_RETURNS_PER_SECOND = 40_000;
/** What is told in steps of so many milliseconds is 0 in a small lobby, and need not be told there. */
const STEP_MS = 100;

/**
 * How long after a loss of its socket a page is to be back.
 *
 * @param before pages of the same lobby that stand further ahead, of `ahead` in the whole line
 * @param toldForMs how old this may be by then: what is left of the shortest wait by that time is halved
 */
export const returnAfterMs = (
  before: number,
  ahead: number,
  eta: Eta = { known: false, reason: "unheard" },
  toldForMs = 0,
): number => {
  const ms = 1_000 * Math.max(before / RETURNS_PER_SECOND, ahead / ROOM_RETURNS_PER_SECOND);
  const turnMs = eta.known ? Math.max(0, 1_000 * eta.low - toldForMs) : Infinity;
  return Math.floor(Math.min(ms, turnMs / 2) / STEP_MS) * STEP_MS;
};

/** Where `spot` stands, or would stand, among ascending ones. */
export const rankAmong = (spots: Float64Array, spot: number): number => {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spots[middle] ?? 0) < spot) low = middle + 1;
    else high = middle;
  }
  return low;
};
