import { invariant } from "../invariant.ts";
import type { Members } from "./counted-bits.ts";
import type { Spot } from "./order.ts";

/**
 * Who stands where, small enough to be sent to every lobby: spots that are taken, ascending, and how
 * many stand ahead of each. The lowest spot and the highest are always among them.
 */
export interface Positions {
  readonly spots: Float64Array;
  readonly ahead: Uint32Array;
}

export const POSITIONS_MAX = 2_048;

/**
 * At most `max` entries: the first half are the first members, and the others are evenly spaced in
 * rank over the rest. So a line that fits is there whole.
 */
export const tabulate = (taken: Members, max: number): Positions => {
  invariant(Number.isInteger(max) && max >= 2, "a table has a first entry and a last");
  const entries = Math.min(taken.size, max);
  const exact = Math.min(entries, Math.ceil(max / 2));
  const spots = new Float64Array(entries);
  const ahead = new Uint32Array(entries);
  for (let at = 0, spot = taken.first(); at < exact && spot !== null; at += 1) {
    spots[at] = spot;
    ahead[at] = at;
    spot = taken.next(spot + 1);
  }
  const spaced = entries - exact;
  for (let step = 1; step <= spaced; step += 1) {
    const rank = exact - 1 + Math.ceil((step * (taken.size - exact)) / spaced);
    spots[exact - 1 + step] = taken.at(rank) ?? 0;
    ahead[exact - 1 + step] = rank;
  }
  return { spots, ahead };
};

/**
 * How many stand ahead of a spot, which need not be in the table, nor in the line. Exact up to the
 * first gap between entries and at every entry; within a gap it is estimated, and off by less than
 * the members that the gap holds. It never falls as the spot rises.
 */
export const aheadFrom = (table: Positions, spot: Spot): number => {
  const { spots, ahead } = table;
  const seat = seatOf(spots, spot);
  if (seat === 0) return 0;
  const below = spots[seat - 1] ?? 0;
  const aheadBelow = ahead[seat - 1] ?? 0;
  const above = spots[seat];
  const aheadAbove = ahead[seat];
  const least = aheadBelow + 1;
  if (above === undefined || aheadAbove === undefined || above === below + 1) return least;
  return least + Math.floor(((spot - below - 1) * (aheadAbove - least)) / (above - below - 1));
};

/**
 * Could somebody have stood on the spot when the table was made? Not behind the last entry, where spots
 * may have joined since, nor between two entries that follow each other in rank.
 */
export const mayHold = ({ spots, ahead }: Positions, spot: Spot): boolean => {
  const seat = seatOf(spots, spot);
  const above = ahead[seat];
  if (above === undefined) return false;
  return spots[seat] === spot || above > (ahead[seat - 1] ?? -1) + 1;
};

/** How many entries are below the spot. */
const seatOf = (spots: Float64Array, spot: Spot): number => {
  let low = 0;
  let high = spots.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((spots[middle] ?? spot) < spot) low = middle + 1;
    else high = middle;
  }
  return low;
};
