/** How many new numbers a room gives out, smoothed: to those who join, and to those who enter at once. */
import type { InstantMs } from "../time.ts";
import { EntryRate } from "./entry-rate.ts";

/** Follows the highest number issued. Nothing of it is kept over a restart. */
export class ArrivalRate {
  readonly #rate = EntryRate.restore(null);
  #issued: number;

  constructor(issued: number) {
    this.#issued = issued;
  }

  /** Once a step, however many have come in it. */
  observe(issued: number, now: InstantMs): void {
    if (issued > this.#issued) this.#rate.entered(now, issued - this.#issued);
    this.#issued = issued;
  }

  perMinute(now: InstantMs): number {
    return this.#rate.perMinute(now);
  }
}
