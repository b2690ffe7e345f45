/**
 * A set of ticket numbers with counts, and nothing of what they stand for: the ledger and the line
 * say that.
 */
import { invariant } from "../invariant.ts";

/** Also the size of a stored row: it may not change once a room has rows. */
export const CHUNK_BITS = 8_192;
export const CHUNK_BYTES = CHUNK_BITS / 8;
const WORD_BITS = 32;
const CHUNK_WORDS = CHUNK_BITS / WORD_BITS;

export const chunkOf = (n: number): number => Math.floor(n / CHUNK_BITS);
/** The lowest number of a chunk. */
export const chunkStart = (chunk: number): number => chunk * CHUNK_BITS;

interface Chunk {
  readonly index: number;
  readonly words: Uint32Array;
  count: number;
}

/** How many bits of a word are set (Hacker's Delight, 5-2). */
const onesIn = (word: number): number => {
  let sums = (word | 0) - ((word >>> 1) & 0x5555_5555);
  sums = (sums & 0x3333_3333) + ((sums >>> 2) & 0x3333_3333);
  return Math.imul((sums + (sums >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
};

/** The place of the lowest set bit of a word that is not 0. */
const lowestBit = (word: number): number => 31 - Math.clz32(word & -word);

const wordAt = (words: Uint32Array, at: number): number => words[at] ?? 0;

/** A set that only its owner changes. */
export type Members = Pick<
  CountedBits,
  | "size"
  | "has"
  | "rank"
  | "at"
  | "first"
  | "next"
  | "chunks"
  | "countIn"
  | "eachIn"
  | "each"
  | "bytes"
>;

/**
 * A set of whole numbers from 1 up to 2^48: bits in chunks, each with a count of its members.
 * A chunk without members takes no memory, so a set that moves up over the years stays small.
 */
export class CountedBits {
  /** Ascending by index; none is empty. */
  readonly #live: Chunk[] = [];
  /** The words of the last chunk that became empty, all 0: a set of one often needs them again. */
  #spare: Uint32Array | null = null;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  has(n: number): boolean {
    const index = chunkOf(n);
    const chunk = this.#chunk(index);
    if (chunk === undefined) return false;
    const bit = n - chunkStart(index);
    return ((wordAt(chunk.words, bit >>> 5) >>> (bit & 31)) & 1) === 1;
  }

  /** True if `n` was not a member before. */
  add(n: number): boolean {
    invariant(Number.isSafeInteger(n) && n >= 1, "members are whole numbers from 1 up");
    const index = chunkOf(n);
    const chunk = this.#chunk(index) ?? this.#open(index);
    const bit = n - chunkStart(index);
    const word = wordAt(chunk.words, bit >>> 5);
    const mask = 1 << (bit & 31);
    if ((word & mask) !== 0) return false;
    chunk.words[bit >>> 5] = word | mask;
    chunk.count += 1;
    this.#size += 1;
    return true;
  }

  /** True if `n` was a member before. */
  delete(n: number): boolean {
    const index = chunkOf(n);
    const chunk = this.#chunk(index);
    if (chunk === undefined) return false;
    const bit = n - chunkStart(index);
    const word = wordAt(chunk.words, bit >>> 5);
    const mask = 1 << (bit & 31);
    if ((word & mask) === 0) return false;
    chunk.words[bit >>> 5] = word & ~mask;
    chunk.count -= 1;
    this.#size -= 1;
    if (chunk.count === 0) {
      this.#live.splice(this.#seat(index), 1);
      this.#spare = chunk.words;
    }
    return true;
  }

  /** Makes `n` a member or not; the change of the size (-1, 0 or 1). */
  assign(n: number, member: boolean): number {
    if (member) return this.add(n) ? 1 : 0;
    return this.delete(n) ? -1 : 0;
  }

  /** How many members are below `n`. */
  rank(n: number): number {
    const index = chunkOf(n);
    let below = 0;
    for (const chunk of this.#live) {
      if (chunk.index > index) break;
      if (chunk.index < index) below += chunk.count;
      else below += onesBelow(chunk.words, n - chunkStart(index));
    }
    return below;
  }

  /** The member with exactly `k` members below it, or null when there are no more than `k`. */
  at(k: number): number | null {
    if (k < 0 || k >= this.#size) return null;
    let left = k;
    for (const chunk of this.#live) {
      if (left < chunk.count) return chunkStart(chunk.index) + bitAt(chunk.words, left);
      left -= chunk.count;
    }
    return null;
  }

  first(): number | null {
    return this.next(1);
  }

  /** The lowest member that is `n` or above. */
  next(n: number): number | null {
    const index = chunkOf(n);
    for (let seat = this.#seat(index); ; seat += 1) {
      const chunk = this.#live[seat];
      if (chunk === undefined) return null;
      const from = chunk.index === index ? n - chunkStart(index) : 0;
      const bit = nextBit(chunk.words, from);
      if (bit !== null) return chunkStart(chunk.index) + bit;
    }
  }

  /** The chunks that have members, ascending. */
  chunks(): number[] {
    return this.#live.map((chunk) => chunk.index);
  }

  countIn(chunk: number): number {
    return this.#chunk(chunk)?.count ?? 0;
  }

  /** Visits the members of one chunk, ascending. `visit` may delete the member, and add none. */
  eachIn(index: number, visit: (n: number) => void): void {
    const chunk = this.#chunk(index);
    if (chunk === undefined) return;
    const start = chunkStart(index);
    for (let at = 0; at < CHUNK_WORDS; at += 1) {
      let word = wordAt(chunk.words, at);
      while (word !== 0) {
        visit(start + at * WORD_BITS + lowestBit(word));
        word &= word - 1;
      }
    }
  }

  each(visit: (n: number) => void): void {
    for (const chunk of this.chunks()) this.eachIn(chunk, visit);
  }

  /** One chunk as it is stored: bit b of byte i stands for the chunk's start + 8 × i + b. */
  bytes(index: number): Uint8Array<ArrayBuffer> {
    const bytes = new Uint8Array(CHUNK_BYTES);
    const view = new DataView(bytes.buffer);
    this.#chunk(index)?.words.forEach((word, at) => view.setUint32(at * 4, word, true));
    return bytes;
  }

  /** Replaces one chunk by what `bytes` gave. */
  load(index: number, bytes: Uint8Array): void {
    invariant(bytes.length === CHUNK_BYTES, "a stored chunk has all its bytes");
    invariant(index > 0 || ((bytes[0] ?? 0) & 1) === 0, "0 is never a member");
    this.eachIn(index, (n) => this.delete(n));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const words = Uint32Array.from({ length: CHUNK_WORDS }, (_, at) =>
      view.getUint32(at * 4, true),
    );
    const count = words.reduce((sum, word) => sum + onesIn(word), 0);
    if (count === 0) return;
    this.#live.splice(this.#seat(index), 0, { index, words, count });
    this.#size += count;
  }

  #chunk(index: number): Chunk | undefined {
    const chunk = this.#live[this.#seat(index)];
    return chunk?.index === index ? chunk : undefined;
  }

  /** Where the chunk is among the live ones, or where it would be. */
  #seat(index: number): number {
    const live = this.#live;
    const span = index - (live[0]?.index ?? index);
    if (!(span > 0)) return 0;
    // Chunks mostly lie side by side, and then the span is the seat. It is never below it.
    if (span < live.length && live[span]?.index === index) return span;
    let low = 1;
    let high = Math.min(span, live.length);
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((live[middle]?.index ?? index) < index) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #open(index: number): Chunk {
    const chunk = { index, words: this.#spare ?? new Uint32Array(CHUNK_WORDS), count: 0 };
    this.#spare = null;
    this.#live.splice(this.#seat(index), 0, chunk);
    return chunk;
  }
}

const onesBelow = (words: Uint32Array, bit: number): number => {
  const last = bit >>> 5;
  let ones = onesIn(wordAt(words, last) & ((1 << (bit & 31)) - 1));
  for (let at = 0; at < last; at += 1) ones += onesIn(wordAt(words, at));
  return ones;
};

/** The place of the set bit that has `k` set bits below it; the caller knows that there is one. */
const bitAt = (words: Uint32Array, k: number): number => {
  let left = k;
  let at = 0;
  for (let ones = 0; left >= (ones = onesIn(wordAt(words, at))); at += 1) left -= ones;
  let word = wordAt(words, at);
  for (; left > 0; left -= 1) word &= word - 1;
  return at * WORD_BITS + lowestBit(word);
};

const nextBit = (words: Uint32Array, from: number): number | null => {
  let at = from >>> 5;
  let word = wordAt(words, at) & (-1 << (from & 31));
  while (word === 0) {
    at += 1;
    if (at >= CHUNK_WORDS) return null;
    word = wordAt(words, at);
  }
  return at * WORD_BITS + lowestBit(word);
};
