import type { IpAddress, IpNetwork } from "../address/ip-address.ts";

/** Addresses of one width, from the first to the last, both included. */
export interface AddressRange {
  readonly width: IpAddress["width"];
  readonly first: bigint;
  readonly last: bigint;
}

export const rangeOfNetwork = ({ width, bits, length }: IpNetwork): AddressRange => ({
  width,
  first: bits,
  last: bits | ((1n << BigInt(width - length)) - 1n),
});

/** A set of addresses, searched by halving. */
export class AddressSet {
  readonly #short: readonly AddressRange[];
  readonly #long: readonly AddressRange[];

  constructor(ranges: readonly AddressRange[]) {
    this.#short = joined(ranges.filter(({ width }) => width === 32));
    this.#long = joined(ranges.filter(({ width }) => width === 128));
  }

  has({ width, bits }: IpAddress): boolean {
    const ranges = width === 32 ? this.#short : this.#long;
    let [low, high] = [0, ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const range = ranges[middle];
      if (range === undefined || range.first > bits) high = middle;
      else if (range.last < bits) low = middle + 1;
      else return true;
    }
    return false;
  }
}

/** The ranges in order; those that touch are one. */
const joined = (ranges: readonly AddressRange[]): readonly AddressRange[] => {
  const apart: AddressRange[] = [];
  for (const range of ranges.toSorted((a, b) => (a.first < b.first ? -1 : 1))) {
    const before = apart.at(-1);
    if (before === undefined || range.first > before.last) apart.push(range);
    else if (range.last > before.last) apart[apart.length - 1] = { ...before, last: range.last };
  }
  return apart;
};
