/** The work that a ticket may cost: one puzzle, solved between the crowd's other business. */
import { setImmediate as breath } from "node:timers/promises";
import * as v from "valibot";
import { createPuzzleSolver } from "../../src/core/strangers/puzzle.ts";
import type { BrowserAnswer } from "./browser.ts";

type ProofHeader = Record<"seiriken-proof", string>;

/** Says to the room that this visitor can work. */
export const NO_PROOF: ProofHeader = { "seiriken-proof": "none" };

/** A few milliseconds of work. */
const SLICE = 8_192;

const neededSchema = v.object({
  code: v.literal("proof-needed"),
  puzzle: v.object({ token: v.string(), seed: v.string(), bits: v.number() }),
});

/** The header with the solution, where the answer asks for one; else null. */
export const proofFor = async (
  answer: BrowserAnswer,
  signal: AbortSignal,
): Promise<ProofHeader | null> => {
  if (answer.status !== 403) return null;
  const needed = v.safeParse(neededSchema, jsonOf(answer.body));
  if (!needed.success) return null;
  const { puzzle } = needed.output;
  const solver = createPuzzleSolver(puzzle);
  for (;;) {
    const solution = solver.tryNext(SLICE);
    if (solution !== null) return { "seiriken-proof": `work ${puzzle.token} ${solution}` };
    await breath(undefined, { signal });
  }
};

const jsonOf = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
};
