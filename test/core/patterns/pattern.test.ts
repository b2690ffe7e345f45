import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Pattern } from "../../../src/core/patterns/pattern.ts";
import { OutOfSteps, Steps } from "../../../src/core/patterns/steps.ts";
import { PatternProblem } from "../../../src/core/patterns/syntax.ts";

const matches = (pattern: string, text: string): boolean =>
  new Pattern(pattern).isIn(text, new Steps(1_000_000));

test.each<[string, string, boolean]>([
  ["", "", true],
  ["", "abc", true],
  ["b", "abc", true],
  ["^b", "abc", false],
  ["c$", "abc", true],
  ["^abc$", "abc", true],
  ["^$", "", true],
  ["^$", "a", false],
  ["\\Aab\\z", "ab", true],
  ["a.c", "a\nc", false],
  ["(?s)a.c", "a\nc", true],
  ["^b", "a\nb", false],
  ["(?m)^b$", "a\nb\nc", true],
  ["a|bc|", "x", true],
  ["^(a|bc)$", "bc", true],
  ["^a*$", "aaaa", true],
  ["^a+$", "", false],
  ["^a?b$", "b", true],
  ["^a{2}$", "aa", true],
  ["^a{2}$", "aaa", false],
  ["^a{2,}$", "aaaaa", true],
  ["^a{2,3}$", "aaaa", false],
  ["^a{0}$", "", true],
  ["^(ab){1,2}?c$", "ababc", true],
  ["^a*?$", "aa", true],
  ["[abc]", "xbx", true],
  ["^[^abc]$", "b", false],
  ["^[a-cx-z]+$", "axbz", true],
  ["^[]a]+$", "]a", true],
  ["^[^]]$", "]", false],
  ["^[a-]+$", "-a", true],
  ["^[\\]\\-\\\\]+$", "]-\\", true],
  ["^\\d\\D\\w\\W\\s\\S$", "1a_- x", true],
  ["^[\\d\\s]+$", "1 2", true],
  ["^[\\D]$", "1", false],
  ["^[[:alpha:]][[:^digit:]]$", "a-", true],
  ["^[[:xdigit:]]+$", "0aF", true],
  ["\\.\\*\\/", ".*/", true],
  ["^\\x41\\x{1F600}$", "A😀", true],
  ["^.$", "😀", true],
  ["^\\t\\n\\r\\f\\v\\a$", "\t\n\r\f\v\x07", true],
  ["\\bcat\\b", "a cat!", true],
  ["\\bcat\\b", "concat", false],
  ["\\Bcat", "concat", true],
  ["(?i)straße", "STRAßE", true],
  ["(?i)[a-c]É", "Bé", true],
  ["(?i)[^a]", "A", false],
  ["a(?i:b)c", "aBc", true],
  ["a(?i:b)c", "aBC", false],
  ["a((?i)b)c", "aBC", false],
  ["(?i)a(?-i)b", "AB", false],
  ["(?im)^b$", "a\nB", true],
  ["(?P<name>a)(?<other>b)(?:c)", "abc", true],
  ["(a*)*", "b", true],
  ["^(a*)*$", "aab", false],
  ["^(a|b*)*c$", "abbac", true],
  ["(^a|b)c", "xbc", true],
  ["(^a|b)c", "xac", false],
  ["x*", "", true],
])("[PATTERN-1] %s in %j: %s", (pattern, text, expected) => {
  expect(matches(pattern, text)).toBe(expected);
});

