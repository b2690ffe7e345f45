import type { Draws } from "../estimate/draws.ts";

/** What becomes of one question and its answer. */
export type Passage = "whole" | "lost-there" | "lost-back";

/** One in a hundred messages takes as long as any may. */
const SLOW_SHARE = 0.01;
/** Others take up to so much longer than at best. */
const JITTER = 0.3;

/** How long messages take, and which are lost. */
export class Network {
  readonly #draws: Draws;
  readonly #least: number;
  readonly #most: number;
  readonly #lost: number;
  lost = 0;

  constructor(draws: Draws, [least, most]: readonly [number, number], lost: number) {
    this.#draws = draws;
    this.#least = least;
    this.#most = most;
    this.#lost = lost;
  }

  /** Of somebody's connection, one way, at best: as many below 40 ms as above, between 5 and 300. */
  someDelayMs(): number {
    return this.#least * (this.#most / this.#least) ** this.#draws.unit();
  }

  onTheWayMs(delayMs: number): number {
    if (this.#draws.chance(SLOW_SHARE)) return this.#most;
    return Math.min(this.#most, delayMs * (1 + JITTER * this.#draws.unit()));
  }

  passage(): Passage {
    if (!this.#draws.chance(this.#lost)) return "whole";
    this.lost += 1;
    return this.#draws.chance(0.5) ? "lost-there" : "lost-back";
  }
}
