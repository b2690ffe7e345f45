import { hmac } from "@noble/hashes/hmac.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { hex } from "../hex.ts";
import { invariant } from "../invariant.ts";

/** All that a generator is: what it goes on from after a restart. */
export interface GeneratorState {
  /** Nobody outside may know it: who does knows whom it draws next. */
  readonly seed: string;
  /** How many values it has made. */
  readonly made: number;
}

const VALUES = 2 ** 48;

/**
 * Draws whole numbers evenly. The values are the first six bytes of HMAC-SHA-256 under the seed of 1, 2,
 * 3 ..., so that a state is its seed and a count. Where the last stretch of values would favour the low
 * numbers, the value is passed over.
 */
export class Generator {
  readonly #seed: string;
  readonly #keyed: ReturnType<typeof hmac.create>;
  #made: number;

  constructor({ seed, made }: GeneratorState) {
    this.#seed = seed;
    this.#made = made;
    this.#keyed = hmac.create(sha256, new TextEncoder().encode(seed));
  }

  /** The first state of one whose seed is made of a secret, which the seed does not tell. */
  static fromSecret(secret: string): Generator {
    const bytes = new TextEncoder().encode(`seiriken generator ${secret}`);
    return new Generator({ seed: hex(sha256(bytes)), made: 0 });
  }

  toJSON(): GeneratorState {
    return { seed: this.#seed, made: this.#made };
  }

  /** From 0 up, and below `limit`; each equally often. */
  below(limit: number): number {
    invariant(Number.isInteger(limit) && limit >= 1 && limit <= VALUES, "something can be drawn");
    const even = VALUES - (VALUES % limit);
    for (;;) {
      const value = this.#next();
      if (value < even) return value % limit;
    }
  }

  #next(): number {
    this.#made += 1;
    const count = new DataView(new ArrayBuffer(8));
    count.setBigUint64(0, BigInt(this.#made));
    const bytes = this.#keyed.clone().update(new Uint8Array(count.buffer)).digest();
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return view.getUint16(0) * 2 ** 32 + view.getUint32(2);
  }
}
