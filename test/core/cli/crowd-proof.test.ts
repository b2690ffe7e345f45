import { expect, test } from "vitest";
import { NO_PROOF, proofFor } from "../../../cli/crowd/proof.ts";
import { isSolvedBy } from "../../../src/core/strangers/puzzle.ts";

const puzzle = { token: "a.b.c", seed: "0123456789abcdef".repeat(2), bits: 12 };
const home = new AbortController().signal;
const answer = (status: number, body: unknown) => ({
  status,
  headers: {},
  body: typeof body === "string" ? body : JSON.stringify(body),
});
const NEEDED = { code: "proof-needed", puzzle };

test("[WORK-12] an answer with a puzzle gets its solution", async () => {
  const proof = await proofFor(answer(403, NEEDED), home);
  const [kind, token, solution = ""] = (proof ?? NO_PROOF)["seiriken-proof"].split(" ");
  expect([kind, token]).toEqual(["work", "a.b.c"]);
  expect(isSolvedBy(puzzle, solution)).toBe(true);
});

test.each([
  [201, NEEDED],
  [403, { code: "foreign-origin" }],
  [403, { code: "proof-needed" }],
  [403, "Load this page again"],
])("[WORK-12] a %i without one gets none", async (status, body) => {
  expect(await proofFor(answer(status, body), home)).toBeNull();
});

test("[WORK-12] who goes home stops working", async () => {
  const leaving = new AbortController();
  const hard = { code: "proof-needed", puzzle: { ...puzzle, bits: 26 } };
  const working = proofFor(answer(403, hard), leaving.signal);
  leaving.abort();
  await expect(working).rejects.toThrow("aborted");
});
