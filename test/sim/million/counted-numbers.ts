/** Who of many numbers is in a set, and how many of them are below one: a Fenwick tree, as Peter Fenwick has it. */
export class CountedNumbers {
  readonly #tree: Int32Array;
  readonly #in: Uint8Array;
  #size = 0;

  constructor(most: number) {
    this.#tree = new Int32Array(most + 2);
    this.#in = new Uint8Array(most + 2);
  }

  get size(): number {
    return this.#size;
  }

  has(number: number): boolean {
    return this.#in[number] === 1;
  }

  set(number: number, isIn: boolean): void {
    if (this.has(number) === isIn) return;
    const change = isIn ? 1 : -1;
    this.#in[number] = isIn ? 1 : 0;
    this.#size += change;
    for (let at = number; at < this.#tree.length; at += at & -at)
      this.#tree[at] = (this.#tree[at] ?? 0) + change;
  }

  /** How many are below `number`. */
  below(number: number): number {
    let sum = 0;
    for (let at = number - 1; at > 0; at -= at & -at) sum += this.#tree[at] ?? 0;
    return sum;
  }
}
