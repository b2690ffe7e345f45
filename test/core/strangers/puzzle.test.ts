import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { blockOf, firstWord } from "../../../src/core/strangers/first-word.ts";
import {
  isSolvedBy,
  PUZZLE_PARTS,
  createPuzzleSolver,
} from "../../../src/core/strangers/puzzle.ts";
import type { Puzzle } from "../../../src/core/strangers/puzzle.ts";

const SEED = "0123456789abcdef0123456789abcdef";
const EASY: Puzzle = { seed: SEED, bits: 8 };

const solved = (puzzle: Puzzle, slice = 1_000_000): string => {
  const solver = createPuzzleSolver(puzzle);
  for (;;) {
    const solution = solver.tryNext(slice);
    if (solution !== null) return solution;
  }
};

const hashOf = (text: string): Buffer => createHash("sha256").update(text).digest();

/** As an app would check it, by what docs/API.md says. */
const zerosOf = (seed: string, solution: string): number[] =>
  Array.from({ length: PUZZLE_PARTS }, (_, part) => {
    const text = seed + part.toString(16) + solution.slice(8 * part, 8 * part + 8);
    return Math.clz32(hashOf(text).readInt32BE());
  });

describe("the hash", () => {
  test("[WORK-1] the first word is SHA-256's, for every text that fits a block", () => {
    const texts = fc.stringMatching(/^[ -~]{0,55}$/);
    fc.assert(
      fc.property(texts, (text) => {
        expect(firstWord(blockOf(text))).toBe(hashOf(text).readInt32BE());
      }),
    );
    expect(firstWord(blockOf("abc"))).toBe(0xba78_16bf | 0);
    expect(firstWord(blockOf("a".repeat(55)))).toBe(hashOf("a".repeat(55)).readInt32BE());
    expect(() => blockOf("a".repeat(56))).toThrow("does not fit");
  });
});

describe("a puzzle", () => {
  test("[WORK-1] is solved by 16 counters whose hashes begin with the zero bits asked for", () => {
    for (const bits of [8, 10, 12]) {
      const solution = solved({ seed: SEED, bits });
      expect(solution).toMatch(/^[0-9a-f]{128}$/);
      for (const zeros of zerosOf(SEED, solution)) expect(zeros).toBeGreaterThanOrEqual(bits - 4);
      expect(isSolvedBy({ seed: SEED, bits }, solution)).toBe(true);
    }
  });

  test("[WORK-1] slices of any size find the same solution", () => {
    const puzzle = { seed: "f".repeat(32), bits: 10 };
    const whole = solved(puzzle);
    for (const slice of [1, 7, 64, 1_000]) expect(solved(puzzle, slice)).toBe(whole);
    const solver = createPuzzleSolver(puzzle);
    expect(solver.done()).toBe(0);
    while (solver.done() === 0) solver.tryNext(1);
    expect(solver.done()).toBe(1);
  });

  test("[WORK-2] nothing but a solution is one", () => {
    const solution = solved(EASY);
    const hard = { ...EASY, bits: 26 };
    expect(isSolvedBy(hard, solution)).toBe(false);
    expect(isSolvedBy({ ...EASY, seed: "e".repeat(32) }, solution)).toBe(false);
    expect(isSolvedBy(EASY, solution.slice(8) + solution.slice(0, 8))).toBe(false);
    const broken = [
      "",
      "0",
      solution.slice(1),
      `${solution}0`,
      `${solution.slice(1)}G`,
      `${solution}\n`,
    ];
    for (const text of [...broken, "f".repeat(1_000_000), " ".repeat(128)])
      expect(isSolvedBy(EASY, text)).toBe(false);
  });

  test("[WORK-2] each part counts: one that is not solved spoils the whole", () => {
    const solution = solved({ seed: SEED, bits: 12 });
    for (let part = 0; part < PUZZLE_PARTS; part++) {
      const spoilt = `${solution.slice(0, 8 * part)}ffffffff${solution.slice(8 * part + 8)}`;
      expect(isSolvedBy({ seed: SEED, bits: 12 }, spoilt)).toBe(false);
    }
  });

  test("[WORK-1] takes about 2^bits hashes, within a quarter of that", () => {
    const bits = 12;
    const tried = Array.from({ length: 12 }, (_, at) => {
      const solver = createPuzzleSolver({ seed: at.toString(16).padStart(32, "0"), bits });
      for (let hashes = 1; ; hashes++) if (solver.tryNext(1) !== null) return hashes;
    });
    const mean = tried.reduce((sum, hashes) => sum + hashes, 0) / tried.length;
    expect(mean).toBeGreaterThan(0.75 * 2 ** bits);
    expect(mean).toBeLessThan(1.25 * 2 ** bits);
  });
});
