/**
 * The order of a room's numbers and who is present. It knows no permits, no limits and no storage:
 * the usher (room/usher.ts) decides who is called, and room/ writes the rows.
 */
import { LOBBY_INDEX_MAX, TICKET_NUMBER_MAX, ticketNumber } from "../ids.ts";
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import { CountedBits, chunkOf, chunkStart } from "./counted-bits.ts";
import { KeptChunks, type StoredLine, type Swept } from "./kept-chunks.ts";
import { Ledger } from "./ledger.ts";
import type { NumberState } from "./ledger.ts";
import type { DrawnStretch, LineOrder, Spot } from "./order.ts";
import { POSITIONS_MAX, tabulate } from "./positions.ts";
import type { Positions } from "./positions.ts";

/**
 * The line of one room: every number that it has issued, and the state of each. Any number that a
 * visitor may name has an answer, also one never issued or long dropped; no visitor's input throws.
 */
export class Line {
  readonly #ledger = new Ledger();
  readonly #kept: KeptChunks;
  #issued: number;

  constructor(issued = 0, base = 0) {
    invariant(base <= chunkOf(issued + 1), "only issued chunks are dropped");
    this.#issued = issued;
    this.#kept = new KeptChunks(this.#ledger, base);
  }

  /** Takes every unspent number that is not called for away, until a lobby says otherwise. */
  static restore(stored: StoredLine, now: InstantMs): Line {
    const line = new Line(stored.issued, stored.base);
    const start = chunkStart(stored.base);
    line.draw(stored.drawn ?? []);
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
    return this.#kept.base;
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

  /** In which order it stands. */
  get order(): LineOrder {
    return this.#ledger.order;
  }

  /** From now on it stands in the order of these draws, each of numbers that are all issued. */
  draw(drawn: readonly DrawnStretch[]): void {
    for (const { last } of drawn) invariant(last <= this.#issued, "drawn numbers are issued");
    const { order } = this.#ledger;
    this.#ledger.reorder(order.renewed(drawn).from(chunkStart(this.base)));
  }

  /** Where the number stands that is, or may be, present and has exactly `k` such ahead of it. */
  spotAt(k: number): Spot | null {
    return this.#ledger.spots.at(k) as Spot | null;
  }

  /** That number. */
  memberAt(k: number): TicketNumber | null {
    return this.#numberAt(this.spotAt(k));
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
   * Issues the next number. In an open room it may be called or spent at once, and never stand in
   * the line.
   */
  issue(lobby: LobbyIndex, standing: "present" | "called" | "spent" = "present"): TicketNumber {
    invariant(lobby >= 0 && lobby <= LOBBY_INDEX_MAX, "a lobby's index fits two bytes");
    invariant(this.#issued < TICKET_NUMBER_MAX, "numbers stay exact");
    this.#issued += 1;
    const number = ticketNumber(this.#issued);
    if (standing === "spent") {
      this.#kept.spent(number);
      return number;
    }
    this.#ledger.enrol(number, lobby);
    this.#ledger.move(number, standing);
    return number;
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
    this.#kept.spent(n);
    return true;
  }

  /** From now on this lobby speaks for the number. A number that is spent is nobody's. */
  handOver(n: TicketNumber, lobby: LobbyIndex): void {
    const former = this.lobbyOf(n);
    if (former !== null && former !== lobby) this.#ledger.handOver(n, lobby);
  }

  /** Out of the line, for a permit. False if it is not present. */
  call(n: TicketNumber): boolean {
    if (!this.isPresent(n)) return false;
    this.#ledger.move(n, "called");
    return true;
  }

  /** A call was missed or given back: the number is away. False if it is not called. */
  uncall(n: TicketNumber, now: InstantMs): boolean {
    if (!this.#ledger.called.has(n)) return false;
    this.#ledger.moveAway(n, now);
    return true;
  }

  /** How many that are, or may be, present stand ahead of `n`, which need not stand in the line. */
  ahead(n: TicketNumber): number {
    return this.#ledger.spots.rank(this.order.spotOf(n));
  }

  /**
   * The numbers that `free` permits may be offered to, in order. An unconfirmed number is not
   * called, but keeps a permit back for itself. Numbers that were yielded may be moved while the
   * walk goes on.
   */
  *callable(free: number): Generator<TicketNumber, void> {
    const { spots } = this.#ledger;
    let spot = spots.first();
    for (let seen = 0; spot !== null && seen < free; seen += 1) {
      const number = this.order.numberAt(spot as Spot);
      if (this.isPresent(number)) yield number;
      spot = spots.next(spot + 1);
    }
  }

  /** The number that a single free permit may be offered to. */
  head(): TicketNumber | null {
    const number = this.#numberAt(this.#ledger.spots.first() as Spot | null);
    return number !== null && this.isPresent(number) ? number : null;
  }

  /** Where everyone stands, in at most `max` entries. */
  positions(max = POSITIONS_MAX): Positions {
    return tabulate(this.#ledger.spots, max);
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
    for (const chunk of this.#kept.stale(this.#issued, before)) {
      this.#ledger.unspent.eachIn(chunk, (n) => this.spend(ticketNumber(n)));
    }
    const swept = this.#kept.rise(this.#issued);
    if (swept.dropped > 0) this.#ledger.forgetDrawsBelow(chunkStart(swept.base));
    return swept;
  }

  /** The kept chunks in which numbers were spent since the last time, ascending. */
  dirtySpentChunks(): number[] {
    return this.#kept.drainDirty();
  }

  /** Which numbers of a chunk are spent, in the form of `CountedBits.bytes`. */
  spentBytes(chunk: number): Uint8Array<ArrayBuffer> {
    return this.#kept.spentBytes(chunk, this.#issued);
  }

  #numberAt(spot: Spot | null): TicketNumber | null {
    return spot === null ? null : this.order.numberAt(spot);
  }
}
