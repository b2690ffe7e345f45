import type { Sale } from "./sale.ts";

/** How many have come by a moment: evenly within each part of the time in which they come. */
export class Arrivals {
  readonly #visitors: number;
  /** When each part ends, and which share of all has come by then. */
  readonly #ends: readonly { readonly atMs: number; readonly share: number }[];
  #part = 0;
  #came = 0;

  constructor({ visitors, arrivals }: Pick<Sale, "visitors" | "arrivals">) {
    this.#visitors = visitors;
    const sum = arrivals.reduce((total, { weight }) => total + weight, 0);
    let atMs = 0;
    let weight = 0;
    this.#ends = arrivals.map((part) => {
      atMs += part.lengthMs;
      weight += part.weight;
      return { atMs, share: weight / sum };
    });
  }

  /** Those who have come since this was asked last. Moments never fall. */
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
    while (atMs >= (this.#ends[this.#part]?.atMs ?? Infinity)) this.#part += 1;
    const end = this.#ends[this.#part];
    if (end === undefined) return 1;
    const begin = this.#ends[this.#part - 1] ?? { atMs: 0, share: 0 };
    const place = (atMs - begin.atMs) / (end.atMs - begin.atMs);
    return begin.share + (end.share - begin.share) * place;
  }
}
