import { expect, test } from "vitest";
import { plainJson, plainText, withoutQueries } from "../../src/core/plain-text.ts";
import { LogThrottle } from "../../src/core/log-throttle.ts";

test.each([
  ["\u001b[31mred\u001b[0m", "\\u{1b}[31mred\\u{1b}[0m"],
  ["\u009b2J", "\\u{9b}2J"],
  ["a\rready http://evil", "a\\u{0d}ready http://evil"],
  ["a\nb\tc\u0000d\u007f", "a\\u{0a}b\\u{09}c\\u{00}d\\u{7f}"],
  ["\u202egnp.exe\u2069", "\\u{202e}gnp.exe\\u{2069}"],
  ["a\u2028b", "a\\u{2028}b"],
  ["整理券 — ✓ 👩‍👩‍👧 é", "整理券 — ✓ 👩‍👩‍👧 é"],
])("[FAIL-15] %j is shown as %s", (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test("[FAIL-15] a line is cut", () => {
  expect(plainText("x".repeat(100_000))).toBe(`${"x".repeat(1_000)}…`);
  expect(plainText("xyz", 3)).toBe("xyz");
  expect(plainText("wxyz", 3)).toBe("wxy…");
});

test("[FAIL-15] JSON means the same without what a terminal acts on", () => {
  const value = { name: "\u001b[2J\u009b1A\u202e\u007f", more: ["\n"] };
  for (const indent of [undefined, 2]) {
    const text = plainJson(value, indent);
    expect(text).not.toMatch(/[^\n -~]/);
    expect(JSON.parse(text)).toEqual(value);
  }
});

test.each([
  ["can't load http://h/a?token=x&y=1 now", "can't load http://h/a?… now"],
  ['at "/paid?order=1#x"', 'at "/paid?…"'],
  ["https://h/a#access_token=1", "https://h/a?…"],
  ["why? nobody knows", "why? nobody knows"],
  ["/a/b?", "/a/b?…"],
  ["invalid URL; url = page?token=t", "invalid URL; url = page?…"],
  ["invalid hostname; host = h?token=t", "invalid hostname; host = h?…"],
])("[FAIL-9] %j is told as %j", (text, told) => {
  expect(withoutQueries(text)).toBe(told);
});

test("[FAIL-9] a hostile text takes no longer than it has characters", () => {
  for (const text of ["/".repeat(100_000), "/a".repeat(50_000), "?".repeat(100_000)])
    expect(withoutQueries(text).length).toBeLessThanOrEqual(1_100);
});

test("[FAIL-16] so many a second, and the count of the others with the next", () => {
  const throttle = new LogThrottle(2);
  expect([
    throttle.mayTell(0),
    throttle.mayTell(1),
    throttle.mayTell(2),
    throttle.mayTell(999),
  ]).toEqual([0, 0, null, null]);
  expect([throttle.mayTell(1_000), throttle.mayTell(1_001), throttle.mayTell(1_002)]).toEqual([
    2,
    0,
    null,
  ]);
  expect(throttle.mayTell(-5_000)).toBe(1);
});
