import type { TicketNumber } from "../ids.ts";
import { CountedBits } from "../line/counted-bits.ts";
import { Deadlines } from "../permits/deadlines.ts";
import { isOver, type InstantMs } from "../time.ts";

/**
 * Numbers that were told when to come back, until a little after that moment. They hold up nobody;
 * they only count when somebody behind them is told a moment of its own.
 */
export class Promised {
  readonly #numbers = new CountedBits();
  readonly #until = new Map<TicketNumber, InstantMs>();
  readonly #due = new Deadlines<TicketNumber>();

  get size(): number {
    return this.#numbers.size;
  }

  /** How many of them stand below the number. */
  below(number: TicketNumber): number {
    return this.#numbers.rank(number);
  }

  add(number: TicketNumber, until: InstantMs): void {
    this.#numbers.add(number);
    this.#until.set(number, until);
    this.#due.watch(number, until);
  }

  forget(number: TicketNumber): void {
    if (!this.#until.delete(number)) return;
    this.#numbers.delete(number);
  }

  /** Whoever has not come back by now is not expected any more. */
  expire(now: InstantMs): void {
    for (let number = this.#due.take(now); number !== null; number = this.#due.take(now)) {
      const until = this.#until.get(number);
      if (until === undefined) continue;
      if (isOver(until, now)) this.forget(number);
      else this.#due.watch(number, until);
    }
  }
}
