import type { TicketNumber } from "../ids.ts";
import { CountedBits } from "../line/counted-bits.ts";
import type { Spot } from "../line/order.ts";
import { DueTimes } from "../collections/due-times.ts";
import type { Returning } from "../ring/outlook.ts";
import { secondOf } from "../ring/ring.ts";
import { isOver, type InstantMs } from "../time.ts";

/**
 * Numbers that were told when to come back, until that moment. They delay nobody; they only count
 * when a number behind them is told a moment of its own.
 */
export class ScheduledReturns {
  readonly #spots = new CountedBits();
  readonly #returns = new Map<TicketNumber, { readonly spot: Spot; readonly until: InstantMs }>();
  /** How many come back in which second. */
  readonly #bySecond = new Map<number, number>();
  #lastSecond = -Infinity;
  readonly #due = new DueTimes<TicketNumber>();

  get size(): number {
    return this.#spots.size;
  }

  /** How many of them stand ahead of the spot. */
  ahead(spot: Spot): number {
    return this.#spots.rank(spot);
  }

  /** Those ahead of the spot, each in its second, the earliest first. */
  before(spot: Spot): Returning {
    let left = this.ahead(spot);
    return {
      inSecond: (second) => {
        const count = Math.min(left, this.#bySecond.get(second) ?? 0);
        left -= count;
        return count;
      },
      lastSecond: left === 0 ? -Infinity : this.#lastSecond,
    };
  }

  add(number: TicketNumber, spot: Spot, until: InstantMs): void {
    this.forget(number);
    this.#spots.add(spot);
    this.#returns.set(number, { spot, until });
    this.#due.watch(number, until);
    this.#count(until, 1);
  }

  forget(number: TicketNumber): void {
    const expected = this.#returns.get(number);
    if (expected === undefined) return;
    this.#returns.delete(number);
    this.#spots.delete(expected.spot);
    this.#count(expected.until, -1);
  }

  /** Numbers that have not come back by now are not expected any more. */
  expire(now: InstantMs): void {
    for (let number = this.#due.take(now); number !== null; number = this.#due.take(now)) {
      const until = this.#returns.get(number)?.until;
      if (until === undefined) continue;
      if (isOver(until, now)) this.forget(number);
      else this.#due.watch(number, until);
    }
  }

  #count(until: InstantMs, by: 1 | -1): void {
    const second = secondOf(until);
    const count = (this.#bySecond.get(second) ?? 0) + by;
    if (count === 0) this.#bySecond.delete(second);
    else this.#bySecond.set(second, count);
    this.#lastSecond = Math.max(this.#lastSecond, second);
  }
}
