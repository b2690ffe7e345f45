import { invariant } from "../invariant.ts";
import type { Members } from "./counted-bits.ts";

/**
 * Who stands where, small enough to be sent to every lobby: members of the line, ascending, and how
 * many stand ahead of each. The lowest member and the highest are always among them.
 */
export interface Positions {
  readonly numbers: Float64Array;
  readonly ahead: Uint32Array;
}

export const POSITIONS_MAX = 2_048;

/**
 * At most `max` entries: the first half are the first members, and the others are evenly spaced in
 * rank over the rest. So a line that fits is there whole.
 */
export const tabulate = (members: Members, max: number): Positions => {
  invariant(Number.isInteger(max) && max >= 2, "a table has a first entry and a last");
  const entries = Math.min(members.size, max);
  const exact = Math.min(entries, Math.ceil(max / 2));
  const numbers = new Float64Array(entries);
  const ahead = new Uint32Array(entries);
  for (let at = 0, n = members.first(); at < exact && n !== null; at += 1) {
    numbers[at] = n;
    ahead[at] = at;
    n = members.next(n + 1);
  }
  const spaced = entries - exact;
  for (let step = 1; step <= spaced; step += 1) {
    const rank = exact - 1 + Math.ceil((step * (members.size - exact)) / spaced);
    numbers[exact - 1 + step] = members.at(rank) ?? 0;
    ahead[exact - 1 + step] = rank;
  }
  return { numbers, ahead };
};

/**
 * How many stand ahead of `n`, which need not be in the table, nor in the line. Exact up to the
 * first gap between entries and at every entry; within a gap it is estimated, and off by less than
 * the members that the gap holds. It never falls as `n` rises.
 */
export const aheadFrom = (table: Positions, n: number): number => {
  const { numbers, ahead } = table;
  const seat = seatOf(numbers, n);
  if (seat === 0) return 0;
  const below = numbers[seat - 1] ?? 0;
  const aheadBelow = ahead[seat - 1] ?? 0;
  const above = numbers[seat];
  const aheadAbove = ahead[seat];
  const least = aheadBelow + 1;
  if (above === undefined || aheadAbove === undefined || above === below + 1) return least;
  return least + Math.floor(((n - below - 1) * (aheadAbove - least)) / (above - below - 1));
};

/**
 * Could `n` have stood in line when the table was made? Not behind the last entry, where numbers
 * may have joined since, nor between two entries that follow each other in rank.
 */
export const mayHold = ({ numbers, ahead }: Positions, n: number): boolean => {
  const seat = seatOf(numbers, n);
  const above = ahead[seat];
  if (above === undefined) return false;
  return numbers[seat] === n || above > (ahead[seat - 1] ?? -1) + 1;
};

/** How many entries are below `n`. */
const seatOf = (numbers: Float64Array, n: number): number => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? n) < n) low = middle + 1;
    else high = middle;
  }
  return low;
};
