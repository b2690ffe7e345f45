import type { VisitId, VisitorId } from "../ids.ts";
import type { InstantMs } from "../time.ts";

/**
 * Why a visit is over. inactive: its lease ran out · time-up: it had lasted as long as a visit may ·
 * finished: by its visitor or by the site · revoked: by the operator, with all others ·
 * unconfirmed: it came through the open door, its pass did not come back, and somebody was waiting
 */
export type EndReason = "inactive" | "time-up" | "finished" | "revoked" | "unconfirmed";

/** How a visit came to its end. */
export interface VisitEnd {
  readonly reason: EndReason;
  readonly at: InstantMs;
  /** How long the time was that ran out, where the Room knows it. */
  readonly afterMs: number | null;
}

interface KeptEnd {
  readonly end: VisitEnd;
  readonly visitor: VisitorId | null;
}

/**
 * How many ends are kept: more than there are in the minutes in which most visitors come back. Some
 * 150 bytes each.
 */
const KEPT_MAX = 16_384;

/**
 * How the latest visits ended, for visitors who come back with a pass. In memory only, as it would
 * cost a row a visit: of older visits the answer is that it is not known.
 */
export class VisitEnds {
  readonly #ends = new Map<VisitId, KeptEnd>();
  /**
   * In the order in which they ended; a full one begins again at its start. A map's own order would
   * do, but to find its oldest it looks at every entry that was taken out before.
   */
  readonly #order: VisitId[] = [];
  #oldest = 0;
  readonly #keptMax: number;

  constructor(saved: Iterable<readonly [VisitId, VisitEnd]> = [], keptMax = KEPT_MAX) {
    this.#keptMax = keptMax;
    for (const [visit, end] of saved) this.note(visit, end);
  }

  /** `visitor`: whose visit it was, where that is known. */
  note(visit: VisitId, end: VisitEnd, visitor: VisitorId | null = null): void {
    if (!this.#ends.has(visit)) this.#makeRoomFor(visit);
    this.#ends.set(visit, { end, visitor });
  }

  #makeRoomFor(visit: VisitId): void {
    if (this.#order.length < this.#keptMax) {
      this.#order.push(visit);
      return;
    }
    const oldest = this.#order[this.#oldest];
    if (oldest !== undefined) this.#ends.delete(oldest);
    this.#order[this.#oldest] = visit;
    this.#oldest = (this.#oldest + 1) % this.#keptMax;
  }

  of(visit: VisitId): VisitEnd | null {
    return this.#ends.get(visit)?.end ?? null;
  }

  /** The latest that ended of those whose visitor is meant. */
  latest(isMeant: (visitor: VisitorId) => boolean): VisitId | null {
    let latest: VisitId | null = null;
    for (const [visit, { visitor }] of this.#ends)
      if (visitor !== null && isMeant(visitor)) latest = visit;
    return latest;
  }
}
