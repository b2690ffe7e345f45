/**
 * The proof of work that a room may ask of those who want a ticket: what a puzzle is, how it is solved,
 * and how a solution is checked. Runs in the Worker, in the page and on the command line.
 *
 * A puzzle has 16 parts, as many small ones vary less than a large one. Part p (a hex digit) is solved by
 * the counter c (eight hex digits) when SHA-256 of the ASCII text seed + p + c begins with `bits - 4` zero
 * bits. A solution is the 16 counters, one after the other.
 */
import { blockOf, firstWord } from "./first-word.ts";

export interface Puzzle {
  /** 32 hex digits. */
  readonly seed: string;
  /** Solving takes 2^bits hashes on average. */
  readonly bits: number;
}

export const PUZZLE_PARTS = 16;
const PART_BITS = 4;
const COUNTER_DIGITS = 8;
/** Where in the block the counter stands: behind the seed and the digit of the part. */
const SEED_LENGTH = 32;

const SOLUTION = /^[0-9a-f]{128}$/;

/** By its looks, so that nothing else costs more than a look. */
export const looksSolved = (solution: string): boolean => SOLUTION.test(solution);

/** Hashes at most 16 times, and not at all what is no solution by its looks. */
export const isSolvedBy = ({ seed, bits }: Puzzle, solution: string): boolean => {
  if (!looksSolved(solution)) return false;
  for (let part = 0; part < PUZZLE_PARTS; part++) {
    const counter = solution.slice(part * COUNTER_DIGITS, (part + 1) * COUNTER_DIGITS);
    const word = firstWord(blockOf(`${seed}${part.toString(16)}${counter}`));
    if (Math.clz32(word) < bits - PART_BITS) return false;
  }
  return true;
};

/** Solves a puzzle in slices, so that whoever runs it can do something else between them. */
export interface PuzzleSolver {
  /** How many of the parts are solved. */
  done(): number;
  /** Tries so many counters at most; the solution when there is one. */
  tryNext(count: number): string | null;
}

/** A closure: private fields are slow where they are made of maps, as in old browsers. */
export const createPuzzleSolver = ({ seed, bits }: Puzzle): PuzzleSolver => {
  const zeros = bits - PART_BITS;
  let counters = "";
  let counter = 0;
  let part = 0;
  const begin = (): Int32Array =>
    blockOf(`${seed}${part.toString(16)}${"0".repeat(COUNTER_DIGITS)}`);
  let block = begin();
  return {
    done: () => part,
    tryNext(count) {
      for (let left = count; left > 0; left--) {
        writeCounter(block, counter);
        if (Math.clz32(firstWord(block)) < zeros) {
          counter++;
          continue;
        }
        counters += digitsOf(counter);
        counter = 0;
        part++;
        if (part === PUZZLE_PARTS) return counters;
        block = begin();
      }
      return null;
    },
  };
};

const digitsOf = (counter: number): string => counter.toString(16).padStart(COUNTER_DIGITS, "0");

/** Bytes 33 to 40 of the block: the counter's digits in ASCII. */
const writeCounter = (block: Int32Array, counter: number): void => {
  const at = SEED_LENGTH / 4;
  block[at] =
    ((block[at] as number) & 0xff00_0000) |
    (digit(counter >>> 28) << 16) |
    (digit(counter >>> 24) << 8) |
    digit(counter >>> 20);
  block[at + 1] =
    (digit(counter >>> 16) << 24) |
    (digit(counter >>> 12) << 16) |
    (digit(counter >>> 8) << 8) |
    digit(counter >>> 4);
  block[at + 2] = (digit(counter) << 24) | 0x80_0000;
};

/** The ASCII code of the lowest four bits as a hex digit. */
const digit = (value: number): number => {
  const low = value & 15;
  return low < 10 ? 48 + low : 87 + low;
};
