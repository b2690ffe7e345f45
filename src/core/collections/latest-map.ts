interface Entry<K, V> {
  readonly key: K;
  readonly value: V;
  older: Entry<K, V> | null;
  newer: Entry<K, V> | null;
}

/**
 * A map of the latest entries: beyond its bound the one that was put there longest ago is forgotten.
 * A `Map` keeps that order too, but to find its first key it passes over all that were deleted
 * before it: 12 to 37 µs with 50,000 entries, where this takes one.
 */
export class LatestMap<K, V> {
  readonly #most: number;
  readonly #entries = new Map<K, Entry<K, V>>();
  #oldest: Entry<K, V> | null = null;
  #newest: Entry<K, V> | null = null;

  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** The key that was put there longest ago; null when empty. */
  get oldest(): K | null {
    return this.#oldest?.key ?? null;
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  get(key: K): V | undefined {
    return this.#entries.get(key)?.value;
  }

  /** A key that is there already becomes the latest. */
  put(key: K, value: V): void {
    this.delete(key);
    const entry: Entry<K, V> = { key, value, older: this.#newest, newer: null };
    if (this.#newest === null) this.#oldest = entry;
    else this.#newest.newer = entry;
    this.#newest = entry;
    this.#entries.set(key, entry);
    if (this.#entries.size > this.#most && this.#oldest !== null) this.delete(this.#oldest.key);
  }

  delete(key: K): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    this.#entries.delete(key);
    if (entry.older === null) this.#oldest = entry.newer;
    else entry.older.newer = entry.newer;
    if (entry.newer === null) this.#newest = entry.older;
    else entry.newer.older = entry.older;
    // An old entry that is garbage would else hold the young ones behind it, until it is collected itself.
    entry.older = null;
    entry.newer = null;
  }

  clear(): void {
    this.#entries.clear();
    this.#oldest = null;
    this.#newest = null;
  }

  /** The oldest first. The entry that is looked at may be deleted meanwhile. */
  *[Symbol.iterator](): Generator<readonly [K, V], void, void> {
    for (let entry = this.#oldest; entry !== null;) {
      const { newer } = entry;
      yield [entry.key, entry.value];
      entry = newer;
    }
  }
}
