/** What of a line is kept in rows: which chunks, which of them have to be written, and until when. */
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import type { InstantMs } from "../time.ts";
import { chunkOf, chunkStart } from "./counted-bits.ts";
import type { Ledger } from "./ledger.ts";
import type { DrawnStretch } from "./order.ts";

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
  readonly drawn?: readonly DrawnStretch[];
}

export interface Swept {
  /** The lowest chunk that is still kept. Rows of chunks and runs wholly below it may be deleted. */
  readonly base: number;
  /** How many chunks the base rose by. */
  readonly dropped: number;
}

/** The chunks from the base up, and those in which numbers were spent and not yet stored as such. */
export class KeptChunks {
  readonly #ledger: Ledger;
  readonly #dirty = new Set<number>();
  #base: number;

  constructor(ledger: Ledger, base: number) {
    this.#ledger = ledger;
    this.#base = base;
  }

  /** Every issued number below this chunk is spent. */
  get base(): number {
    return this.#base;
  }

  spent(n: number): void {
    this.#dirty.add(chunkOf(n));
  }

  /** The chunks in which numbers were spent since the last time, ascending. */
  drainDirty(): number[] {
    const chunks = [...this.#dirty].sort((a, b) => a - b);
    this.#dirty.clear();
    return chunks;
  }

  /** Which numbers of a chunk are spent, in the form of `CountedBits.bytes`. */
  spentBytes(chunk: number, issued: number): Uint8Array<ArrayBuffer> {
    const bytes = this.#ledger.unspent.bytes(chunk);
    const issuedHere = issued + 1 - chunkStart(chunk);
    bytes.forEach((byte, at) => {
      const issuedBits = Math.max(0, Math.min(8, issuedHere - at * 8));
      bytes[at] = ~byte & ((1 << issuedBits) - 1);
    });
    // 0 is nobody's number.
    if (chunk === 0) bytes[0] = (bytes[0] ?? 0) & ~1;
    return bytes;
  }

  /** The full chunks in which all unspent numbers are away, the last of them since `before`. */
  stale(issued: number, before: InstantMs): number[] {
    const end = chunkOf(issued + 1);
    const chunks = this.#ledger.unspent.chunks();
    return chunks.filter((chunk) => chunk < end && this.#isStale(chunk, before));
  }

  /** Drops the lowest chunks that are spent whole. */
  rise(issued: number): Swept {
    const before = this.#base;
    const lowest = this.#ledger.unspent.first();
    this.#base = chunkOf(lowest ?? issued + 1);
    for (const chunk of this.#dirty) if (chunk < this.#base) this.#dirty.delete(chunk);
    return { base: this.#base, dropped: this.#base - before };
  }

  #isStale(chunk: number, before: InstantMs): boolean {
    const { possible, called } = this.#ledger;
    if (possible.countIn(chunk) > 0 || called.countIn(chunk) > 0) return false;
    const leftAt = this.#ledger.leftAt(chunk);
    return leftAt !== null && leftAt <= before;
  }
}
