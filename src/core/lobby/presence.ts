/**
 * Which of a lobby's numbers are there, by their sockets and polls. Sending, and telling the Room,
 * are the lobby's part.
 */
import type { TicketNumber } from "../ids.ts";
import { LineOrder, type Spot } from "../line/order.ts";
import { after, instant, isOver, type InstantMs } from "../time.ts";

/** A socket that was silent for so long counts as gone. */
export const SOCKET_SILENT_MS = 150_000;
/**
 * How long a poll keeps its number present: a poller may miss one poll, and be a little late. It is
 * never longer than the return window, unless that is so short that it ends between two polls.
 */
export const pollGraceMs = (pollAfterSeconds: number, returnWindowMs = Infinity): number => {
  const missedOneMs = 2 * pollAfterSeconds * 1_000;
  return Math.min(missedOneMs + 5_000, Math.max(returnWindowMs, missedOneMs));
};
/** Near its turn a socket is asked whether it is awake, unless it spoke within this time. */
export const AWAKE_MS = 20_000;
/** An asked socket that has not answered within this time counts as asleep. */
export const ANSWER_WITHIN_MS = 5_000;

interface PresenceRecord {
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

/** What a lobby has to know of a number again when it has slept. */
export interface Remembered {
  readonly heardAt: InstantMs;
  /** The Room takes it for present. */
  readonly present: boolean;
  /** The Room has called it, until then. */
  readonly claimBy: InstantMs | null;
}

/** Differences to what the Room believes, to go with the next batch. */
export interface PresenceChanges {
  readonly present: readonly TicketNumber[];
  readonly away: readonly TicketNumber[];
}

/** Which of a lobby's visitors are there. All instants are of the Room's clock. */
export class Presence {
  readonly #remember: (number: TicketNumber, remembered: Remembered) => void;
  readonly #records = new Map<TicketNumber, PresenceRecord>();
  #present = new Set<TicketNumber>();
  #away = new Set<TicketNumber>();

  /** `remember` keeps what the lobby must know of a number again after it has slept. */
  constructor(remember: (number: TicketNumber, remembered: Remembered) => void = () => undefined) {
    this.#remember = remember;
  }

