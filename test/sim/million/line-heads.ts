import type { InstantMs } from "../../../src/core/time.ts";

/** When the line was called up to a number for the first time. */
export class LineHeads {
  readonly #heads: { readonly at: InstantMs; readonly number: number }[] = [];
  readonly #lateMs = new Map<number, number>();

  /** A number is called: how much later than the first behind it? */
  calls(number: number, now: InstantMs): void {
    const head = this.#heads.at(-1)?.number ?? 0;
    if (number < head) this.#lateMs.set(number, now - (this.#passedAt(number) ?? now));
  }

  /** The highest number of a step. */
  reaches(number: number, at: InstantMs): void {
    if (number > (this.#heads.at(-1)?.number ?? 0)) this.#heads.push({ at, number });
  }

  lateMs(number: number): number {
    return this.#lateMs.get(number) ?? 0;
  }

  #passedAt(number: number): InstantMs | undefined {
    let low = 0;
    let high = this.#heads.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#heads[middle]?.number ?? Infinity) < number) low = middle + 1;
      else high = middle;
    }
    return this.#heads[low]?.at;
  }
}
