/** The steps were used up: what they were for has no answer. */
export class OutOfSteps extends Error {
  constructor() {
    super("the patterns took more steps than a request may cost");
  }
}

/** How much work one request may still cause, however long its texts are. */
export class Steps {
  #left: number;

  constructor(left: number) {
    this.#left = left;
  }

  spend(count: number): void {
    this.#left -= count;
    if (this.#left < 0) throw new OutOfSteps();
  }
}
