/** Something that is going to happen; `null` once it was called off. */
export interface Planned {
  run: (() => void) | null;
}

/**
 * What happens when, in whole virtual milliseconds from 0 to a last one: a list for each millisecond,
 * so that ten million events cost no more each than ten. Equal instants come in the order given.
 */
export class MillisecondAgenda {
  now = 0;
  readonly #lists: (Planned[] | undefined)[] = [];
  readonly #endsAt: number;
  #planned = 0;

  constructor(endsAt: number) {
    this.#endsAt = endsAt;
  }

  /** How many are still to come, those called off among them. */
  get planned(): number {
    return this.#planned;
  }

  /** What would come after the end never comes. */
  in(ms: number, run: () => void): Planned {
    return this.at(this.now + ms, run);
  }

  at(instant: number, run: () => void): Planned {
    const planned: Planned = { run };
    const at = Math.max(this.now, Math.ceil(instant));
    if (!(at <= this.#endsAt)) return planned;
    const list = this.#lists[at];
    if (list === undefined) this.#lists[at] = [planned];
    else list.push(planned);
    this.#planned += 1;
    return planned;
  }

  /** Lets everything of the next millisecond happen, also what is added to it meanwhile. False at the end. */
  next(): boolean {
    if (this.now > this.#endsAt) return false;
    const list = this.#lists[this.now];
    if (list !== undefined) {
      for (let at = 0; at < list.length; at += 1) {
        const planned = list[at];
        const run = planned?.run ?? null;
        if (planned !== undefined) planned.run = null;
        run?.();
      }
      this.#planned -= list.length;
      this.#lists[this.now] = undefined;
    }
    this.now += 1;
    return true;
  }
}
