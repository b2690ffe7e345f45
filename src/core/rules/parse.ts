/**
 * Cloudflare's expression language, read from the left
 * (https://developers.cloudflare.com/ruleset-engine/rules-language/operators/): `not` binds closest,
 * then `and`, `xor` and `or`.
 */
import { Pattern } from "../patterns/pattern.ts";
import { PatternProblem } from "../patterns/syntax.ts";
import { kindOf } from "./functions.ts";
import {
  readAddress,
  readAddressList,
  readNumber,
  readNumberList,
  readTextList,
  readTextLiteral,
} from "./literals.ts";
import { Depth, readValue } from "./parse-value.ts";
import { ExpressionError, Scanner } from "./scanner.ts";
import type { ExpressionNode, ExpressionProblem, Ordering, TestNode, ValueNode } from "./syntax.ts";
import { readWildcard } from "./wildcard.ts";

/** Cloudflare's own bound. */
export const EXPRESSION_LENGTH_MAX = 4_096;

export type ParsedExpression =
  | { readonly ok: true; readonly expression: ExpressionNode }
  | { readonly ok: false; readonly problem: ExpressionProblem };

export const parseExpression = (text: string): ParsedExpression => {
  if (text.length > EXPRESSION_LENGTH_MAX) {
    const message = `expected at most ${EXPRESSION_LENGTH_MAX} characters, found ${text.length}`;
    return { ok: false, problem: { column: EXPRESSION_LENGTH_MAX + 1, message } };
  }
  try {
    return { ok: true, expression: new ExpressionParser(text).whole() };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { ok: false, problem: error.problem };
  }
};

/** The loosest first. */
const LEVELS = [
  { kind: "or", tokens: ["or", "||"] },
  { kind: "xor", tokens: ["xor", "^^"] },
  { kind: "and", tokens: ["and", "&&"] },
] as const;

const ORDERINGS: readonly (readonly [Ordering, string])[] = [
  ["eq", "=="],
  ["ne", "!="],
  ["le", "<="],
  ["ge", ">="],
  ["lt", "<"],
  ["gt", ">"],
];

const OPERATORS = {
  string: "eq, ne, lt, le, gt, ge, contains, wildcard, strict wildcard, matches or in",
  number: "eq, ne, lt, le, gt, ge or in",
  address: "eq, ne or in",
} as const;

class ExpressionParser {
  readonly #scanner: Scanner;
  readonly #depth = new Depth();

  constructor(text: string) {
    this.#scanner = new Scanner(text);
  }

  whole(): ExpressionNode {
    const expression = this.#alone(() => this.#level(0));
    if (!this.#scanner.isAtEnd) this.#scanner.fail("and, or, xor, or the end");
    return expression;
  }

  /** Where one truth is wanted, and not one for each element of an array. */
  #alone(read: () => ExpressionNode): ExpressionNode {
    this.#scanner.skipSpace();
    const start = this.#scanner.at;
    const expression = read();
    if (expression.isEach)
      this.#scanner.failAt(start, "expected any( ) or all( ) around what has [*]");
    return expression;
  }

