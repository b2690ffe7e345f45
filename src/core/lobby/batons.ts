/**
 * Passes permits between the requests of one lobby without a call to the Room. Which numbers may
 * get one is the Room's word (core/room/batons.ts).
 */
import { LatestMap } from "../collections/latest-map.ts";
import type { TicketNumber, VisitId } from "../ids.ts";
import type { LentTurn, LentTurns } from "./lent-turns.ts";
import { NEXT_VALID_MS, type LiveVisit } from "../room/commands.ts";
import { after, earliest, type InstantMs } from "../time.ts";

/** A visit that the Room has not heard of yet asks for its lease soon, to learn what became of it. */
const UNHEARD_LEASE_MS = 4_000;
/** A permit whose lease is nearly over goes back to the Room, which may be taking it back already. */
const LEASE_LEFT_MIN_MS = 1_500;
/** With fewer to choose from, the Room is told of every baton at once. */
const PLENTY_MIN = 8;
/** How many turns are lent at once: those of some 50 ms on an origin of 1,000 requests a second. */
const LENT_MAX = 64;
/** The oldest visit is forgotten beyond this many; its permit goes back to the Room. */
const VISITS_MAX = 20_000;
/** How many numbers that were let in here are remembered: a call for one of them is an echo. */
const PASSED_MAX = 4_096;

export interface Baton {
  readonly to: TicketNumber;
  readonly visit: LiveVisit;
}

/**
 * The permits of this lobby's requests, and the numbers in line to which it may pass them by
 * itself. A permit keeps the lease that the Room gave it, also for its next holder, until the Room
 * has heard of the baton: so no request runs under it for longer than the Room counts it as out.
 */
export class Batons {
  readonly #visits = new LatestMap<VisitId, LiveVisit>(VISITS_MAX);
  readonly #passed = new LatestMap<TicketNumber, true>(PASSED_MAX);
  #next: readonly TicketNumber[] = [];
  #used = 0;
  /** By this object's own clock. */
  #namedAt = 0;

  /** The Room has said who is next, in its answer to what was sent at this moment. */
  named(next: readonly TicketNumber[], sentAt: number): void {
    this.#next = next;
    this.#used = 0;
    this.#namedAt = sentAt;
  }

  /** The Room has told of a visit, and of its lease. */
  told(visit: LiveVisit): void {
    this.#visits.put(visit.visit, visit);
  }

  knows(visit: VisitId): boolean {
    return this.#visits.has(visit);
  }

  /** The number was let in by this lobby, and needs no permit from the Room. */
  wasPassed(number: TicketNumber): boolean {
    return this.#passed.has(number);
  }

  /** So many stand in line that the Room need not hear of each baton at once. */
  hasPlenty(localNow: number): boolean {
    const left = this.#next.length - this.#used;
    return this.#isValid(localNow) && left >= PLENTY_MIN && 2 * left >= this.#next.length;
  }

  /**
   * The visit has ended: the next in line that `stands` here gets its permit. Null where the Room has
   * to decide, because it named nobody, or may take the permit back, or because that number `waitsFor`
   * one before it, or itself, that has come back and of which the Room has not said yet where it stands.
   */
  pass(
    from: VisitId,
    stands: (number: TicketNumber) => boolean,
    waitsFor: (number: TicketNumber) => boolean,
    now: InstantMs,
    localNow: number,
  ): Baton | null {
    const ended = this.#visits.get(from);
    this.#visits.delete(from);
    if (ended === undefined || ended.leaseUntil < after(now, LEASE_LEFT_MIN_MS)) return null;
    const to = this.#isValid(localNow) ? this.#head(stands) : null;
    if (to === null || waitsFor(to)) return null;
    this.#used += 1;
    this.#passed.put(to, true);
    const visit = { ...ended, visit: to, passUntil: now };
    this.told(visit);
    const leaseUntil = earliest(ended.leaseUntil, after(now, UNHEARD_LEASE_MS)) ?? now;
    return { to, visit: { ...visit, leaseUntil, heldUntil: ended.leaseUntil } };
  }

  /** Another one has passed the baton by what it was lent, and tells of it. */
  took(from: VisitId, to: TicketNumber, now: InstantMs): void {
    const ended = this.#visits.get(from);
    this.#visits.delete(from);
    this.#passed.put(to, true);
    // One that has a permit of this lobby's by now keeps it; the Room gives the other one on.
    if (ended !== undefined && !this.knows(to)) this.told({ ...ended, visit: to, passUntil: now });
  }

  /**
   * The head of the line as far as `waitOf` names a wait: null ends it, undefined passes over a number
   * that does not stand here. Null when nobody may be let in without the Room.
   */
  lend(
    waitOf: (number: TicketNumber) => string | null | undefined,
    localNow: number,
  ): LentTurns | null {
    if (!this.#isValid(localNow)) return null;
    const turns: LentTurn[] = [];
    for (let at = this.#used; at < this.#next.length && turns.length < LENT_MAX; at += 1) {
      const number = this.#next[at];
      const wait = number === undefined || this.#passed.has(number) ? undefined : waitOf(number);
      if (wait === null) break;
      if (wait !== undefined && number !== undefined) turns.push({ wait, number });
    }
    if (turns.length === 0) return null;
    return { turns, forMs: this.#namedAt + NEXT_VALID_MS - localNow };
  }

  /** Passes over numbers that have left, or that the Room itself has called. */
  #head(stands: (number: TicketNumber) => boolean): TicketNumber | null {
    for (; this.#used < this.#next.length; this.#used += 1) {
      const number = this.#next[this.#used];
      if (number !== undefined && !this.#passed.has(number) && stands(number)) return number;
    }
    return null;
  }

  /** Not while the lobby's clock stands before the moment of naming: it was set back. */
  #isValid(localNow: number): boolean {
    return localNow >= this.#namedAt && localNow < this.#namedAt + NEXT_VALID_MS;
  }
}
