/**
 * A map that forgets what was not used for long, so that no client can make an isolate grow. It keeps
 * two halves: what is used moves to the young one, and when that is full, the old one goes. Finding
 * something young again, as nearly always, changes nothing.
 */
export class BoundedMap<K, V> {
  readonly #halfMax: number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();

  /**
   * The last `sizeMax / 2` entries that were used are always there; there are never more than
   * `sizeMax`.
   */
  constructor(sizeMax: number) {
    this.#halfMax = Math.max(1, Math.floor(sizeMax / 2));
  }

  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    if (!this.#young.has(key)) {
      this.#old.delete(key);
      if (this.#young.size >= this.#halfMax) {
        this.#old = this.#young;
        this.#young = new Map();
      }
    }
    this.#young.set(key, value);
  }

  /** What is there, or else is made now and kept. */
  getOrMake(key: K, make: (key: K) => V): V {
    const known = this.get(key);
    if (known !== undefined) return known;
    const made = make(key);
    this.set(key, made);
    return made;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }
}
