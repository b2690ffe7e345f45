import type { TicketNumber } from "../ids.ts";
import { SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import type { Eta } from "./eta.ts";

/** How many numbers are followed at a time, and how often a new one is added at most. */
const FOLLOWED_MAX = 32;
const FOLLOW_EVERY_MS = 10 * SECOND_MS;
/** Shorter waits are not judged: an error of a second or two would be half of such a wait. */
const WAIT_LEAST_MS = 10 * SECOND_MS;
const ERROR_MAX = 10;

/** What came of a wait that was forecast. */
export interface ForecastOutcome {
  /** |forecast - true| / true, at most 10. */
  readonly error: number;
  /** The range held the truth. */
  readonly inRange: boolean;
}

interface Followed {
  readonly at: InstantMs;
  readonly eta: Extract<Eta, { known: true }>;
}

/** Remembers what a few of those who wait were told, to see what comes of it. */
export class ForecastCheck {
  readonly #followed = new Map<TicketNumber, Followed>();
  #nextAt = 0;

  isDue(now: InstantMs): boolean {
    return now >= this.#nextAt;
  }

  follow(number: TicketNumber, eta: Eta, now: InstantMs): void {
    if (!eta.known || this.#followed.has(number)) return;
    this.#nextAt = now + FOLLOW_EVERY_MS;
    const [oldest] = this.#followed.keys();
    if (this.#followed.size >= FOLLOWED_MAX && oldest !== undefined) this.#followed.delete(oldest);
    this.#followed.set(number, { at: now, eta });
  }

  /** The number's turn has come. Null unless the number was followed for long enough. */
  came(number: TicketNumber, now: InstantMs): ForecastOutcome | null {
    const followed = this.#followed.get(number);
    if (followed === undefined) return null;
    this.#followed.delete(number);
    const waitedMs = now - followed.at;
    if (waitedMs < WAIT_LEAST_MS) return null;
    const waited = waitedMs / SECOND_MS;
    const { seconds, low, high } = followed.eta;
    const error = Math.min(ERROR_MAX, Math.abs(seconds - waited) / waited);
    return { error, inRange: Math.floor(waited) <= high && Math.ceil(waited) >= low };
  }

  /** What was forecast under other circumstances is no fault of the estimate. */
  clear(): void {
    this.#followed.clear();
  }
}
