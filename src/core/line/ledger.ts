/**
 * Holds each issued number in exactly one state, and its lobby. Which moves are allowed is the
 * line's business.
 */
import { lobbyIndex, ticketNumber } from "../ids.ts";
import type { LobbyIndex } from "../ids.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import { CHUNK_BITS, CountedBits, chunkOf, chunkStart } from "./counted-bits.ts";
import type { Members } from "./counted-bits.ts";
import { LineOrder } from "./order.ts";

/**
 * The state of an issued number. present: heard from lately · unconfirmed: not reported by any
 * lobby since a start · away: not heard from · called: out of the line, with a permit waiting ·
 * spent: for ever
 */
export type NumberState = "present" | "unconfirmed" | "away" | "called" | "spent";

/** Of a chunk that has unspent numbers. */
interface Note {
  readonly lobbies: Uint16Array;
  /** When one of its numbers last became away; null while none has. */
  leftAt: InstantMs | null;
}

interface LobbyCounts {
  unspent: number;
  possible: number;
  present: number;
}

/** The state and the lobby of every unspent number, with counts that always agree with them. */
export class Ledger {
  readonly #unspent = new CountedBits();
  readonly #called = new CountedBits();
  readonly #possible = new CountedBits();
  readonly #present = new CountedBits();
  readonly #notes = new Map<number, Note>();
  readonly #counts = new Map<LobbyIndex, LobbyCounts>();
  #order = LineOrder.plain;
  /** The spots of the possible, only while the order is not that of the numbers. */
  #spots: CountedBits | null = null;

  get order(): LineOrder {
    return this.#order;
  }

  get unspent(): Members {
    return this.#unspent;
  }

  get called(): Members {
    return this.#called;
  }

  /** Present or unconfirmed: all that count as standing in the line. */
  get possible(): Members {
    return this.#possible;
  }

  get present(): Members {
    return this.#present;
  }

  /** The possible by their spots: the lower, the further ahead. */
  get spots(): Members {
    return this.#spots ?? this.#possible;
  }

  /** From now on the line stands in this order. */
  reorder(order: LineOrder): void {
    if (order === this.#order) return;
    this.#order = order;
    this.#spots = null;
    if (order.isPlain) return;
    const spots = new CountedBits();
    this.#possible.each((n) => spots.add(order.spotOf(ticketNumber(n))));
    this.#spots = spots;
  }

  /** Draws of numbers that are all below `lowest` are forgotten: these are spent. */
  forgetDrawsBelow(lowest: number): void {
    this.#order = this.#order.from(lowest);
    if (this.#order.isPlain) this.#spots = null;
  }

  countsOf(lobby: LobbyIndex): Readonly<LobbyCounts> {
    return this.#counts.get(lobby) ?? { unspent: 0, possible: 0, present: 0 };
  }

  /** The lobbies that have unspent numbers. */
  lobbies(): Iterable<LobbyIndex> {
    return this.#counts.keys();
  }

  /** Only of an unspent number. */
  lobbyOf(n: number): LobbyIndex {
    const chunk = chunkOf(n);
    return lobbyIndex(this.#noteOf(chunk).lobbies[n - chunkStart(chunk)] ?? 0);
  }

  /** When a number of the chunk last became away; null while none has. */
  leftAt(chunk: number): InstantMs | null {
    return this.#noteOf(chunk).leftAt;
  }

  /** A number that was unknown until now is unspent. The caller says at once what else it is. */
  enrol(n: number, lobby: LobbyIndex): void {
    const chunk = chunkOf(n);
    let note = this.#notes.get(chunk);
    if (note === undefined) {
      note = { lobbies: new Uint16Array(CHUNK_BITS), leftAt: null };
      this.#notes.set(chunk, note);
    }
    note.lobbies[n - chunkStart(chunk)] = lobby;
    this.#tallyOf(lobby).unspent += this.#unspent.assign(n, true);
  }

  /** An unspent number is another lobby's from now on. */
  handOver(n: number, lobby: LobbyIndex): void {
    const chunk = chunkOf(n);
    const former = this.lobbyOf(n);
    this.#noteOf(chunk).lobbies[n - chunkStart(chunk)] = lobby;
    const possible = this.#possible.has(n) ? 1 : 0;
    const present = this.#present.has(n) ? 1 : 0;
    for (const [of, sign] of [
      [former, -1],
      [lobby, 1],
    ] as const) {
      const tally = this.#tallyOf(of);
      tally.unspent += sign;
      tally.possible += sign * possible;
      tally.present += sign * present;
      if (tally.unspent === 0) this.#counts.delete(of);
    }
  }

  move(n: number, to: Exclude<NumberState, "away">): void {
    this.#assign(n, to);
    if (to !== "spent") return;
    const chunk = chunkOf(n);
    if (this.#unspent.countIn(chunk) === 0) this.#notes.delete(chunk);
  }

  moveAway(n: number, now: InstantMs): void {
    this.#assign(n, "away");
    const note = this.#noteOf(chunkOf(n));
    if (note.leftAt === null || note.leftAt < now) note.leftAt = now;
  }

  /** The lobby's numbers that are present or unconfirmed. Looks once at each number in the line. */
  possibleOf(lobby: LobbyIndex): number[] {
    const found: number[] = [];
    const sought = this.countsOf(lobby).possible;
    for (const chunk of this.#possible.chunks()) {
      if (found.length === sought) break;
      const { lobbies } = this.#noteOf(chunk);
      const start = chunkStart(chunk);
      // Few match, so the lobbies are compared first.
      for (let at = 0; at < CHUNK_BITS; at += 1) {
        if (lobbies[at] === lobby && this.#possible.has(start + at)) found.push(start + at);
      }
    }
    return found;
  }

  #assign(n: number, to: NumberState): void {
    const lobby = this.lobbyOf(n);
    const tally = this.#counts.get(lobby);
    invariant(tally !== undefined, "every unspent number is in its lobby's tally");
    this.#called.assign(n, to === "called");
    const isPossible = to === "present" || to === "unconfirmed";
    const joined = this.#possible.assign(n, isPossible);
    if (joined !== 0) this.#spots?.assign(this.#order.spotOf(ticketNumber(n)), isPossible);
    tally.possible += joined;
    tally.present += this.#present.assign(n, to === "present");
    tally.unspent += this.#unspent.assign(n, to !== "spent");
    if (tally.unspent === 0) this.#counts.delete(lobby);
  }

  #tallyOf(lobby: LobbyIndex): LobbyCounts {
    const known = this.#counts.get(lobby);
    if (known !== undefined) return known;
    const tally = { unspent: 0, possible: 0, present: 0 };
    this.#counts.set(lobby, tally);
    return tally;
  }

  #noteOf(chunk: number): Note {
    const note = this.#notes.get(chunk);
    invariant(note !== undefined, "a chunk with unspent numbers has its note");
    return note;
  }
}
