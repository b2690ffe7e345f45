/**
 * Limits how often a second one subject is logged; what is left out is counted, and told with the
 * next.
 */
export class LogThrottle {
  readonly #perSecondMax: number;
  #secondBeganAt = Number.NEGATIVE_INFINITY;
  #said = 0;
  #unsaid = 0;

  constructor(perSecondMax: number) {
    this.#perSecondMax = perSecondMax;
  }

  /** How many were left out before this one, which may be said; null: it is left out as well. */
  mayTell(nowMs: number): number | null {
    // A clock that ran back begins a new second.
    if (Math.abs(nowMs - this.#secondBeganAt) >= 1_000) {
      this.#secondBeganAt = nowMs;
      this.#said = 0;
    }
    if (this.#said >= this.#perSecondMax) {
      this.#unsaid += 1;
      return null;
    }
    const unsaid = this.#unsaid;
    this.#said += 1;
    this.#unsaid = 0;
    return unsaid;
  }

  /** How many were left out since something was said last; they count as told by this. */
  unsaid(): number {
    const unsaid = this.#unsaid;
    this.#unsaid = 0;
    return unsaid;
  }
}
