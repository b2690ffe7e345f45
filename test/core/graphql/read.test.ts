import fc from "fast-check";
import { expect, test } from "vitest";
import { GraphQLFault, readQuery, type ArgumentValue } from "../../../src/api/graphql/read.ts";
import { fastestMs } from "../../support/fastest.ts";

const argsOf = (text: string, variables: Record<string, ArgumentValue> = {}) =>
  readQuery(text, variables, null)[0]?.args;

test("[GRAPHQL-1] every kind of value, with comments and commas where they may stand", () => {
  const text = `query Q($a: [Int!]! = [1, 2], $b: Time, $c: string = "c") { # a comment, } { "
    field(int: -7 float: 1.5e3, string: "a \\"b\\" \\u00e9 \\n", yes: true, no: null, word: ASC,
      list: [1, [two, "3"]], object: {a: $a, b: $b, c: $c},)
  }`;
  expect(argsOf(text, { b: "now", unused: 1 })).toEqual({
    int: -7,
    float: 1_500,
    string: 'a "b" é \n',
    yes: true,
    no: null,
    word: "ASC",
    list: [1, ["two", "3"]],
    object: { a: [1, 2], b: "now", c: "c" },
  });
});

test("[GRAPHQL-1] what a variable holds is a value, and never read as a query", () => {
  const spoilt = '"}) { secrets } #';
  expect(argsOf("query Q($a: string) { field(a: $a) }", { a: spoilt })).toEqual({ a: spoilt });
});

test("[GRAPHQL-1] a field that is selected twice is one", () => {
  const [field] = readQuery("{ a { b { c } } a { b { d } e } }", {}, null);
  expect(
    field?.fields?.map(({ key, fields }) => [key, fields?.map(({ key: one }) => one)]),
  ).toEqual([
    ["b", ["c", "d"]],
    ["e", undefined],
  ]);
});

test("[GRAPHQL-4] names of what every object has are names like any other", () => {
  expect(Object.keys(argsOf('{ a(__proto__: {b: 1}, constructor: "c") }') ?? {})).toEqual([
    "__proto__",
    "constructor",
  ]);
  expect(() => readQuery("query Q($a: T) { f(a: $toString) }", {}, null)).toThrow(GraphQLFault);
});

test("[GRAPHQL-4] whatever is sent, it is read or refused, and soon", async () => {
  const part = fc.constantFrom(
    ...'{ } ( ) [ ] : $ ! = ... @ query a viewer zones filter 1 -1.5 "s" " null # \n , \\ é'.split(
      " ",
    ),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(part).map((all) => all.join(" ")),
      ),
      (text) => {
        try {
          readQuery(text, { a: 1 }, null);
        } catch (error) {
          expect(error).toBeInstanceOf(GraphQLFault);
        }
      },
    ),
    { numRuns: 2_000 },
  );
  const hard = [
    ...['"', "[", "#", "-"].map((sign) => sign.repeat(16_000)),
    '"\\'.repeat(8_000),
    "{a(a:".repeat(2_700),
    "{a".repeat(8_000),
  ];
  const refuse = (text: string) => expect(() => readQuery(text, {}, null)).toThrow(GraphQLFault);
  expect(await fastestMs(() => hard.forEach(refuse))).toBeLessThan(1_000);
});
