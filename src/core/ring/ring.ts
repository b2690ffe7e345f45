/** The ring: counts by the second, for a minute. Whether something may start is for limiter.ts. */
import { SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";

/** Cells of the ring: one for each second of a minute. */
export const RING_SECONDS = 60;

/** Which second of the Room's clock an instant lies in. */
export const secondOf = (at: InstantMs): number => Math.floor(at / SECOND_MS);

/** `[second, count, second, count, …]`, oldest first, empty cells left out. */
export type RingState = readonly number[];

/**
 * Counts per second of the last minute, in 60 cells (the ring of S5, an access limiter in Java that
 * keeps a semaphore per second of the minute).
 *
 * There a restorer refills the cells; here each cell is stamped with its second, and a cell with
 * another stamp counts as empty. So nothing has to run between two starts, and nothing can be late.
 */
export class Ring {
  readonly #seconds: number[] = new Array<number>(RING_SECONDS).fill(-1);
  readonly #counts: number[] = new Array<number>(RING_SECONDS).fill(0);
  /** What was counted in the minute that ends with this second; it is asked for at every step. */
  #minute = { newest: -1, total: 0 };

  /** Empty, or as `toJSON` wrote it. */
  constructor(written: RingState = []) {
    for (let i = 0; i + 1 < written.length; i += 2) this.#put(written[i] ?? 0, written[i + 1] ?? 0);
  }

  toJSON(): RingState {
    const newest = Math.max(...this.#seconds);
    const written: number[] = [];
    for (let second = newest - RING_SECONDS + 1; second <= newest; second++) {
      const count = this.countIn(second);
      if (count > 0) written.push(second, count);
    }
    return written;
  }

  /** Counts one more in the second of `now`. A second that the ring has passed is not written. */
  add(now: InstantMs): void {
    const second = secondOf(now);
    this.#put(second, this.countIn(second) + 1);
  }

  /** Takes one back from the second of `at`, if that has any and is still known. */
  remove(at: InstantMs): void {
    const second = secondOf(at);
    this.#put(second, Math.max(0, this.countIn(second) - 1));
  }

  /** How many were counted in the second of `at`. */
  count(at: InstantMs): number {
    return this.countIn(secondOf(at));
  }

  countIn(second: number): number {
    const cell = second % RING_SECONDS;
    return this.#seconds[cell] === second ? (this.#counts[cell] ?? 0) : 0;
  }

  /** How many were counted in the last 60 seconds, that of `now` among them. */
  minuteCount(now: InstantMs): number {
    const newest = secondOf(now);
    if (this.#minute.newest === newest) return this.#minute.total;
    let total = 0;
    for (let back = 0; back < RING_SECONDS; back++) total += this.countIn(newest - back);
    this.#minute = { newest, total };
    return total;
  }

  /** Sixty counts for a graph, oldest first; the last is the second of `now`, still running. */
  lastMinute(now: InstantMs): number[] {
    const newest = secondOf(now);
    return Array.from({ length: RING_SECONDS }, (_, i) =>
      this.countIn(newest - RING_SECONDS + 1 + i),
    );
  }

  #put(second: number, count: number): void {
    const cell = second % RING_SECONDS;
    if (second < (this.#seconds[cell] ?? -1)) return;
    if (second === this.#minute.newest) this.#minute.total += count - this.countIn(second);
    else this.#minute.newest = -1;
    this.#seconds[cell] = second;
    this.#counts[cell] = count;
  }
}
