import type { Sale } from "./sale.ts";

/** How many have come by a moment: evenly within each part of the time in which they come. */
export class Arrivals {
  readonly #visitors: number;
  readonly #partMs: number;
  /** Shares of all who came before each part, and at last 1. */
  readonly #before: readonly number[];
  #came = 0;

  constructor({ visitors, arrivals, arriveMs }: Pick<Sale, "visitors" | "arrivals" | "arriveMs">) {
    this.#visitors = visitors;
    this.#partMs = arriveMs / arrivals.length;
    const sum = arrivals.reduce((total, part) => total + part, 0);
    let so = 0;
    this.#before = [0, ...arrivals.map((part) => (so += part) / sum)];
  }

  /** Those who have come since this was asked last. */
  until(atMs: number): number {
    const by = Math.round(this.#visitors * this.#shareBy(atMs));
    const more = by - this.#came;
    this.#came = by;
    return more;
  }

  get areOver(): boolean {
    return this.#came >= this.#visitors;
  }

  #shareBy(atMs: number): number {
    const place = this.#partMs === 0 ? Infinity : atMs / this.#partMs;
    const part = Math.floor(place);
    const from = this.#before[part];
    const to = this.#before[part + 1];
    return from === undefined || to === undefined ? 1 : from + (to - from) * (place - part);
  }
}
