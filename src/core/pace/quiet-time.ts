/**
 * How long the origin takes when it has little to do, learned from its answers while they are no
 * longer than that: what a gradient compares with.
 */
import { MINUTE_MS } from "../time.ts";

/** So many samples are the first guess; before that nothing can be too slow. */
const WARM_SAMPLES = 5;
/** Of each quicker sample this share is believed. */
const QUICKER_SHARE = 0.2;
/** A slower one is followed slowly, and still more slowly where it may be slow by its load. */
const SLOWER_MS = 5 * MINUTE_MS;
const SLOWER_LOADED_MS = 30 * MINUTE_MS;

export interface QuietTimeState {
  readonly log2: number;
  readonly samples: number;
}

interface QuietSample {
  readonly log2: number;
  readonly standardError: number;
  readonly spanMs: number;
  /** Much of what may be out is out. */
  readonly isLoaded: boolean;
}

export class QuietTime {
  #log2: number;
  #samples: number;

  constructor({ log2, samples }: QuietTimeState = { log2: 0, samples: 0 }) {
    this.#log2 = log2;
    this.#samples = samples;
  }

  /** Null until it is known. */
  get log2(): number | null {
    return this.#samples < WARM_SAMPLES ? null : this.#log2;
  }

  toJSON(): QuietTimeState {
    return { log2: this.#log2, samples: this.#samples };
  }

  /** A sample that is not too slow. */
  learn({ log2, standardError, spanMs, isLoaded }: QuietSample): void {
    if (this.#samples < WARM_SAMPLES) {
      this.#samples += 1;
      this.#log2 += (log2 - this.#log2) / this.#samples;
      return;
    }
    const slowerMs = isLoaded ? SLOWER_LOADED_MS : SLOWER_MS;
    // Chance alone would else draw it down, to the quickest that ever came.
    const isQuicker = log2 < this.#log2 - 2 * standardError;
    const share = isQuicker ? QUICKER_SHARE : 1 - Math.exp(-spanMs / slowerMs);
    this.#log2 += share * (log2 - this.#log2);
  }

  /** It has changed, and that is what it is from now on. */
  adopt(log2: number): void {
    this.#log2 = log2;
    this.#samples = WARM_SAMPLES;
  }
}
