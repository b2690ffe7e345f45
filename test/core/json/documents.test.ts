import { describe, expect, test } from "vitest";
import { lineOfValue } from "../../../src/core/json/line-of-value.ts";
import { jsonPath } from "../../../src/core/json/pointer.ts";
import { firstJsonError, positionOf, readJson } from "../../../src/core/json/read.ts";
import { JSON_DEPTH_MAX, unsafeIn } from "../../../src/core/json/safe.ts";
import { scanJson } from "../../../src/core/json/scan.ts";

const DOCUMENT = `{
  "name": "tickets",
  "list": [
    { "host": "a.example", "host ": 1 },
    { "host":
      "b.example" }
  ],
  "list": 7
}`;

describe("where a value stands", () => {
  test.each([
    [[], 1],
    [["name"], 2],
    [["list"], 3],
    [["list", 0], 4],
    [["list", 0, "host"], 4],
    [["list", 1], 5],
    [["list", 1, "host"], 6],
    [["list", 2], null],
    [["list", "0"], null],
    [["list", 0, "host", "more"], null],
    [["none"], null],
    [[""], null],
  ])("%j begins on line %s", (keys, line) => {
    expect(lineOfValue(DOCUMENT, keys)).toBe(line);
  });

  test.each([
    [[], ""],
    [["name"], "name"],
    [["seiriken", "exempt", 0, "path"], "seiriken.exempt[0].path"],
    [[1, 2], "[1][2]"],
    [["a.b", "c"], "a.b.c"],
  ])("%j is told to people as %s", (keys, path) => {
    expect(jsonPath(keys)).toBe(path);
  });

  test.each([
    [0, 1, 1],
    [1, 1, 2],
    [2, 2, 1],
    [4, 3, 1],
    [5, 3, 2],
  ])("the character at %i is in line %i, column %i", (offset, line, column) => {
    expect(positionOf("a\nb\ncd", offset)).toEqual({ line, column });
  });
});

describe("JSON that is broken", () => {
  test("says where, and why without the text itself", () => {
    expect(readJson('{\n  "a": 1,\n}')).toEqual({
      ok: false,
      place: "line 3, column 1",
      reason: "Expected double-quoted property name",
    });
    expect(readJson('{"a": secret}')).toEqual({
      ok: false,
      place: "line 1, column 7",
      reason: "Unexpected token 's'",
    });
    expect(readJson("[1, 2")).toMatchObject({ ok: false, place: "line 1, column 6" });
  });

  test("what is JSON is read, and has no error", () => {
    expect(readJson("[1]")).toEqual({ ok: true, json: [1] });
    expect(firstJsonError("[1]")).toBeNull();
  });

  test.each([
    ['{"a"}', 4],
    ['{"a" 1}', 5],
    ['{"a"=1}', 4],
    ['{"a"31}', 4],
    ['{"a"', 4],
  ])("%s is none from %i on: a name has its colon", (text, offset) => {
    expect(scanJson(text)).toBe(offset);
  });
});

describe("JSON that is refused", () => {
  const NAMES = ["__proto__", "constructor", "prototype"];

  test.each(NAMES)("a field named %s, wherever it is", (name) => {
    const json = JSON.parse(`{"a": [0, {"${name}": {"b": 1}}]}`) as unknown;
    expect(unsafeIn(json)).toEqual([
      { keys: ["a", 1, name], message: "can't be the name of a setting" },
    ]);
  });

  test.each([null, 1, "constructor", [], {}, { "constructor ": [["prototype"]] }])(
    "nothing in %j",
    (json) => {
      expect(unsafeIn(json)).toEqual([]);
    },
  );

  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));

  test("more than 32 levels", () => {
    expect(unsafeIn(nested(JSON_DEPTH_MAX))).toEqual([]);
    expect(unsafeIn(nested(JSON_DEPTH_MAX + 1))).toEqual([
      { keys: new Array(JSON_DEPTH_MAX).fill(0), message: "is nested deeper than 32 levels" },
    ]);
    expect(unsafeIn(nested(100_000))).toHaveLength(1);
  });

  test("every one is told, and 50 at most", () => {
    const many = (count: number): unknown =>
      Array.from({ length: count }, () => JSON.parse('{"prototype": 1}') as unknown);
    expect(unsafeIn(many(49))).toHaveLength(49);
    expect(unsafeIn(many(1_000))).toHaveLength(50);
  });
});
