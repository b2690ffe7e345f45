/** Where a value stands in a JSON document: for programs (RFC 6901), and for people. */
import type { FieldProblem } from "../field-problem.ts";

/** `/seiriken/exempt/0/path` */
export const pointer = (keys: FieldProblem["keys"]): string =>
  keys.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** The tokens of a pointer: where it leads. */
export const tokensOf = (text: string): readonly string[] =>
  text
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

/** `seiriken.exempt[0].path` */
export const jsonPath = (keys: FieldProblem["keys"]): string =>
  keys
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${key}`))
    .join("")
    .replace(/^\./, "");
