import type { TicketNumber } from "../ids.ts";
import { after, instant, isOver, type InstantMs } from "../time.ts";

/** A socket that was silent for so long is not there any more. */
export const SOCKET_SILENT_MS = 150_000;
/** A poller may miss one poll. */
export const pollGraceMs = (pollAfterSeconds: number): number =>
  2 * pollAfterSeconds * 1_000 + 5_000;
/** Near its turn a socket is asked whether it is awake, unless it spoke so lately. */
export const AWAKE_MS = 20_000;
/** An asked socket that has not answered by then is taken for asleep. */
export const ANSWER_WITHIN_MS = 5_000;

interface Record {
  heardAt: InstantMs;
  /** Until when a poll keeps it present. */
  pollUntil: InstantMs;
  sockets: number;
  /** When it was asked `ready?` and has not answered yet. */
  askedAt: InstantMs | null;
  /** The Room takes it for present. */
  present: boolean;
  claimBy: InstantMs | null;
}

/** Differences to what the Room believes, to go with the next batch. */
export interface PresenceNews {
  readonly present: readonly TicketNumber[];
  readonly away: readonly TicketNumber[];
}

/** Who of a lobby's visitors is there. Times are the Room's. */
export class Presence {
  readonly #records = new Map<TicketNumber, Record>();
  #present = new Set<TicketNumber>();
  #away = new Set<TicketNumber>();

  get size(): number {
    return this.#records.size;
  }

  has(number: TicketNumber): boolean {
    return this.#records.has(number);
  }

  /** When it was heard last, if this lobby has not forgotten it. */
  heardAt(number: TicketNumber): InstantMs | null {
    return this.#records.get(number)?.heardAt ?? null;
  }

  claimBy(number: TicketNumber): InstantMs | null {
    return this.#records.get(number)?.claimBy ?? null;
  }

  /** True when the Room, too, takes the number for present. */
  isPresent(number: TicketNumber): boolean {
    return this.#records.get(number)?.present ?? false;
  }

  /** The Room has said where the number stands, so it knows that it is there. */
  confirmed(number: TicketNumber, claimBy: InstantMs | null, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.present = claimBy === null;
    record.claimBy = claimBy;
    this.#present.delete(number);
    this.#away.delete(number);
  }

  /** A poll: it counts until the next two could have come. */
  polled(number: TicketNumber, pollAfterSeconds: number, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.pollUntil = after(now, pollGraceMs(pollAfterSeconds));
    this.#appear(number, record);
  }

  /** A request of it waits here until then. */
  waits(number: TicketNumber, until: InstantMs, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.pollUntil = until;
    record.present = true;
  }

  /** A message over a socket. */
  spoke(number: TicketNumber, now: InstantMs): void {
    if (!this.#records.has(number)) return;
    this.#appear(number, this.#hear(number, now));
  }

  socketOpened(number: TicketNumber, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.sockets += 1;
    this.#appear(number, record);
  }

  /** The page is gone or has lost its line; a reload gets the time of a missed poll. */
  socketClosed(number: TicketNumber, now: InstantMs): void {
    const record = this.#records.get(number);
    if (record === undefined) return;
    record.sockets = Math.max(0, record.sockets - 1);
    if (record.sockets > 0) return;
    const grace = after(now, pollGraceMs(0));
    if (record.pollUntil < grace) record.pollUntil = grace;
  }

  called(number: TicketNumber, claimBy: InstantMs): void {
    const record = this.#records.get(number);
    if (record === undefined) return;
    record.claimBy = claimBy;
    record.present = false;
    this.#present.delete(number);
    this.#away.delete(number);
  }

  forgetEverybody(): void {
    this.#records.clear();
    this.#present.clear();
    this.#away.clear();
  }

  forget(number: TicketNumber): void {
    this.#records.delete(number);
    this.#present.delete(number);
    this.#away.delete(number);
  }

  /**
   * Looks after the time: who fell silent is away, who missed a call is away until it acts, and who
   * cannot come back any more is forgotten. `lastSignOf` tells of pings that woke nobody.
   */
  sweep(
    now: InstantMs,
    returnWindowMs: number,
    lastSignOf: (number: TicketNumber) => InstantMs | null,
  ): TicketNumber[] {
    const missed: TicketNumber[] = [];
    for (const [number, record] of this.#records) {
      if (record.claimBy !== null && isOver(record.claimBy, now)) {
        record.claimBy = null;
        missed.push(number);
      }
      // Pings are looked up only when nothing else was heard lately: there may be thousands.
      if (record.sockets > 0 && isOver(after(record.heardAt, AWAKE_MS), now)) {
        const sign = lastSignOf(number);
        if (sign !== null && sign > record.heardAt) record.heardAt = sign;
      }
      if (record.present && !this.#isThere(record, now)) this.#disappear(number, record);
      if (record.sockets === 0 && isOver(after(record.heardAt, returnWindowMs), now)) {
        this.#records.delete(number);
      }
    }
    return missed;
  }

  /** Who of those up to `nearUntil` has to be asked whether it is awake. */
  toAsk(nearUntil: number, now: InstantMs): TicketNumber[] {
    const asked: TicketNumber[] = [];
    for (const [number, record] of this.#records) {
      if (number > nearUntil || !record.present || record.sockets === 0) continue;
      if (record.askedAt !== null || !isOver(after(record.heardAt, AWAKE_MS), now)) continue;
      if (!isOver(record.pollUntil, now)) continue;
      record.askedAt = now;
      asked.push(number);
    }
    return asked;
  }

  /** Everybody whom this lobby holds, for a Room that does not know. */
  held(): TicketNumber[] {
    const held: TicketNumber[] = [];
    for (const [number, record] of this.#records) {
      if (!record.present && record.claimBy === null) continue;
      held.push(number);
    }
    this.#present.clear();
    this.#away.clear();
    return held;
  }

  drain(): PresenceNews {
    const news = { present: [...this.#present], away: [...this.#away] };
    this.#present = new Set();
    this.#away = new Set();
    return news;
  }

  get hasNews(): boolean {
    return this.#present.size + this.#away.size > 0;
  }

  #isThere(record: Record, now: InstantMs): boolean {
    if (!isOver(record.pollUntil, now)) return true;
    if (record.sockets === 0) return false;
    if (record.askedAt !== null && isOver(after(record.askedAt, ANSWER_WITHIN_MS), now))
      return false;
    return !isOver(after(record.heardAt, SOCKET_SILENT_MS), now);
  }

  #hear(number: TicketNumber, now: InstantMs): Record {
    const known = this.#records.get(number);
    if (known !== undefined) {
      known.heardAt = now;
      known.askedAt = null;
      return known;
    }
    const record: Record = {
      heardAt: now,
      pollUntil: instant(0),
      sockets: 0,
      askedAt: null,
      present: false,
      claimBy: null,
    };
    this.#records.set(number, record);
    return record;
  }

  #appear(number: TicketNumber, record: Record): void {
    if (record.present || record.claimBy !== null) return;
    record.present = true;
    this.#away.delete(number);
    this.#present.add(number);
  }

  #disappear(number: TicketNumber, record: Record): void {
    record.present = false;
    this.#present.delete(number);
    this.#away.add(number);
  }
}
