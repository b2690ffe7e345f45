import { instant, isOver, MINUTE_MS, after } from "../../core/time.ts";
import { afterWrongTry, triesWaitMs, type ForgivenAt } from "../../core/tries.ts";
import type { InstantMs } from "../../core/time.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";

const NETWORKS_MAX = 4_096;
const PROVEN_MAX = 512;
/** For so long after a right token its network is not held up by others who share it. */
const PROVEN_FOR_MS = 60 * MINUTE_MS;

/** The wrong bearer tokens of each network, in this isolate. One network never holds up another. */
export class Tries {
  readonly #now: () => number;
  readonly #wrong = new BoundedMap<string, ForgivenAt>(NETWORKS_MAX);
  readonly #provenUntil = new BoundedMap<string, InstantMs>(PROVEN_MAX);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** How long the network has to wait for its next try; 0: it may try. */
  waitMs(network: string): number {
    if (this.#wrong.size === 0) return 0;
    const forgivenAt = this.#wrong.get(network);
    if (forgivenAt === undefined) return 0;
    return triesWaitMs(forgivenAt, instant(this.#now()));
  }

  /** Counts a wrong try. True for the one that uses the allowance up. */
  wrong(network: string): boolean {
    const now = instant(this.#now());
    const forgivenAt = afterWrongTry(this.#wrong.get(network), now);
    this.#wrong.set(network, forgivenAt);
    return triesWaitMs(forgivenAt, now) > 0;
  }

  right(network: string): void {
    this.#provenUntil.set(network, after(instant(this.#now()), PROVEN_FOR_MS));
  }

  /** The network brought the right token lately: wrong ones from it do not hold it up. */
  isProven(network: string): boolean {
    const until = this.#provenUntil.get(network);
    return until !== undefined && !isOver(until, instant(this.#now()));
  }
}
