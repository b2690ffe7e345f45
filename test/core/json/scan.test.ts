import fc from "fast-check";
import { expect, test } from "vitest";
import { lineOfValue } from "../../../src/core/json/line-of-value.ts";
import { pointer, tokensOf } from "../../../src/core/json/pointer.ts";
import { firstJsonError } from "../../../src/core/json/read.ts";
import { scalarAt } from "../../../src/core/json/scalar.ts";
import { scanJson } from "../../../src/core/json/scan.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const CHARACTERS = '"\\{}[],: \u00010-+.eE1nul\ntrue'.split("");

/** Near JSON: a piece of one, or one with a character put into it. */
const almostJson = fc
  .tuple(fc.json(), fc.nat(), fc.constantFrom(...CHARACTERS), fc.boolean())
  .map(([text, at, character, isCut]) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + (isCut ? "" : character + text.slice(place));
  });

test("a text is JSON for the scanner when it is for JSON.parse", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), almostJson), (text) => {
      expect([text, scanJson(text) === null]).toEqual([text, isJson(text)]);
      expect(firstJsonError(text) === null).toBe(isJson(text));
      if (!isJson(text)) expect(scalarAt(text, [])).toEqual({ kind: "not-json" });
    }),
    { seed: 1, numRuns: 2_000 },
  );
});

type Key = string | number;
/** Every value of a document, with the way to it. */
const valuesOf = (value: unknown, keys: readonly Key[] = []): (readonly [Key[], unknown])[] => [
  [[...keys], value],
  ...(Array.isArray(value)
    ? value.flatMap((inner, index) => valuesOf(inner, [...keys, index]))
    : typeof value === "object" && value !== null
      ? Object.entries(value).flatMap(([key, inner]) => valuesOf(inner, [...keys, key]))
      : []),
];

test("of one value the scanner finds what JSON.parse makes of it", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 4 }), (json) => {
      const text = JSON.stringify(json, null, 1);
      for (const [keys, value] of valuesOf(JSON.parse(text))) {
        const found = scalarAt(text, tokensOf(pointer(keys)));
        if (found.kind === "twice") continue;
        if (value === null) expect(found).toEqual({ kind: "missing" });
        else if (typeof value === "object") expect(found).toEqual({ kind: "not-scalar" });
        else if (typeof value !== "number")
          expect(found).toEqual({ kind: "found", text: String(value as string | boolean) });
        expect(lineOfValue(text, keys)).not.toBeNull();
      }
    }),
    { seed: 1, numRuns: 200 },
  );
});

test.each([
  ["[".repeat(100) + "1" + "]".repeat(100), "0".repeat(100), "found"],
  ["[".repeat(101) + "]".repeat(101), "", "not-json"],
  ["[".repeat(100_000), "", "not-json"],
  ['{"a":{"b":1},"b":2}', "ab", "found"],
  ['{"a":{"b":1},"A":2}', "ab", "twice"],
  ['{"A":{"b":1},"a":{"b":1}}', "ab", "twice"],
  ['{"a":[{"b":2,"b":2}]}', "a0b", "twice"],
  ['{"x":{"b":1,"b":2},"b":"y"}', "b", "found"],
  ['{"a":{"b":1}}', "a", "not-scalar"],
  ['{"a":1}', "ab", "missing"],
  ['{"a":{"b":1e400}}', "ab", "inexact"],
  ['{"a":{"c":1e400},"b":7}', "b", "found"],
  ["7", "", "found"],
])("one value of %.40s at %.10s: %s", (text, tokens, kind) => {
  expect(scalarAt(text, tokens.split("")).kind).toBe(kind);
});

test("the scanner holds deep nesting without our stack", () => {
  const text = "[".repeat(200_000) + "]".repeat(200_000);
  expect(scanJson(text)).toBeNull();
  expect(scanJson(text, {}, 100)).toBe(100);
});
