import { BoundedMap } from "./bounded-map.ts";

/** Counts that are taken away to be told elsewhere, and given back where telling fails. */
export class Counts<K> {
  readonly #counts: BoundedMap<K, number>;

  constructor(sizeMax: number) {
    this.#counts = new BoundedMap(sizeMax);
  }

  add(key: K, count: number): void {
    if (count > 0) this.#counts.set(key, (this.#counts.get(key) ?? 0) + count);
  }

  take(key: K): number {
    const count = this.#counts.get(key) ?? 0;
    if (count > 0) this.#counts.set(key, 0);
    return count;
  }

  /** What was counted goes with the call; a call that fails has told nobody. */
  async toldBy<T>(key: K, call: (count: number) => Promise<T>): Promise<T> {
    const count = this.take(key);
    try {
      return await call(count);
    } catch (error) {
      this.add(key, count);
      throw error;
    }
  }
}
