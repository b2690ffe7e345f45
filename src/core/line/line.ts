import { LOBBY_INDEX_MAX, TICKET_NUMBER_MAX, lobbyIndex, ticketNumber } from "../ids.ts";
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import { CHUNK_BITS, CountedBits, chunkOf, chunkStart } from "./counted-bits.ts";
import { POSITIONS_MAX, tabulate } from "./positions.ts";
import type { PositionTable } from "./positions.ts";

/**
 * What an issued number is. spent: for ever · present: heard from lately · maybe: nobody has
 * reported it since a start · away: not heard from · called: out of the line, with a permit waiting
 */
export type Standing = "spent" | "present" | "maybe" | "away" | "called";

/** Consecutive numbers that were issued to one lobby at once: a stored row. */
export interface IssuedRun {
  readonly first: TicketNumber;
  readonly count: number;
  readonly lobby: LobbyIndex;
}

/** What the Room's rows say of its line. */
export interface StoredLine {
  readonly issued: number;
  readonly runs: Iterable<IssuedRun>;
  readonly spent: Iterable<{ readonly chunk: number; readonly bytes: Uint8Array }>;
  /** The lowest chunk that is still kept: numbers below it are spent. */
  readonly base: number;
  /** The numbers that a permit waits for, from the slots. */
  readonly called: Iterable<TicketNumber>;
}

export interface Swept {
  /** The lowest chunk that is still kept. Rows of chunks below it, and of runs, may be deleted. */
  readonly base: number;
  /** How many chunks the base rose by. */
  readonly dropped: number;
  /** Chunks from the base up whose numbers were spent; they are dirty as well. */
  readonly changed: readonly number[];
  /** How many numbers were spent. */
  readonly spent: number;
}

/** Of a chunk that has unspent numbers. */
interface Note {
  readonly lobbies: Uint16Array;
  touchedAt: InstantMs;
}

interface Tally {
  unspent: number;
  /** Present or maybe. */
  possible: number;
  present: number;
}

/** The line of one room: every number it has issued, and what each is. */
export class Line {
  readonly #unspent = new CountedBits();
  readonly #called = new CountedBits();
  /** Present or maybe: all that count as standing in the line. */
  readonly #possible = new CountedBits();
  readonly #present = new CountedBits();
  readonly #notes = new Map<number, Note>();
  readonly #tallies = new Map<LobbyIndex, Tally>();
  readonly #dirty = new Set<number>();
  #issued = 0;
  #base = 0;

