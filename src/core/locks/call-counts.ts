import { SECOND_MS, type InstantMs } from "../time.ts";
import type { Namespace } from "./name.ts";

/** Acquisitions that one namespace may ask of one shard in a second of its clock. */
export const CALLS_PER_SECOND_MAX = 2_000;

/** Keeps one busy namespace from starving the others of its shard. Not kept over a restart. */
export class CallCounts {
  readonly #most: number;
  #second = 0;
  readonly #counts = new Map<Namespace, number>();

  constructor(shards = 1) {
    this.#most = CALLS_PER_SECOND_MAX * shards;
  }

  /**
   * 0: the call may go on, and is counted. Otherwise how long its caller has to wait, in
   * milliseconds.
   */
  count(namespace: Namespace, now: InstantMs): number {
    const second = Math.floor(now / SECOND_MS);
    if (second !== this.#second) this.#counts.clear();
    this.#second = second;
    const count = this.#counts.get(namespace) ?? 0;
    if (count >= this.#most) return (second + 1) * SECOND_MS - now;
    this.#counts.set(namespace, count + 1);
    return 0;
  }
}