/** Only what means the same in JavaScript. */
const { whole } = fc.letrec<{ whole: string; atom: string; part: string }>((tie) => ({
  atom: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom("a", "b", "c", ".", "\\d", "\\w", "[ab]", "[^a]", "[a-c]", "\\.", "1"),
    tie("whole").map((inner) => `(${inner})`),
    tie("whole").map((inner) => `(?:${inner})`),
  ),
  part: fc.oneof(
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          tie("atom"),
          fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "{0,2}", "{1,}", "*?"),
        )
        .map((it) => it.join("")),
    },
    { weight: 1, arbitrary: fc.constantFrom("^", "$", "\\b", "\\B") },
  ),
  whole: fc.oneof(
    {
      weight: 4,
      arbitrary: fc.array(tie("part"), { maxLength: 4 }).map((parts) => parts.join("")),
    },
    { weight: 1, arbitrary: fc.tuple(tie("whole"), tie("whole")).map((ways) => ways.join("|")) },
  ),
}));
/** Repetitions of repetitions grow quickly. */
const small = whole.filter((pattern) => pattern.length <= 40);
const text = fc
  .array(fc.constantFrom("a", "b", "c", "1", ".", "-"), { maxLength: 10 })
  .map((chars) => chars.join(""));

test("[PATTERN-1] random patterns match what JavaScript's do", () => {
  const seen = { true: 0, false: 0 };
  fc.assert(
    fc.property(small, text, (pattern, given) => {
      const expected = new RegExp(pattern, "s").test(given);
      expect(matches(`(?s)${pattern}`, given), pattern).toBe(expected);
      seen[`${expected}`] += 1;
    }),
    { numRuns: 3_000 },
  );
  expect(Math.min(seen.true, seen.false)).toBeGreaterThan(300);
});

describe("[PATTERN-2] what makes others go back is gone through once", () => {
  const AS = "a".repeat(5_000);
  /** Each takes a backtracking engine more than 2^1000 steps. */
  test.each([
    ["(a+)+$", `${AS}!`, false],
    ["^(a|a)*$", `${AS}!`, false],
    ["^(a|aa)+$", `${AS}!`, false],
    ["(.*a){12}$", `${AS}!`, false],
    ["^(([a-z])+.)+[A-Z]([a-z])+$", AS, false],
    ["(a?){60}a{60}$", AS, true],
    ["(x+x+)+y", "x".repeat(5_000), false],
  ])("%s", (pattern, given, expected) => {
    const perCharacter = 250;
    const steps = new Steps(perCharacter * (given.length + 1));
    expect(new Pattern(pattern).isIn(given, steps)).toBe(expected);
  });

  test("a text twice as long costs twice as many steps", () => {
    const costOf = (length: number): number => {
      let spent = 0;
      const counting = { spend: (count: number) => void (spent += count) };
      new Pattern("(a+)+$").isIn(`${"a".repeat(length)}!`, counting as Steps);
      return spent;
    };
    const [once, twice, thrice] = [costOf(1_000), costOf(2_000), costOf(3_000)];
    expect(twice - once).toBe(thrice - twice);
    expect(once).toBeLessThan(20_000);
  });
});

test("[PATTERN-3] beyond its steps there is no answer", () => {
  const pattern = new Pattern("a+b");
  expect(() => pattern.isIn("a".repeat(100), new Steps(50))).toThrow(OutOfSteps);
  expect(pattern.isIn("aab", new Steps(50))).toBe(true);
});

test.each([
  ["a{1001}", 1],
  ["(a{100}){100}", 0],
  ["((){1000}){1000}", 0],
  ["(((((a{9}){9}){9}){9}){9})", 0],
  [`${"(".repeat(33)}a${")".repeat(33)}`, 32],
])("[PATTERN-4] %s is too large, said at %i", (pattern, at) => {
  const problem = (() => {
    try {
      return void new Pattern(pattern);
    } catch (error) {
      return error;
    }
  })();
  expect(problem).toBeInstanceOf(PatternProblem);
  expect(problem).toMatchObject({ at });
});

test("[PATTERN-4] a pattern has at most 1,000 states", () => {
  expect(matches("^a{997}$", "a".repeat(997))).toBe(true);
  expect(() => new Pattern("^a{998}$")).toThrow(PatternProblem);
});