  /** Until it is told otherwise, every unspent number that is not called is away. */
  static restore(stored: StoredLine, now: InstantMs): Line {
    const line = new Line();
    line.#issued = stored.issued;
    line.#base = stored.base;
    const spent = new CountedBits();
    for (const { chunk, bytes } of stored.spent) spent.load(chunk, bytes);
    for (const { first, count, lobby } of stored.runs) {
      invariant(first >= 1 && first + count - 1 <= stored.issued, "a run was issued");
      for (let n = Math.max(first, chunkStart(stored.base)); n < first + count; n += 1) {
        if (!spent.has(n)) line.#open(n, lobby, "away", now);
      }
    }
    for (const n of stored.called) {
      invariant(line.#unspent.has(n), "a permit waits only for an unspent number");
      line.#move(n, "called");
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
    return this.#present.size;
  }

  get maybe(): number {
    return this.#possible.size - this.#present.size;
  }

  get unspent(): number {
    return this.#unspent.size;
  }

  unspentOf(lobby: LobbyIndex): number {
    return this.#tallies.get(lobby)?.unspent ?? 0;
  }

  presentOf(lobby: LobbyIndex): number {
    return this.#tallies.get(lobby)?.present ?? 0;
  }

  /** Null for a number that was never issued. */
  standingOf(n: TicketNumber): Standing | null {
    if (!(n >= 1 && n <= this.#issued)) return null;
    if (!this.#unspent.has(n)) return "spent";
    if (this.#called.has(n)) return "called";
    if (!this.#possible.has(n)) return "away";
    return this.#present.has(n) ? "present" : "maybe";
  }

  isUnspent(n: TicketNumber): boolean {
    return this.#unspent.has(n);
  }

  isPresent(n: TicketNumber): boolean {
    return this.#present.has(n);
  }

  /** The lobby that an unspent number was issued to; null for any other number. */
  lobbyOf(n: TicketNumber): LobbyIndex | null {
    return this.#unspent.has(n) ? this.#lobbyAt(n) : null;
  }

  /**
   * Issues `count` consecutive numbers and returns the first. In an open room they may be called or
   * spent at once, and never stand in the line.
   */
  issue(
    count: number,
    lobby: LobbyIndex,
    now: InstantMs,
    standing: "present" | "called" | "spent" = "present",
  ): TicketNumber {
    invariant(Number.isInteger(count) && count >= 1, "at least one number is issued");
    invariant(lobby >= 0 && lobby <= LOBBY_INDEX_MAX, "a lobby's index fits two bytes");
    invariant(this.#issued + count <= TICKET_NUMBER_MAX, "numbers stay exact");
    const first = this.#issued + 1;
    this.#issued += count;
    for (let n = first; n <= this.#issued; n += 1) {
      if (standing === "spent") this.#dirty.add(chunkOf(n));
      else this.#open(n, lobby, standing, now);
    }
    return ticketNumber(first);
  }

  /** It was heard from. False if it cannot stand in the line: spent, called, or never issued. */
  markPresent(n: TicketNumber, now: InstantMs): boolean {
    if (!this.#unspent.has(n) || this.#called.has(n)) return false;
    this.#touch(n, now);
    this.#move(n, "present");
    return true;
  }

  /** False if it did not stand in the line. */
  markAway(n: TicketNumber, now: InstantMs): boolean {
    if (!this.#possible.has(n)) return false;
    this.#touch(n, now);
    this.#move(n, "away");
    return true;
  }

  /** False if it is spent already, or was never issued. */
  spend(n: TicketNumber): boolean {
    if (!this.#unspent.has(n)) return false;
    this.#move(n, "spent");
    return true;
  }

  /** Out of the line, for a permit. False if it is not present. */
  call(n: TicketNumber): boolean {
    if (!this.#present.has(n)) return false;
    this.#move(n, "called");
    return true;
  }

  /** A call that was missed or given back: it stands where it stood. False if it is not called. */
  uncall(n: TicketNumber, present: boolean, now: InstantMs): boolean {
    if (!this.#called.has(n)) return false;
    this.#touch(n, now);
    this.#move(n, present ? "present" : "away");
    return true;
  }

  /** How many that are, or may be, present stand below `n`, which need not stand in the line. */
  ahead(n: TicketNumber): number {
    return this.#possible.rank(n);
  }

  /**
   * Whom `free` permits may be offered to, in order. A maybe number is not called, but keeps a
   * permit back for itself. Numbers that were yielded may be moved while the walk goes on.
   */
  *callable(free: number): Generator<TicketNumber, void> {
    let n = this.#possible.first();
    for (let seen = 0; n !== null && seen < free; seen += 1) {
      if (this.#present.has(n)) yield ticketNumber(n);
      n = this.#possible.next(n + 1);
    }
  }

  /** Whom a single free permit may be offered to. */
  head(): TicketNumber | null {
    const n = this.#possible.first();
    return n !== null && this.#present.has(n) ? ticketNumber(n) : null;
  }

  /** Where everyone stands, in at most `max` entries. */
  positions(max = POSITIONS_MAX): PositionTable {
    return tabulate(this.#possible, max);
  }

  /** After a start: nobody has reported anybody yet. */
  doubtAll(): void {
    this.#unspent.each((n) => {
      if (!this.#called.has(n)) this.#move(n, "maybe");
    });
  }

  /** The lobby lost its memory: whom it held may or may not come back. */
  doubt(lobby: LobbyIndex): void {
    for (const n of this.#standingFor(lobby)) this.#move(n, "maybe");
  }

  /** Who has not been reported by now is away. */
  settleAll(now: InstantMs): void {
    this.#possible.each((n) => {
      if (!this.#present.has(n)) this.#leave(n, "away", now);
    });
  }

  settle(lobby: LobbyIndex, now: InstantMs): void {
    for (const n of this.#standingFor(lobby)) {
      if (!this.#present.has(n)) this.#leave(n, "away", now);
    }
  }

  /**
   * The lobby lists whom it holds, which replaces what was believed of its numbers: those become
   * present, and its others that stood in the line `missing`. Numbers that are called, spent or
   * another lobby's are passed over.
   */
  report(
    lobby: LobbyIndex,
    numbers: Iterable<TicketNumber>,
    missing: "away" | "maybe",
    now: InstantMs,
  ): void {
    for (const n of this.#standingFor(lobby)) this.#leave(n, missing, now);
    for (const n of numbers) if (this.lobbyOf(n) === lobby) this.markPresent(n, now);
  }

  /**
   * Spends what nobody can come back for: the numbers of every fully issued chunk in which none is
   * present, maybe or called, and which was last touched at or before `before`. Then drops the
   * lowest chunks that are spent whole.
   */
  sweep(before: InstantMs): Swept {
    const unspentBefore = this.#unspent.size;
    const chunkAtEnd = chunkOf(this.#issued + 1);
    const stale = this.#unspent.chunks().filter((chunk) => {
      const taken = this.#possible.countIn(chunk) + this.#called.countIn(chunk);
      return chunk < chunkAtEnd && taken === 0 && this.#noteOf(chunk).touchedAt <= before;
    });
    for (const chunk of stale) {
      this.#unspent.eachIn(chunk, (n) => this.#move(n, "spent"));
    }
    const baseBefore = this.#base;
    const lowest = this.#unspent.first();
    this.#base = lowest === null ? chunkAtEnd : Math.min(chunkOf(lowest), chunkAtEnd);
    for (const chunk of this.#dirty) if (chunk < this.#base) this.#dirty.delete(chunk);
    return {
      base: this.#base,
      dropped: this.#base - baseBefore,
      changed: stale.filter((chunk) => chunk >= this.#base),
      spent: unspentBefore - this.#unspent.size,
    };
  }

  /** The kept chunks in which numbers were spent since the last time, ascending. */
  dirtySpentChunks(): number[] {
    const chunks = [...this.#dirty].sort((a, b) => a - b);
    this.#dirty.clear();
    return chunks;
  }

  /** Which numbers of a chunk are spent, as `CountedBits.bytes` would say it. */
  spentBytes(chunk: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#unspent.bytes(chunk);
    const issuedHere = this.#issued + 1 - chunkStart(chunk);
    bytes.forEach((byte, at) => {
      const issuedBits = Math.max(0, Math.min(8, issuedHere - at * 8));
      bytes[at] = ~byte & ((1 << issuedBits) - 1);
    });
    // 0 is nobody's number.
    if (chunk === 0) bytes[0] = (bytes[0] ?? 0) & ~1;
    return bytes;
  }

  #open(n: number, lobby: LobbyIndex, standing: Standing, now: InstantMs): void {
    const chunk = chunkOf(n);
    let note = this.#notes.get(chunk);
    if (note === undefined) {
      note = { lobbies: new Uint16Array(CHUNK_BITS), touchedAt: now };
      this.#notes.set(chunk, note);
    }
    note.lobbies[n - chunkStart(chunk)] = lobby;
    if (!this.#tallies.has(lobby))
      this.#tallies.set(lobby, { unspent: 0, possible: 0, present: 0 });
    this.#touch(n, now);
    this.#move(n, standing);
  }

  /** The only way in which a number changes what it is: sets and tallies cannot disagree. */
  #move(n: number, to: Standing): void {
    const tally = this.#tallies.get(this.#lobbyAt(n));
    invariant(tally !== undefined, "every unspent number is in its lobby's tally");
    this.#called.assign(n, to === "called");
    tally.possible += this.#possible.assign(n, to === "present" || to === "maybe");
    tally.present += this.#present.assign(n, to === "present");
    tally.unspent += this.#unspent.assign(n, to !== "spent");
    if (to !== "spent") return;
    const chunk = chunkOf(n);
    this.#dirty.add(chunk);
    if (this.#unspent.countIn(chunk) === 0) this.#notes.delete(chunk);
  }

  #leave(n: number, to: "away" | "maybe", now: InstantMs): void {
    this.#touch(n, now);
    this.#move(n, to);
  }

  /** Whoever was, or may have been, in the line at this moment may come back after it. */
  #touch(n: number, now: InstantMs): void {
    const note = this.#noteOf(chunkOf(n));
    if (now > note.touchedAt) note.touchedAt = now;
  }

  #noteOf(chunk: number): Note {
    const note = this.#notes.get(chunk);
    invariant(note !== undefined, "a chunk with unspent numbers has its note");
    return note;
  }

  #lobbyAt(n: number): LobbyIndex {
    const chunk = chunkOf(n);
    return lobbyIndex(this.#noteOf(chunk).lobbies[n - chunkStart(chunk)] ?? 0);
  }

  /** The lobby's numbers that are present or maybe. One look at each that stands in the line. */
  #standingFor(lobby: LobbyIndex): number[] {
    const found: number[] = [];
    const sought = this.#tallies.get(lobby)?.possible ?? 0;
    for (const chunk of this.#possible.chunks()) {
      if (found.length === sought) break;
      const { lobbies } = this.#noteOf(chunk);
      const start = chunkStart(chunk);
      this.#possible.eachIn(chunk, (n) => {
        if (lobbies[n - start] === lobby) found.push(n);
      });
    }
    return found;
  }
}
