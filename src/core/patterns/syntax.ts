/** Patterns as they are written: the part of RE2's syntax that decides whether a text matches. */
import type { CharSet } from "./char-set.ts";

export type Assertion =
  | "text-start"
  | "text-end"
  | "line-start"
  | "line-end"
  | "word-edge"
  | "no-word-edge";

export type PatternNode =
  | { readonly kind: "one"; readonly set: CharSet }
  | { readonly kind: "assert"; readonly assertion: Assertion }
  | { readonly kind: "all"; readonly parts: readonly PatternNode[] }
  | { readonly kind: "either"; readonly ways: readonly PatternNode[] }
  | {
      readonly kind: "repeat";
      readonly part: PatternNode;
      readonly least: number;
      /** Null: without end. */
      readonly most: number | null;
    };

/** What is wrong with a pattern, and at which of its characters (from 0). */
export class PatternProblem extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }
}