  #level(index: number): ExpressionNode {
    const level = LEVELS[index];
    if (level === undefined) return this.#single();
    const first = this.#level(index + 1);
    const parts = [first];
    while (this.#scanner.takesEither(...level.tokens)) {
      this.#scanner.skipSpace();
      const start = this.#scanner.at;
      const part = this.#level(index + 1);
      if (part.isEach !== first.isEach)
        this.#scanner.failAt(start, "expected [*] on both sides of the operator, or on none");
      parts.push(part);
    }
    return parts.length === 1 ? first : { kind: level.kind, parts, isEach: first.isEach };
  }

  #single(): ExpressionNode {
    const scanner = this.#scanner;
    if (scanner.takesEither("not", "!")) {
      const of = this.#depth.within(scanner, () => this.#single());
      return { kind: "not", of, isEach: of.isEach };
    }
    if (scanner.takes("(")) {
      const inner = this.#depth.within(scanner, () => this.#level(0));
      if (!scanner.takes(")")) scanner.fail("and, or, xor or )");
      return inner;
    }
    if (scanner.takes("true")) return { kind: "constant", holds: true, isEach: false };
    if (scanner.takes("false")) return { kind: "constant", holds: false, isEach: false };
    if (scanner.takes("any")) return this.#overAll("any");
    if (scanner.takes("all")) return this.#overAll("all");
    return this.#test();
  }

  #overAll(kind: "any" | "all"): ExpressionNode {
    const scanner = this.#scanner;
    if (!scanner.takes("(")) scanner.fail(`( after ${kind}`);
    scanner.skipSpace();
    const start = scanner.at;
    const of = this.#depth.within(scanner, () => this.#level(0));
    if (!of.isEach) scanner.failAt(start, `expected something with [*] in ${kind}( )`);
    if (!scanner.takes(")")) scanner.fail("and, or, xor or )");
    return { kind, of, isEach: false };
  }

  #test(): ExpressionNode {
    const scanner = this.#scanner;
    const value = readValue(scanner, this.#depth);
    const kind = kindOf(value.type);
    const isEach = value.kind === "each";
    if (kind === "boolean") return { kind: "test", value, test: { kind: "is-true" }, isEach };
    if (
      typeof value.type === "object" &&
      "arrayOf" in value.type &&
      value.type.arrayOf === "boolean"
    )
      return { kind: "test", value, test: { kind: "is-true" }, isEach: true };
    if (kind === "array" || kind === "map")
      return scanner.fail(`[…] after this ${kind}: operators compare its elements`);
    return { kind: "test", value, test: this.#against(kind, value), isEach };
  }

  #against(kind: "string" | "number" | "address", value: ValueNode): TestNode {
    const scanner = this.#scanner;
    for (const [by, sign] of ORDERINGS) {
      scanner.skipSpace();
      const start = scanner.at;
      if (scanner.takesEither(by, sign)) return this.#order(kind, by, start);
    }
    if (scanner.takes("in")) return this.#among(kind);
    if (kind === "string") {
      if (scanner.takes("contains")) return { kind: "contains", text: readTextLiteral(scanner) };
      if (scanner.takes("wildcard")) return this.#wildcard(false);
      if (scanner.takes("strict")) {
        if (!scanner.takes("wildcard")) scanner.fail("wildcard after strict");
        return this.#wildcard(true);
      }
      if (scanner.takesEither("matches", "~")) return this.#matches();
    }
    const what = value.kind === "field" ? value.field.name : `this ${kind}`;
    return scanner.fail(`${OPERATORS[kind]} after ${what}`);
  }

  #order(kind: "string" | "number" | "address", by: Ordering, start: number): TestNode {
    const scanner = this.#scanner;
    if (kind === "string") return { kind: "order", by, to: readTextLiteral(scanner) };
    if (kind === "number") return { kind: "order", by, to: readNumber(scanner) };
    if (by !== "eq" && by !== "ne")
      scanner.failAt(start, `expected ${OPERATORS.address}: addresses have no order here`);
    return { kind: "address", isNot: by === "ne", set: readAddress(scanner) };
  }

  #among(kind: "string" | "number" | "address"): TestNode {
    const scanner = this.#scanner;
    switch (kind) {
      case "string":
        return { kind: "one-of", texts: readTextList(scanner) };
      case "number":
        return { kind: "among", numbers: readNumberList(scanner) };
      case "address":
        return { kind: "address", isNot: false, set: readAddressList(scanner) };
      default:
        return kind satisfies never;
    }
  }

  #wildcard(isStrict: boolean): TestNode {
    const text = this.#scanner.readText('a text with stars such as "/assets/*"');
    const wildcard = readWildcard(text.value, isStrict);
    if ("at" in wildcard)
      return this.#scanner.failAt(text.offsetOf(wildcard.at), `expected ${wildcard.expected}`);
    return { kind: "wildcard", wildcard };
  }

  #matches(): TestNode {
    const text = this.#scanner.readText('a pattern such as r"^/a[0-9]+$"', true);
    try {
      void new Pattern(text.value);
    } catch (error) {
      if (!(error instanceof PatternProblem)) throw error;
      this.#scanner.failAt(text.offsetOf(error.at), `expected ${error.message}`);
    }
    return { kind: "matches", pattern: text.value };
  }
}
