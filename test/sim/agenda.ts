interface Entry {
  readonly at: number;
  readonly order: number;
  readonly run: () => void;
}

/** What happens when, in the world's own milliseconds: a heap; equal instants in the order given. */
export class Agenda {
  now = 0;
  readonly #heap: Entry[] = [];
  #order = 0;

  in(ms: number, run: () => void): void {
    this.#order += 1;
    this.#heap.push({ at: this.now + Math.max(0, ms), order: this.#order, run });
    let index = this.#heap.length - 1;
    while (index > 0 && this.#isBefore(index, (index - 1) >> 1)) {
      this.#swap(index, (index - 1) >> 1);
      index = (index - 1) >> 1;
    }
  }

  /** Lets the next thing happen. False when nothing is left. */
  next(): boolean {
    const first = this.#heap[0];
    const last = this.#heap.pop();
    if (first === undefined || last === undefined) return false;
    if (this.#heap.length > 0) {
      this.#heap[0] = last;
      this.#sink();
    }
    this.now = first.at;
    first.run();
    return true;
  }

  #sink(): void {
    for (let index = 0; ;) {
      const left = 2 * index + 1;
      const child = this.#isBefore(left + 1, left) ? left + 1 : left;
      if (!this.#isBefore(child, index)) return;
      this.#swap(child, index);
      index = child;
    }
  }

  #isBefore(index: number, other: number): boolean {
    const one = this.#heap[index];
    const two = this.#heap[other];
    if (one === undefined || two === undefined) return false;
    return one.at < two.at || (one.at === two.at && one.order < two.order);
  }

  #swap(index: number, other: number): void {
    const one = this.#heap[index];
    const two = this.#heap[other];
    if (one === undefined || two === undefined) return;
    this.#heap[index] = two;
    this.#heap[other] = one;
  }
}
