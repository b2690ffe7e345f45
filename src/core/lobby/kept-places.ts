/**
 * Places of requests without a ticket, found again by a key. What the key is read from is for the
 * Worker.
 */
import { LatestMap } from "../collections/latest-map.ts";
import type { TicketNumber } from "../ids.ts";
import { LineOrder, type Spot } from "../line/order.ts";
import { after, isOver, type InstantMs } from "../time.ts";

/** A place in line whose request was sent away, and is expected back without its ticket. */
export interface KeptPlace {
  readonly key: string;
  readonly number: TicketNumber;
  readonly joinedAt: InstantMs;
  readonly heardAt: InstantMs;
}

/** What is to be written, each row once. */
export interface KeptChanges {
  readonly put: readonly KeptPlace[];
  readonly drop: readonly TicketNumber[];
}

/** No lobby has more unspent numbers than this, so no place that is still good is forgotten. */
export const KEPT_PLACES_MAX = 16_384;

/**
 * The places that wait for a client which is known by a key alone: an address, or the value of a
 * header. Several clients may share a key. Each place is given out once, the foremost in line first, so two
 * requests at once never stand for one number; and only to its own key.
 */
export class KeptPlaces {
  readonly #most: number;
  /** In the order in which they were left. */
  readonly #byNumber: LatestMap<TicketNumber, KeptPlace>;
  /** Ascending. */
  readonly #byKey = new Map<string, TicketNumber[]>();
  #changed = new Set<TicketNumber>();

  /** Goes on from what was written. */
  constructor(written: Iterable<KeptPlace> = [], most = KEPT_PLACES_MAX) {
    this.#most = most;
    this.#byNumber = new LatestMap(most);
    for (const place of written) this.leave(place);
    this.#changed.clear();
  }

  get size(): number {
    return this.#byNumber.size;
  }

  /** The request was sent away. Beyond the bound the place that was left longest ago is forgotten. */
  leave(place: KeptPlace): void {
    this.forget(place.number);
    const { oldest } = this.#byNumber;
    if (this.#byNumber.size >= this.#most && oldest !== null) this.forget(oldest);
    this.#byNumber.put(place.number, place);
    this.#changed.add(place.number);
    const numbers = this.#byKey.get(place.key) ?? [];
    numbers.splice(indexIn(numbers, place.number), 0, place.number);
    this.#byKey.set(place.key, numbers);
  }

  /**
   * A request of this key has come: it takes up the foremost of the key's places that is still good.
   */
  takeUp(
    key: string,
    returnWindowMs: number,
    now: InstantMs,
    order = LineOrder.plain,
  ): KeptPlace | null {
    for (;;) {
      const number = foremost(this.#byKey.get(key) ?? [], order);
      const place = number === undefined ? null : this.forget(number);
      if (place === null || !isOver(after(place.heardAt, returnWindowMs), now)) return place;
    }
  }

  /** The number came back with its ticket, or is spent. */
  forget(number: TicketNumber): KeptPlace | null {
    const place = this.#byNumber.get(number);
    if (place === undefined) return null;
    this.#byNumber.delete(number);
    this.#changed.add(number);
    const numbers = this.#byKey.get(place.key) ?? [];
    numbers.splice(indexIn(numbers, number), 1);
    if (numbers.length === 0) this.#byKey.delete(place.key);
    return place;
  }

  /** Forgets places whose return window is over: they stand first in the map. */
  expire(returnWindowMs: number, now: InstantMs): void {
    for (const [number, { heardAt }] of this.#byNumber) {
      if (!isOver(after(heardAt, returnWindowMs), now)) return;
      this.forget(number);
    }
  }

  drainChanges(): KeptChanges {
    const put: KeptPlace[] = [];
    const drop: TicketNumber[] = [];
    for (const number of this.#changed) {
      const place = this.#byNumber.get(number);
      if (place === undefined) drop.push(number);
      else put.push(place);
    }
    this.#changed = new Set();
    return { put, drop };
  }
}

const foremost = (
  ascending: readonly TicketNumber[],
  order: LineOrder,
): TicketNumber | undefined => {
  if (order.isPlain) return ascending[0];
  const spots = ascending.map((number) => order.spotOf(number));
  return ascending[spots.indexOf(Math.min(...spots) as Spot)];
};

/** Where the number stands, or would stand. */
const indexIn = (numbers: readonly TicketNumber[], number: TicketNumber): number => {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < number) low = middle + 1;
    else high = middle;
  }
  return low;
};
