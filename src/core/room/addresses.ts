import { LatestMap } from "../collections/latest-map.ts";
import { after, isOver, MINUTE_MS, type InstantMs } from "../time.ts";

/** How many addresses are counted at a time; beyond that the oldest is forgotten. */
const ADDRESSES_MAX = 50_000;

interface Window {
  until: InstantMs;
  joins: number;
}

/** Counts joins for each address (a keyed hash) over a minute that begins with its first join. */
export class JoinsPerAddress {
  readonly #windows = new LatestMap<string, Window>(ADDRESSES_MAX);
  #until: InstantMs | null = null;

  /** When the last of the windows ends; null before the first. */
  get until(): InstantMs | null {
    return this.#until;
  }

  /** True when one more join of this address is within `max`; it is counted then. */
  tryJoin(address: string, max: number, now: InstantMs): boolean {
    const window = this.#windows.get(address);
    if (window === undefined || isOver(window.until, now)) {
      this.#until = after(now, MINUTE_MS);
      this.#windows.put(address, { until: this.#until, joins: 1 });
      return true;
    }
    if (window.joins >= max) return false;
    window.joins += 1;
    return true;
  }

  /** When the address may join again. */
  retryAt(address: string, now: InstantMs): InstantMs {
    return this.#windows.get(address)?.until ?? now;
  }
}
