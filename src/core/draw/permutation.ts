import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { TICKET_NUMBER_MAX } from "../ids.ts";
import { invariant } from "../invariant.ts";

const KEY_BYTES = 32;
/** Twelve for each half. FF1 (NIST SP 800-38G) has ten in all, for a million and more. */
const ROUNDS = 24;
/** How many values one block gives, and how many bytes apart they lie in it. */
const VALUES_PER_BLOCK = 4;
const VALUE_STEP_BYTES = 8;
/** Up to here each value is worked out once and kept: 24 × 8,192 of them at most, 786 KB. */
const KEPT_SIZE_MAX = 2 ** 26;

/** 32 bytes for each round and each block of its inputs. */
export type RoundBlocks = (round: number, block: number) => Uint8Array;

/** HMAC-SHA-256 under the key of the round (one byte) and the block (eight, the highest first). */
export const roundBlocks = (key: Uint8Array): RoundBlocks => {
  invariant(key.length === KEY_BYTES, "a key has 32 bytes");
  const keyed = hmac.create(sha256, key);
  const name = new Uint8Array(9);
  const view = new DataView(name.buffer);
  return (round, block) => {
    view.setUint8(0, round);
    view.setUint32(1, Math.floor(block / 2 ** 32));
    view.setUint32(5, block % 2 ** 32);
    return keyed.clone().update(name).digest();
  };
};

/**
 * A permutation of 0 to `size` - 1 that a key chooses, and its inverse. It is a generalized Feistel
 * network (Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002): x = left + columns × right
 * with `columns` × `rows` barely above `size`; in turn left is moved by a function of right, and right
 * by a function of left. What lands at `size` or above goes through again ("cycle walking") until it
 * does not. Nothing is kept per number. docs/decisions/the-draw.md says how to work it out by hand.
 */
export class KeyedPermutation {
  readonly size: number;
  readonly #columns: number;
  readonly #rows: number;
  readonly #blocks: RoundBlocks;
  /** How many inputs a round has at most. */
  readonly #stride: number;
  /** Round by round and input by input the value + 1; 0 where it is not known yet. Empty: none is kept. */
  readonly #kept: Uint32Array;

  constructor(blocks: RoundBlocks, size: number) {
    invariant(
      Number.isInteger(size) && size >= 1 && size <= TICKET_NUMBER_MAX,
      "1 to 2^48 numbers are permuted",
    );
    this.size = size;
    this.#blocks = blocks;
    this.#columns = evenRootAbove(size);
    this.#rows = Math.ceil(size / this.#columns);
    this.#stride = Math.max(this.#columns, this.#rows);
    this.#kept = new Uint32Array(size > KEPT_SIZE_MAX ? 0 : ROUNDS * this.#stride);
  }

  /** Where the permutation sends `x`. */
  forward(x: number): number {
    this.#check(x);
    let at = x;
    do at = this.#through(at);
    while (at >= this.size);
    return at;
  }

  /** What the permutation sends to `y`. */
  back(y: number): number {
    this.#check(y);
    let at = y;
    do at = this.#throughBack(at);
    while (at >= this.size);
    return at;
  }

  #check(x: number): void {
    invariant(Number.isInteger(x) && x >= 0 && x < this.size, "permuted is what is below the size");
  }

  #through(x: number): number {
    const [columns, rows] = [this.#columns, this.#rows];
    let left = x % columns;
    let right = (x - left) / columns;
    for (let round = 0; round < ROUNDS; round += 2) {
      left += this.#value(round, right);
      if (left >= columns) left -= columns;
      right += this.#value(round + 1, left);
      if (right >= rows) right -= rows;
    }
    return left + columns * right;
  }

  #throughBack(y: number): number {
    const [columns, rows] = [this.#columns, this.#rows];
    let left = y % columns;
    let right = (y - left) / columns;
    for (let round = ROUNDS - 2; round >= 0; round -= 2) {
      right -= this.#value(round + 1, left);
      if (right < 0) right += rows;
      left -= this.#value(round, right);
      if (left < 0) left += columns;
    }
    return left + columns * right;
  }

  /** In even rounds the function of right that moves left, in odd ones that of left that moves right. */
  #value(round: number, input: number): number {
    const known = this.#kept[round * this.#stride + input] ?? 0;
    return known === 0 ? this.#work(round, input) : known - 1;
  }

  /** The values of one block come together, and are kept together. */
  #work(round: number, input: number): number {
    const block = Math.floor(input / VALUES_PER_BLOCK);
    const bytes = this.#blocks(round, block);
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const outputs = this.#inputsOf(round + 1);
    const valueOf = (seat: number): number => uint48(view, seat * VALUE_STEP_BYTES) % outputs;
    const first = block * VALUES_PER_BLOCK;
    if (this.#kept.length > 0)
      for (let seat = 0; seat < VALUES_PER_BLOCK && first + seat < this.#stride; seat += 1)
        this.#kept[round * this.#stride + first + seat] = valueOf(seat) + 1;
    return valueOf(input - first);
  }

  #inputsOf(round: number): number {
    return round % 2 === 0 ? this.#rows : this.#columns;
  }
}

/**
 * The lowest even number whose square is at least `size`. Were both sides odd, every round would be an
 * even permutation, and half of all permutations could not be had.
 */
const evenRootAbove = (size: number): number => {
  let root = Math.max(1, Math.floor(Math.sqrt(size)));
  while (root * root < size) root += 1;
  return root + (root % 2);
};

/** Six bytes, the highest first: exact in a double, and so far above any side that the rest is even. */
const uint48 = (view: DataView, at: number): number =>
  view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2);
