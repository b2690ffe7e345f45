/**
 * The order of a room's numbers and who is present. It knows no permits, no limits and no storage:
 * the usher (room/usher.ts) decides who is called, and room/ writes the rows.
 */
import { LOBBY_INDEX_MAX, TICKET_NUMBER_MAX, ticketNumber } from "../ids.ts";
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import { CountedBits, chunkOf, chunkStart } from "./counted-bits.ts";
import { Ledger } from "./ledger.ts";
import type { NumberState } from "./ledger.ts";
import { POSITIONS_MAX, tabulate } from "./positions.ts";
import type { Positions } from "./positions.ts";

/** Consecutive numbers that were issued to one lobby at once: a stored row. */
export interface IssuedRun {
  readonly first: TicketNumber;
  readonly count: number;
  readonly lobby: LobbyIndex;
}

/** What the Room's rows say of its line. */
export interface StoredLine {
  readonly issued: number;
  /** An issued number that is in no run is spent. */
  readonly runs: Iterable<IssuedRun>;
  readonly spent: Iterable<{ readonly chunk: number; readonly bits: Uint8Array }>;
  /** The lowest chunk that is still kept: issued numbers below it are spent. */
  readonly base: number;
  /** The numbers that a permit waits for, from the slots. */
  readonly called: Iterable<TicketNumber>;
}

export interface Swept {
  /** The lowest chunk that is still kept. Rows of chunks and runs wholly below it may be deleted. */
  readonly base: number;
  /** How many chunks the base rose by. */
  readonly dropped: number;
  /** Chunks from the base up in which numbers were spent; they are dirty as well. */
  readonly changed: readonly number[];
  /** How many numbers were spent. */
  readonly spent: number;
}

/**
 * The line of one room: every number that it has issued, and the state of each. Any number that a
 * visitor may name has an answer, also one never issued or long dropped; no visitor's input throws.
 */
export class Line {
  readonly #ledger = new Ledger();
  /** Kept chunks in which numbers were spent and not yet stored as such. */
  readonly #dirty = new Set<number>();
  #issued = 0;
  #base = 0;

  /** Takes every unspent number that is not called for away, until a lobby says otherwise. */
  static restore(stored: StoredLine, now: InstantMs): Line {
    const line = new Line();
    const start = chunkStart(stored.base);
    invariant(stored.base <= chunkOf(stored.issued + 1), "only issued chunks are dropped");
    line.#issued = stored.issued;
    line.#base = stored.base;
    const spent = new CountedBits();
    for (const { chunk, bits } of stored.spent) spent.load(chunk, bits);
    for (const { first, count, lobby } of stored.runs) {
      invariant(first >= 1 && first + count - 1 <= stored.issued, "a run was issued");
      for (let n = Math.max(first, start); n < first + count; n += 1) {
        if (spent.has(n)) continue;
        line.#ledger.enrol(n, lobby);
        line.#ledger.moveAway(n, now);
      }
    }
    for (const n of stored.called) {
      invariant(line.isUnspent(n), "a permit waits only for an unspent number");
      line.#ledger.move(n, "called");
    }
    return line;
  }

  /** The highest number issued, 0 before the first. */
  get issued(): number {
    return this.#issued;
  }

  /** The lowest chunk that is still kept: every issued number below it is spent. */
  get base(): number {
    return this.#base;
  }

  /** How many are present. */
  get waiting(): number {
    return this.#ledger.present.size;
  }

  get unconfirmed(): number {
    return this.#ledger.possible.size - this.#ledger.present.size;
  }

  get unspent(): number {
    return this.#ledger.unspent.size;
  }

  unspentOf(lobby: LobbyIndex): number {
    return this.#ledger.countsOf(lobby).unspent;
  }

  presentOf(lobby: LobbyIndex): number {
    return this.#ledger.countsOf(lobby).present;
  }

  /** The lobbies that have unspent numbers. */
  lobbies(): Iterable<LobbyIndex> {
    return this.#ledger.lobbies();
  }

  /** How many are, or may be, present. */
  get standing(): number {
    return this.#ledger.possible.size;
  }

  /** Every number below this one that is unspent and not called is away. */
  get awayBelow(): number {
    return this.#ledger.possible.first() ?? this.#issued + 1;
  }

