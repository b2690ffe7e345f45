import { LatestMap } from "../collections/latest-map.ts";
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
 * 200 bytes each.
 */
const KEPT_MAX = 16_384;

/**
 * How the latest visits ended, for visitors who come back with a pass. In memory only, as it would
 * cost a row a visit: of older visits the answer is that it is not known.
 */
export class VisitEnds {
  readonly #ends: LatestMap<VisitId, KeptEnd>;

  constructor(saved: Iterable<readonly [VisitId, VisitEnd]> = [], keptMax = KEPT_MAX) {
    this.#ends = new LatestMap(keptMax);
    for (const [visit, end] of saved) this.note(visit, end);
  }

  /** `visitor`: whose visit it was, where that is known. */
  note(visit: VisitId, end: VisitEnd, visitor: VisitorId | null = null): void {
    this.#ends.put(visit, { end, visitor });
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
