import { instant } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** Starts that share a millisecond: a rate of 100,000 a second still makes 1,000 runs a second. */
interface Run {
  readonly at: InstantMs;
  count: number;
}

/**
 * The starts of the last `keepMs` milliseconds, as runs of equal instants, oldest first.
 * Its size is bounded by the span, not by the rate.
 */
export class RecentStarts {
  readonly #keepMs: number;
  #runs: Run[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  /** Instants must not fall; the Room's clock never runs back. */
  add(now: InstantMs, count = 1): void {
    this.#forget(now);
    const last = this.#runs.at(-1);
    if (last?.at === now) last.count += count;
    else this.#runs.push({ at: now, count });
  }

  /** Takes back one start of exactly this instant, if there is one. */
  remove(at: InstantMs): void {
    const run = this.#runs.find((one) => one.at === at);
    if (run === undefined) return;
    run.count -= 1;
    if (run.count === 0) this.#runs = this.#runs.filter((one) => one !== run);
  }

  /** How many started less than `windowMs` before `now`: at `windowMs` itself a start is over. */
  within(windowMs: number, now: InstantMs): number {
    let total = 0;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i];
      if (run === undefined || now - run.at >= windowMs) break;
      total += run.count;
    }
    return total;
  }

  /** When the `back`-th latest start (1: the latest) was, or null when it is forgotten. */
  latest(back: number): InstantMs | null {
    let left = back;
    for (let i = this.#runs.length - 1; i >= 0; i--) {
      const run = this.#runs[i];
      if (run === undefined) break;
      left -= run.count;
      if (left <= 0) return run.at;
    }
    return null;
  }

  #forget(now: InstantMs): void {
    const oldest = instant(now - this.#keepMs);
    const keepFrom = this.#runs.findIndex((run) => run.at > oldest);
    if (keepFrom === -1) this.#runs = [];
    // Dropped in bulk, so that a start costs the same however many there were.
    else if (keepFrom > this.#runs.length / 2) this.#runs = this.#runs.slice(keepFrom);
  }
}