  /** The number that is, or may be, present and has exactly `k` such numbers ahead of it. */
  memberAt(k: number): TicketNumber | null {
    const n = this.#ledger.possible.at(k);
    return n === null ? null : ticketNumber(n);
  }

  /** The present number with exactly `k` present numbers below it. */
  presentAt(k: number): TicketNumber | null {
    return this.#ledger.present.at(k) as TicketNumber | null;
  }

  /** Null for a number that was never issued. */
  standingOf(n: TicketNumber): NumberState | null {
    if (!(n >= 1 && n <= this.#issued)) return null;
    const { unspent, called, possible, present } = this.#ledger;
    if (!unspent.has(n)) return "spent";
    if (called.has(n)) return "called";
    if (!possible.has(n)) return "away";
    return present.has(n) ? "present" : "unconfirmed";
  }

  isUnspent(n: TicketNumber): boolean {
    return this.#ledger.unspent.has(n);
  }

  isPresent(n: TicketNumber): boolean {
    return this.#ledger.present.has(n);
  }

  /** The lobby that an unspent number was issued to; null for any other number. */
  lobbyOf(n: TicketNumber): LobbyIndex | null {
    return this.isUnspent(n) ? this.#ledger.lobbyOf(n) : null;
  }

  /**
   * Issues `count` consecutive numbers and returns the first. In an open room they may be called or
   * spent at once, and never stand in the line.
   */
  issue(
    count: number,
    lobby: LobbyIndex,
    standing: "present" | "called" | "spent" = "present",
  ): TicketNumber {
    invariant(Number.isInteger(count) && count >= 1, "at least one number is issued");
    invariant(lobby >= 0 && lobby <= LOBBY_INDEX_MAX, "a lobby's index fits two bytes");
    invariant(this.#issued + count <= TICKET_NUMBER_MAX, "numbers stay exact");
    const first = this.#issued + 1;
    this.#issued += count;
    if (standing === "spent") {
      for (let at = chunkOf(first); at <= chunkOf(this.#issued); at += 1) this.#dirty.add(at);
      return ticketNumber(first);
    }
    for (let n = first; n <= this.#issued; n += 1) {
      this.#ledger.enrol(n, lobby);
      this.#ledger.move(n, standing);
    }
    return ticketNumber(first);
  }

  /**
   * The number was heard from. False if it cannot stand in the line: spent, called, or never
   * issued.
   */
  markPresent(n: TicketNumber): boolean {
    if (!this.isUnspent(n) || this.#ledger.called.has(n)) return false;
    this.#ledger.move(n, "present");
    return true;
  }

  /** False if it did not stand in the line. */
  markAway(n: TicketNumber, now: InstantMs): boolean {
    if (!this.#ledger.possible.has(n)) return false;
    this.#ledger.moveAway(n, now);
    return true;
  }

  /** False if it is spent already, or was never issued. */
  spend(n: TicketNumber): boolean {
    if (!this.isUnspent(n)) return false;
    this.#ledger.move(n, "spent");
    this.#dirty.add(chunkOf(n));
    return true;
  }

  /** Out of the line, for a permit. False if it is not present. */
  call(n: TicketNumber): boolean {
    if (!this.isPresent(n)) return false;
    this.#ledger.move(n, "called");
    return true;
  }

  /**
   * A call was missed or given back: the number stands where it stood. False if it is not called.
   */
  uncall(n: TicketNumber, present: boolean, now: InstantMs): boolean {
    if (!this.#ledger.called.has(n)) return false;
    if (present) this.#ledger.move(n, "present");
    else this.#ledger.moveAway(n, now);
    return true;
  }

  /** How many that are, or may be, present stand below `n`, which need not stand in the line. */
  ahead(n: TicketNumber): number {
    return this.#ledger.possible.rank(n);
  }

  /**
   * The numbers that `free` permits may be offered to, in order. An unconfirmed number is not
   * called, but keeps a permit back for itself. Numbers that were yielded may be moved while the
   * walk goes on.
   */
  *callable(free: number): Generator<TicketNumber, void> {
    const { possible } = this.#ledger;
    let n = possible.first();
    for (let seen = 0; n !== null && seen < free; seen += 1) {
      const number = ticketNumber(n);
      if (this.isPresent(number)) yield number;
      n = possible.next(n + 1);
    }
  }

  /** The number that a single free permit may be offered to. */
  head(): TicketNumber | null {
    const first = this.#ledger.possible.first();
    if (first === null) return null;
    const number = ticketNumber(first);
    return this.isPresent(number) ? number : null;
  }

  /** Where everyone stands, in at most `max` entries. */
  positions(max = POSITIONS_MAX): Positions {
    return tabulate(this.#ledger.possible, max);
  }

  /** After a start: nobody has reported anybody yet. Those below `from` are known to be away. */
  markAllUnconfirmed(from = 1): void {
    const { unspent, called } = this.#ledger;
    unspent.each((n) => {
      if (n >= from && !called.has(n)) this.#ledger.move(n, "unconfirmed");
    });
  }

  /** The lobby lost its memory: those of its numbers that were present may come back, or not. */
  markUnconfirmed(lobby: LobbyIndex): void {
    for (const n of this.#ledger.possibleOf(lobby)) this.#ledger.move(n, "unconfirmed");
  }

  /** Numbers that no lobby has reported by now are away. */
  settleAll(now: InstantMs): void {
    const { possible, present } = this.#ledger;
    possible.each((n) => {
      if (!present.has(n)) this.#ledger.moveAway(n, now);
    });
  }

  /**
   * The lobby lists its numbers that are there, which replaces what was believed of them: those
   * become present, and its others that stood in the line become `missing`. Listed numbers that are
   * called, spent or another lobby's are passed over.
   */
  report(
    lobby: LobbyIndex,
    numbers: Iterable<TicketNumber>,
    missing: "away" | "unconfirmed",
    now: InstantMs,
  ): void {
    for (const n of this.#ledger.possibleOf(lobby)) {
      if (missing === "away") this.#ledger.moveAway(n, now);
      else this.#ledger.move(n, "unconfirmed");
    }
    for (const n of numbers) if (this.lobbyOf(n) === lobby) this.markPresent(n);
  }

  /**
   * Spends numbers that nobody can come back with: those of every fully issued chunk in which all
   * unspent numbers are away, the last of them since `before` or earlier. Then drops the lowest
   * chunks that are spent whole.
   */
  sweep(before: InstantMs): Swept {
    const { unspent } = this.#ledger;
    const unspentBefore = unspent.size;
    const chunkAtEnd = chunkOf(this.#issued + 1);
    const stale = unspent.chunks().filter((at) => at < chunkAtEnd && this.#isStale(at, before));
    for (const chunk of stale) {
      unspent.eachIn(chunk, (n) => this.spend(ticketNumber(n)));
    }
    const baseBefore = this.#base;
    const lowest = unspent.first();
    this.#base = lowest === null ? chunkAtEnd : chunkOf(lowest);
    for (const chunk of this.#dirty) if (chunk < this.#base) this.#dirty.delete(chunk);
    return {
      base: this.#base,
      dropped: this.#base - baseBefore,
      changed: stale.filter((chunk) => chunk >= this.#base),
      spent: unspentBefore - unspent.size,
    };
  }

  /** The kept chunks in which numbers were spent since the last time, ascending. */
  dirtySpentChunks(): number[] {
    const chunks = [...this.#dirty].sort((a, b) => a - b);
    this.#dirty.clear();
    return chunks;
  }

  /** Which numbers of a chunk are spent, in the form of `CountedBits.bytes`. */
  spentBytes(chunk: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#ledger.unspent.bytes(chunk);
    const issuedHere = this.#issued + 1 - chunkStart(chunk);
    bytes.forEach((byte, at) => {
      const issuedBits = Math.max(0, Math.min(8, issuedHere - at * 8));
      bytes[at] = ~byte & ((1 << issuedBits) - 1);
    });
    // 0 is nobody's number.
    if (chunk === 0) bytes[0] = (bytes[0] ?? 0) & ~1;
    return bytes;
  }

  #isStale(chunk: number, before: InstantMs): boolean {
    const { possible, called } = this.#ledger;
    if (possible.countIn(chunk) > 0 || called.countIn(chunk) > 0) return false;
    const leftAt = this.#ledger.leftAt(chunk);
    return leftAt !== null && leftAt <= before;
  }
}
