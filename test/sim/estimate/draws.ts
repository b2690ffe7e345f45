/** Random draws from a seed (mulberry32, by Tommy Ettinger), in seconds where they are times. */
export class Draws {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** Evenly from 0 up to 1. */
  unit(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  between(least: number, most: number): number {
    return least + (most - least) * this.unit();
  }

  exponential(mean: number): number {
    return -Math.log(1 - this.unit()) * mean;
  }

  /** With this median, and two thirds of all within a factor of e to the `sigma`. */
  lognormal(median: number, sigma: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.unit())) * Math.cos(2 * Math.PI * this.unit());
    return median * Math.exp(sigma * normal);
  }

  chance(share: number): boolean {
    return this.unit() < share;
  }

  /** `count` moments evenly spread over a span, in order. */
  within(from: number, to: number, count: number): number[] {
    return Array.from({ length: count }, () => this.between(from, to)).sort((a, b) => a - b);
  }

  /** At random with so many a second. */
  poisson(from: number, to: number, perSecond: number): number[] {
    const moments: number[] = [];
    let at = from + this.exponential(1 / perSecond);
    for (; at < to; at += this.exponential(1 / perSecond)) moments.push(at);
    return moments;
  }
}
