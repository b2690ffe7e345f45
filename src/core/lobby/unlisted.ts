import type { TicketNumber } from "../ids.ts";
import { LineOrder } from "../line/order.ts";
import { mayHold, type Positions } from "../line/positions.ts";

/** How many numbers the Room is asked about at once; the others come up with the next table. */
const ASKED_MAX = 100;

/**
 * Numbers that a lobby takes for present and that the Room's tables do not have: the Room may have
 * called them, and every message of it was lost. One table may have crossed with a batch of the
 * lobby; the Room is asked about numbers that are missing from two tables in a row.
 */
export class Unlisted {
  #before: ReadonlySet<TicketNumber> = new Set();

  /** `table` is null where the Room told none, as to a lobby that it believes to be empty. */
  check(
    table: Positions | null,
    present: Iterable<TicketNumber>,
    order = LineOrder.plain,
  ): TicketNumber[] {
    const missing = new Set<TicketNumber>();
    for (const number of present) {
      if (table === null || !mayHold(table, order.spotOf(number))) missing.add(number);
    }
    const twice = [...missing].filter((number) => this.#before.has(number));
    this.#before = missing;
    return twice.sort((a, b) => a - b).slice(0, ASKED_MAX);
  }
}
