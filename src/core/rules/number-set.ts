/** Whole numbers from the first to the last, both included. */
export type NumberRange = readonly [first: number, last: number];

export class NumberSet {
  readonly #ranges: readonly NumberRange[];

  constructor(ranges: readonly NumberRange[]) {
    this.#ranges = ranges;
  }

  has(value: number): boolean {
    return this.#ranges.some(([first, last]) => value >= first && value <= last);
  }
}
