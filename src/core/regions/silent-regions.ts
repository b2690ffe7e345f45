/**
 * Which regions of a room an isolate cannot reach. A silence is forgotten with the first answer of any
 * lobby there: an object that fails alone the platform makes anew.
 */
import { BoundedMap } from "../collections/bounded-map.ts";
import { SECOND_MS } from "../time.ts";

/** After so long without an answer another region is asked in its place. */
const UNANSWERED_MS = 5 * SECOND_MS;
/** So often one call still goes to it, to see whether it answers again. */
const ASK_AGAIN_MS = 5 * SECOND_MS;
/** That it did not answer then says nothing of today. */
const FORGET_MS = 60 * SECOND_MS;
const REGIONS_MAX = 2_000;

/** Of a region that was asked, and has not answered since. */
interface Silence {
  /** When the first of those calls began. */
  readonly since: number;
  readonly askedAt: number;
  readonly askAgainAt: number;
}

export class SilentRegions {
  readonly #now: () => number;
  readonly #silences = new BoundedMap<string, Silence | null>(REGIONS_MAX);

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Should another be asked? Now and then the answer is no, so that this one is tried. */
  isSilent(region: string): boolean {
    const now = this.#now();
    const silence = this.#of(region, now);
    if (silence === null || now < silence.since + UNANSWERED_MS) return false;
    if (now < silence.askAgainAt) return true;
    this.#silences.set(region, { ...silence, askAgainAt: now + ASK_AGAIN_MS });
    return silence.askAgainAt === 0;
  }

  asked(region: string): void {
    const now = this.#now();
    const silence = this.#of(region, now) ?? { since: now, askAgainAt: 0 };
    this.#silences.set(region, { ...silence, askedAt: now });
  }

  answered(region: string): void {
    this.#silences.set(region, null);
  }

  #of(region: string, now: number): Silence | null {
    const known = this.#silences.get(region) ?? null;
    return known !== null && now < known.askedAt + FORGET_MS ? known : null;
  }
}
