/** How often it looks at the clock, in requests. */
const LOOK_EVERY = 128;
/** Between two pieces: at 5,000 requests a second old objects grow by half a megabyte. */
const REMIND_EVERY_MS = 200;
/** More than V8 takes from what is free between old objects: it looks at their limit each time. */
const PIECE_LENGTH = 131_072;

/** Puts a piece among the old objects, and forgets it. */
const putAmongOld = (piece: string): void => {
  // Names of properties are old from the start; one that was never met before is copied there.
  const named: Record<string, boolean> = {};
  named[piece] = true;
};

/**
 * V8 sees that its old objects have reached their limit when a program wants more room among them.
 * Our requests never do: their objects are young, and become old by outliving a collection. So old
 * ones would grow to twice the limit and more, and all connections stand still for as much longer
 * while they are collected (docs/decisions/collections.md). Only requests with a permit count: where
 * a few clients ask, as under a lock rule, a pause that comes more often meets more of them.
 */
export class CollectionReminder {
  readonly #now: () => number;
  readonly #put: (piece: string) => void;
  readonly #filler = "-".repeat(PIECE_LENGTH);
  #requests = 0;
  #remindedAt = Number.NEGATIVE_INFINITY;

  /** `now` in milliseconds. */
  constructor(now: () => number, put = putAmongOld) {
    this.#now = now;
    this.#put = put;
  }

  requestCame(): void {
    this.#requests += 1;
    if (this.#requests % LOOK_EVERY !== 0) return;
    const now = this.#now();
    // A clock that was set back is taken as it is now.
    if (Math.abs(now - this.#remindedAt) < REMIND_EVERY_MS) return;
    this.#remindedAt = now;
    this.#put(`${this.#filler}${this.#requests}`);
  }
}
