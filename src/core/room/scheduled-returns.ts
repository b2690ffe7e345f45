import type { TicketNumber } from "../ids.ts";
import { CountedBits } from "../line/counted-bits.ts";
import { DueTimes } from "../collections/due-times.ts";
import type { Returning } from "../ring/outlook.ts";
import { secondOf } from "../ring/ring.ts";
import { isOver, type InstantMs } from "../time.ts";

/**
 * Numbers that were told when to come back, until that moment. They delay nobody; they only count
 * when a number behind them is told a moment of its own.
 */
export class ScheduledReturns {
  readonly #numbers = new CountedBits();
  readonly #until = new Map<TicketNumber, InstantMs>();
  /** How many come back in which second. */
  readonly #bySecond = new Map<number, number>();
  #lastSecond = -Infinity;
  readonly #due = new DueTimes<TicketNumber>();

  get size(): number {
    return this.#numbers.size;
  }

  /** How many of them stand below the number. */
  below(number: TicketNumber): number {
    return this.#numbers.rank(number);
  }

  /** Those below the number, each in its second, the earliest first. */
  before(number: TicketNumber): Returning {
    let left = this.below(number);
    return {
      inSecond: (second) => {
        const count = Math.min(left, this.#bySecond.get(second) ?? 0);
        left -= count;
        return count;
      },
      lastSecond: left === 0 ? -Infinity : this.#lastSecond,
    };
  }

  add(number: TicketNumber, until: InstantMs): void {
    this.forget(number);
    this.#numbers.add(number);
    this.#until.set(number, until);
    this.#due.watch(number, until);
    this.#count(until, 1);
  }

  forget(number: TicketNumber): void {
    const until = this.#until.get(number);
    if (until === undefined) return;
    this.#until.delete(number);
    this.#numbers.delete(number);
    this.#count(until, -1);
  }

  /** Numbers that have not come back by now are not expected any more. */
  expire(now: InstantMs): void {
    for (let number = this.#due.take(now); number !== null; number = this.#due.take(now)) {
      const until = this.#until.get(number);
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
