import { isOver, type InstantMs } from "../time.ts";

interface Entry<Key> {
  readonly at: InstantMs;
  readonly key: Key;
}

/**
 * When to look at what: a binary heap of instants. A watch is a reason to look at its key, not the
 * truth about it. Extending a deadline needs no call here: the old watch comes up, and whoever looks
 * sets the next one. So each key has one live entry, however often it is renewed or used again.
 */
export class Deadlines<Key> {
  readonly #heap: Entry<Key>[] = [];
  readonly #watched = new Map<Key, InstantMs>();

  /** Makes sure that the key comes up at `at` or before. */
  watch(key: Key, at: InstantMs): void {
    const watched = this.#watched.get(key);
    if (watched !== undefined && watched <= at) return;
    this.#watched.set(key, at);
    this.#heap.push({ at, key });
    this.#rise(this.#heap.length - 1);
  }

  /** When the next key comes up; null when none is watched. */
  next(): InstantMs | null {
    return this.#top()?.at ?? null;
  }

  /** Takes out the earliest key whose instant is over; null when none is. */
  take(now: InstantMs): Key | null {
    const top = this.#top();
    if (top === undefined || !isOver(top.at, now)) return null;
    this.#removeTop();
    this.#watched.delete(top.key);
    return top.key;
  }

  /** The earliest entry that was not superseded by an earlier one of its key. */
  #top(): Entry<Key> | undefined {
    for (;;) {
      const top = this.#heap[0];
      if (top === undefined || this.#watched.get(top.key) === top.at) return top;
      this.#removeTop();
    }
  }

  #removeTop(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.#sink();
  }

  #at(index: number): number {
    return this.#heap[index]?.at ?? Infinity;
  }

  #swap(left: number, right: number): void {
    const one = this.#heap[left];
    const other = this.#heap[right];
    if (one === undefined || other === undefined) return;
    this.#heap[left] = other;
    this.#heap[right] = one;
  }

  #rise(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (this.#at(parent) <= this.#at(index)) return;
      this.#swap(parent, index);
      index = parent;
    }
  }

  #sink(): void {
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const child = this.#at(right) < this.#at(left) ? right : left;
      if (this.#at(child) >= this.#at(index)) return;
      this.#swap(index, child);
      index = child;
    }
  }
}
