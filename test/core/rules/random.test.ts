import fc from "fast-check";
import { expect, test } from "vitest";
import { Steps } from "../../../src/core/patterns/steps.ts";
import { compileExpression } from "../../../src/core/rules/compile.ts";
import { parseExpression } from "../../../src/core/rules/parse.ts";
import { cases } from "./naive.ts";

test("[EXPR-7] random expressions hold when a naive evaluator says so", () => {
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(cases, ({ text, holds, request }) => {
      const parsed = parseExpression(text);
      if (!parsed.ok) throw new Error(`${text}: ${JSON.stringify(parsed.problem)}`);
      expect(compileExpression(parsed.expression)(request, new Steps(100_000)), text).toBe(holds);
      seen[`${holds}`] += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(400);
});

test("[EXPR-10] whatever the text, it is read, or refused at one of its columns", () => {
  const piece = fc.constantFrom(
    ...[
      "http.host",
      "ip.src",
      "ssl",
      "eq",
      "in",
      "not",
      "and",
      "any",
      "lower",
      "matches",
      "wildcard",
    ],
    ...[
      '"a"',
      'r"a',
      "{",
      "}",
      "(",
      ")",
      "[",
      "]",
      "*",
      "1",
      "1.2.3.4",
      "..",
      "$",
      " ",
      '"',
      "\\",
      "é",
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.boolean(), (pieces, isSpaced) => {
      const text = pieces.join(isSpaced ? " " : "");
      const parsed = parseExpression(text);
      if (parsed.ok) return;
      expect(parsed.problem.column).toBeGreaterThanOrEqual(1);
      expect(parsed.problem.column).toBeLessThanOrEqual(text.length + 1);
      expect(parsed.problem.message.length).toBeLessThan(200);
    }),
    { numRuns: 2_000 },
  );
});