  get size(): number {
    return this.#records.size;
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

  /** Somebody stands in line, or is called: the Room has to hear of this lobby. */
  get isAwaiting(): boolean {
    for (const { present, claimBy } of this.#records.values())
      if (present || claimBy !== null) return true;
    return false;
  }

  /** The lobby has slept and finds the number with so many sockets, as it was remembered. */
  wakes(number: TicketNumber, { heardAt, present, claimBy }: Remembered, sockets: number): void {
    const pollUntil = instant(0);
    this.#records.set(number, { heardAt, pollUntil, sockets, askedAt: null, present, claimBy });
  }

  /** The Room has said where the number stands, so it knows that it is there. */
  confirmed(number: TicketNumber, claimBy: InstantMs | null, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.present = claimBy === null;
    record.claimBy = claimBy;
    this.#present.delete(number);
    this.#away.delete(number);
    this.#remember(number, record);
  }

  /** The Room has answered a question of the lobby's, which is no sign of life of the visitor. */
  learned(number: TicketNumber, present: boolean, claimBy: InstantMs | null): void {
    const record = this.#records.get(number);
    if (record === undefined) return;
    record.present = present;
    record.claimBy = claimBy;
    this.#present.delete(number);
    this.#away.delete(number);
    this.#remember(number, record);
  }

  /** Numbers in line that have a socket: their pages wait to be told, and do not ask. */
  *standingWithSockets(): Generator<TicketNumber> {
    for (const [number, { present, sockets }] of this.#records)
      if (present && sockets > 0) yield number;
  }

  /** A poll: it counts until the next two could have come. */
  polled(
    number: TicketNumber,
    pollAfterSeconds: number,
    now: InstantMs,
    returnWindowMs = Infinity,
  ): void {
    const record = this.#hear(number, now);
    record.pollUntil = after(now, pollGraceMs(pollAfterSeconds, returnWindowMs));
    this.#appear(number, record);
    this.#remember(number, record);
  }

  /** A request of the number waits at this lobby until then. */
  waits(number: TicketNumber, until: InstantMs, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.pollUntil = until;
    record.present = true;
  }

  /** A message over a socket. */
  spoke(number: TicketNumber, now: InstantMs): void {
    if (!this.#records.has(number)) return;
    const record = this.#hear(number, now);
    this.#appear(number, record);
    this.#remember(number, record);
  }

  socketOpened(number: TicketNumber, now: InstantMs): void {
    const record = this.#hear(number, now);
    record.sockets += 1;
    this.#appear(number, record);
    this.#remember(number, record);
  }

  /** The page is gone or has lost its connection; a reload gets the time of a missed poll. */
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
    this.#remember(number, record);
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
   * What time alone changes: a number that fell silent is away, one that missed a call is away
   * until it acts, and one that cannot come back any more is forgotten. `lastSignOf` gives the
   * latest ping, which the platform answers without waking the lobby.
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
        this.#remember(number, record);
      }
      // Pings are looked up only when nothing else was heard lately: there may be thousands.
      if (record.sockets > 0 && isOver(after(record.heardAt, AWAKE_MS), now)) {
        const sign = lastSignOf(number);
        if (sign !== null && sign > record.heardAt) record.heardAt = sign;
      }
      if (record.present && !this.#isThere(record, now)) this.#disappear(number, record);
      // The Room must hear first that a number which it takes for present, or has called, is gone.
      const isOut = record.present || record.claimBy !== null || record.sockets > 0;
      if (!isOut && isOver(after(record.heardAt, returnWindowMs), now)) {
        this.#records.delete(number);
      }
    }
    return missed;
  }

  /** The numbers that stand up to `nearUntil` whose sockets have to be asked whether they are awake. */
  toAsk(nearUntil: Spot | 0, now: InstantMs, order = LineOrder.plain): TicketNumber[] {
    const asked: TicketNumber[] = [];
    for (const [number, record] of this.#records) {
      if (!record.present || record.sockets === 0 || order.spotOf(number) > nearUntil) continue;
      if (record.askedAt !== null || !isOver(after(record.heardAt, AWAKE_MS), now)) continue;
      if (!isOver(record.pollUntil, now)) continue;
      record.askedAt = now;
      asked.push(number);
    }
    return asked;
  }

  /**
   * Every number in line at this lobby, for a Room that has lost them. It knows whom it has called.
   */
  roster(): TicketNumber[] {
    const roster: TicketNumber[] = [];
    for (const [number, record] of this.#records) if (record.present) roster.push(number);
    this.#present.clear();
    this.#away.clear();
    return roster;
  }

  drain(): PresenceChanges {
    const changes = { present: [...this.#present], away: [...this.#away] };
    this.#present = new Set();
    this.#away = new Set();
    return changes;
  }

  get hasChanges(): boolean {
    return this.#present.size + this.#away.size > 0;
  }

  #isThere(record: PresenceRecord, now: InstantMs): boolean {
    if (!isOver(record.pollUntil, now)) return true;
    if (record.sockets === 0) return false;
    if (record.askedAt !== null && isOver(after(record.askedAt, ANSWER_WITHIN_MS), now))
      return false;
    return !isOver(after(record.heardAt, SOCKET_SILENT_MS), now);
  }

  #hear(number: TicketNumber, now: InstantMs): PresenceRecord {
    const known = this.#records.get(number);
    if (known !== undefined) {
      known.heardAt = now;
      known.askedAt = null;
      return known;
    }
    const record: PresenceRecord = {
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

  #appear(number: TicketNumber, record: PresenceRecord): void {
    if (record.present || record.claimBy !== null) return;
    record.present = true;
    this.#away.delete(number);
    this.#present.add(number);
  }

  #disappear(number: TicketNumber, record: PresenceRecord): void {
    record.present = false;
    this.#present.delete(number);
    this.#away.add(number);
    this.#remember(number, record);
  }
}
