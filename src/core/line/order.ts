/** In which order a line stands: that of its numbers, but for those that a draw has ordered anew. */
import type { Brand } from "../brand.ts";
import { DrawnOrder, type DrawnNumbers } from "../draw/drawn-order.ts";
import { bytesOfHex } from "../hex.ts";
import { ticketNumber, type TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";

/**
 * Where a number stands in the order of its line: the lower, the further ahead. It is the number itself,
 * or first - 1 + rank where a draw of the numbers from `first` gave it that rank.
 */
export type Spot = Brand<number, "Spot">;

/** Numbers that a draw has ordered, with the seed (64 hex digits) that it ordered them by. */
export interface DrawnStretch extends DrawnNumbers {
  readonly seed: string;
}

const isSame = (one: DrawnStretch, other: DrawnStretch): boolean =>
  one.first === other.first && one.last === other.last && one.seed === other.seed;

/** Never changed: a draw makes a new one. Nothing in it is kept per number. */
export class LineOrder {
  /** The order of a line without draws. */
  static readonly plain = new LineOrder([], []);
  readonly stretches: readonly DrawnStretch[];
  readonly #drawn: readonly DrawnOrder[];

  private constructor(
    stretches: readonly DrawnStretch[],
    known: readonly (DrawnOrder | undefined)[],
  ) {
    this.stretches = stretches;
    this.#drawn = stretches.map((stretch, at) => known[at] ?? drawnOrder(stretch));
    this.#drawn.forEach(({ numbers }, at) => {
      const before = this.#drawn[at - 1]?.numbers.last ?? 0;
      invariant(numbers.first > before, "no number is drawn twice");
    });
  }

  /** The order that these draws make. What this one has worked out already is not worked out again. */
  renewed(stretches: readonly DrawnStretch[]): LineOrder {
    const sorted = [...stretches].sort((a, b) => a.first - b.first);
    const known = sorted.map((stretch) => this.#drawnBy(stretch));
    if (known.length === this.stretches.length && !known.includes(undefined)) return this;
    return sorted.length === 0 ? LineOrder.plain : new LineOrder(sorted, known);
  }

  /** Without the draws that ordered only numbers below this one. */
  from(lowest: number): LineOrder {
    return this.renewed(this.stretches.filter(({ last }) => last >= lowest));
  }

  get isPlain(): boolean {
    return this.#drawn.length === 0;
  }

  /** Of any number, also one that was never issued. */
  spotOf(number: TicketNumber): Spot {
    const drawn = this.#around(number);
    const rank = drawn?.rankOf(number) ?? 1;
    return (drawn === undefined ? number : drawn.numbers.first - 1 + rank) as Spot;
  }

  numberAt(spot: Spot): TicketNumber {
    const drawn = this.#around(spot);
    if (drawn === undefined) return ticketNumber(spot);
    const number = drawn.numberAt(spot - drawn.numbers.first + 1);
    invariant(number !== null, "a draw gives each of its spots to a number");
    return number;
  }

  /** The draw whose numbers, and so whose spots, have this one among them. */
  #around(at: number): DrawnOrder | undefined {
    return this.#drawn.find(({ numbers }) => at >= numbers.first && at <= numbers.last);
  }

  #drawnBy(stretch: DrawnStretch): DrawnOrder | undefined {
    const at = this.stretches.findIndex((own) => isSame(own, stretch));
    return this.#drawn[at];
  }
}

const drawnOrder = ({ seed, first, last }: DrawnStretch): DrawnOrder => {
  const bytes = bytesOfHex(seed);
  invariant(bytes !== null, "a seed is given in hex");
  return new DrawnOrder(bytes, { first, last });
};
