import type { Brand } from "../brand.ts";
import { ticketNumber, type TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { KeyedPermutation, roundBlocks } from "./permutation.ts";

/** A number's place by a draw: whole, from 1 up. */
export type Rank = Brand<number, "Rank">;

/** The numbers that a draw orders: all from `first` to `last`, both of them among these. */
export interface DrawnNumbers {
  readonly first: TicketNumber;
  readonly last: TicketNumber;
}

/** The order that a seed gives to numbers. Both ways take the same few steps, however many they are. */
export class DrawnOrder {
  readonly numbers: DrawnNumbers;
  readonly #permutation: KeyedPermutation;

  constructor(seed: Uint8Array, numbers: DrawnNumbers) {
    invariant(numbers.first <= numbers.last, "a draw has numbers");
    this.numbers = numbers;
    this.#permutation = new KeyedPermutation(roundBlocks(seed), numbers.last - numbers.first + 1);
  }

  get size(): number {
    return this.#permutation.size;
  }

  /** Null for a number that is not in the draw. */
  rankOf(number: TicketNumber): Rank | null {
    const { first, last } = this.numbers;
    if (number < first || number > last) return null;
    return (this.#permutation.forward(number - first) + 1) as Rank;
  }

  /** Null for a rank beyond the last. */
  numberAt(rank: number): TicketNumber | null {
    if (!Number.isInteger(rank) || rank < 1 || rank > this.size) return null;
    return ticketNumber(this.numbers.first + this.#permutation.back(rank - 1));
  }
}
