import { isOver, type InstantMs } from "../time.ts";

interface Entry<Key> {
  at: InstantMs;
  readonly key: Key;
}

/**
 * When to look at what: a binary heap of instants in which each key has one place and can be taken
 * out again, so that what is forgotten costs no memory. An instant is a reason to look at its key,
 * not the truth about it: an extended deadline need not be told here, for the caller that looks
 * sets the next.
 */
export class DueTimes<Key> {
  readonly #heap: Entry<Key>[] = [];
  readonly #places = new Map<Key, number>();

  /** The earliest, without taking it out. */
  first(): Entry<Key> | null {
    return this.#heap[0] ?? null;
  }

  /** Null takes the key out. */
  set(key: Key, at: InstantMs | null): void {
    const place = this.#places.get(key);
    if (at === null) {
      if (place !== undefined) this.#remove(place);
      return;
    }
    if (place === undefined) {
      this.#heap.push({ at, key });
      this.#places.set(key, this.#heap.length - 1);
      this.#rise(this.#heap.length - 1);
      return;
    }
    const entry = this.#heap[place];
    if (entry === undefined || entry.at === at) return;
    entry.at = at;
    this.#sink(this.#rise(place));
  }

  /** Makes sure that the key comes up at `at` or before. */
  watch(key: Key, at: InstantMs): void {
    const place = this.#places.get(key);
    if (place === undefined || at < this.#at(place)) this.set(key, at);
  }

  /** When the next key comes up; null when none is watched. */
  next(): InstantMs | null {
    return this.#heap[0]?.at ?? null;
  }

  /** Takes out the earliest key whose instant is over; null when none is. */
  take(now: InstantMs): Key | null {
    const first = this.#heap[0];
    if (first === undefined || !isOver(first.at, now)) return null;
    this.#remove(0);
    return first.key;
  }

  #remove(place: number): void {
    this.#swap(place, this.#heap.length - 1);
    const gone = this.#heap.pop();
    if (gone !== undefined) this.#places.delete(gone.key);
    if (place < this.#heap.length) this.#sink(this.#rise(place));
  }

  #at(place: number): number {
    return this.#heap[place]?.at ?? Infinity;
  }

  #swap(left: number, right: number): void {
    const one = this.#heap[left];
    const other = this.#heap[right];
    if (one === undefined || other === undefined) return;
    this.#heap[left] = other;
    this.#heap[right] = one;
    this.#places.set(other.key, left);
    this.#places.set(one.key, right);
  }

  #rise(from: number): number {
    let place = from;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (this.#at(parent) <= this.#at(place)) break;
      this.#swap(place, parent);
      place = parent;
    }
    return place;
  }

  #sink(from: number): void {
    const sinking = this.#heap[from];
    if (sinking === undefined) return;
    let place = from;
    for (;;) {
      const left = 2 * place + 1;
      const at = this.#at(left + 1) < this.#at(left) ? left + 1 : left;
      const child = this.#heap[at];
      if (child === undefined || child.at >= sinking.at) break;
      this.#put(child, place);
      place = at;
    }
    if (place !== from) this.#put(sinking, place);
  }

  #put(entry: Entry<Key>, place: number): void {
    this.#heap[place] = entry;
    this.#places.set(entry.key, place);
  }
}
