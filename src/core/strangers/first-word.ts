/**
 * SHA-256 (FIPS 180-4) of a text that fits one block, as far as a puzzle asks for it: the first 32 bits.
 * Synchronous and small, as it runs in the page of old phones too, where each call of WebCrypto costs
 * more than the hash.
 */

/** 55 bytes, the mark behind them and the length fill a block. */
const TEXT_MAX = 55;

/** The first 32 bits of the fractional part of a root of each of the first primes. */
const fractions = (count: number, root: (prime: number) => number): Int32Array => {
  const words = new Int32Array(count);
  for (let prime = 2, found = 0; found < count; prime++) {
    let divisor = 2;
    while (divisor * divisor <= prime && prime % divisor !== 0) divisor++;
    if (divisor * divisor <= prime) continue;
    words[found++] = ((root(prime) % 1) * 2 ** 32) | 0;
  }
  return words;
};

const START = fractions(8, Math.sqrt);
const ROUNDS = fractions(64, Math.cbrt);
const schedule = new Int32Array(64);

/** Sixteen words of a block, as `blockOf` makes them; returns the first word of the hash. */
export const firstWord = (block: Int32Array): number => {
  schedule.set(block);
  for (let t = 16; t < 64; t++) {
    const x = schedule[t - 15] as number;
    const y = schedule[t - 2] as number;
    const small = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const large = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    schedule[t] = ((schedule[t - 16] as number) + small + (schedule[t - 7] as number) + large) | 0;
  }
  let a = START[0] as number;
  let b = START[1] as number;
  let c = START[2] as number;
  let d = START[3] as number;
  let e = START[4] as number;
  let f = START[5] as number;
  let g = START[6] as number;
  let h = START[7] as number;
  for (let t = 0; t < 64; t++) {
    const sumE = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const word = (ROUNDS[t] as number) + (schedule[t] as number);
    const one = (h + sumE + ((e & f) ^ (~e & g)) + word) | 0;
    const sumA = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const two = (sumA + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + one) | 0;
    d = c;
    c = b;
    b = a;
    a = (one + two) | 0;
  }
  return (a + (START[0] as number)) | 0;
};

/** An ASCII text of at most 55 characters, padded to one block. */
export const blockOf = (text: string): Int32Array => {
  if (text.length > TEXT_MAX) throw new RangeError("the text does not fit one block");
  const block = new Int32Array(16);
  for (let at = 0; at < text.length; at++) put(block, at, text.charCodeAt(at));
  put(block, text.length, 0x80);
  block[15] = text.length * 8;
  return block;
};

/** Writes one byte where there is none yet. */
const put = (block: Int32Array, at: number, byte: number): void => {
  block[at >> 2] = (block[at >> 2] as number) | (byte << (24 - 8 * (at & 3)));
};
