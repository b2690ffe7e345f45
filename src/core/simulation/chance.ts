import type { Lengths } from "./sale.ts";

/** Random numbers that are the same from the same seed (the 32-bit mixer of SplitMix). */
export class Chance {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1. */
  unit(): number {
    this.#state = (this.#state + 0x9e3779b9) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  }

  happens(share: number): boolean {
    return share > 0 && this.unit() < share;
  }

  /** Milliseconds. */
  length(lengths: Lengths): number {
    if (lengths.kind === "around") return -Math.log(1 - this.unit()) * lengths.meanMs;
    return lengths.leastMs + this.unit() * (lengths.mostMs - lengths.leastMs);
  }
}
