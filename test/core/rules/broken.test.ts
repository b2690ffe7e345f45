import { expect, test } from "vitest";
import { parseExpression } from "../../../src/core/rules/parse.ts";

const saying = (pattern: RegExp) => expect.stringMatching(pattern) as string;

const problemOf = (text: string) => {
  const parsed = parseExpression(text);
  return parsed.ok ? null : parsed.problem;
};

test.each<[string, number, RegExp]>([
  ["", 1, /expected a field.*found the end/],
  ["   ", 4, /expected a field.*found the end/],
  ["http.hots eq 1", 1, /expected a field.*found http\.hots/],
  ["http.host", 10, /expected eq, ne.*after http\.host, found the end/],
  ["http.host is 1", 11, /expected eq, ne.*found is/],
  ["http.host EQ 1", 11, /expected eq/],
  ["http.host eq shop", 14, /expected a text in quotes.*found shop/],
  ["http.host eq 5", 14, /expected a text in quotes.*found 5/],
  ['http.host eq "shop', 14, /expected " at the end/],
  ['http.host eq "sh\\op"', 17, /expected one of the escapes/],
  ['http.host eq r#"shop"', 14, /expected "# at the end/],
  ['http.host eq "a" "b"', 18, /expected and, or, xor, or the end, found "/],
  ['http.host eq "a" and', 21, /expected a field.*found the end/],
  ['http.host eq "a" AND ssl', 18, /found AND/],
  ['(http.host eq "a"', 18, /expected and, or, xor or \), found the end/],
  ['http.host eq "a")', 17, /expected and, or, xor, or the end, found \)/],
  ["ssl eq true", 5, /expected and, or, xor, or the end, found eq/],
  ["ip.src lt 192.0.2.1", 8, /addresses have no order/],
  ["ip.src eq 192.0.2.0/24", 11, /networks go into a list/],
  ["ip.src eq 192.0.2.256", 11, /expected an address.*found 192\.0\.2\.256/],
  ['ip.src eq "192.0.2.1"', 11, /expected an address/],
  ["ip.src in {192.0.2.1/24}", 12, /no bits beyond its length/],
  ["ip.src in {192.0.2.9..192.0.2.1}", 23, /not before the first/],
  ["ip.src in {192.0.2.9..2001:db8::1}", 23, /of the same kind/],
  ["ip.src in $offices", 12, /named lists are not offered/],
  ["ip.src in 192.0.2.1", 11, /expected a list in braces/],
  ["ip.src in {}", 12, /expected an address/],
  ["ip.src in {192.0.2.1", 21, /expected } at the end of the list/],
  ["ip.src.asnum in {1, 2}", 19, /expected a space between/],
  ["ip.src.asnum in {5..3}", 21, /at least 5/],
  ["ip.src.asnum eq 9999999999999999", 17, /below 2\^53/],
  ['ip.src.asnum contains "5"', 14, /expected eq, ne, lt, le, gt, ge or in/],
  ['ip.src.asnum eq "5"', 17, /expected a whole number/],
  ['http.host strict "a"', 18, /expected wildcard/],
  ['http.host wildcard "a**b"', 23, /one \* alone/],
  ['http.host wildcard r"a\\b"', 23, /only these are escaped/],
  ['http.host matches "a("', 21, /expected a \) for this \(/],
  ['http.host matches r"a)"', 22, /a \) without its \(/],
  ['http.host matches "[a"', 20, /expected a \] for this \[/],
  ['http.host matches "*a"', 20, /before \*/],
  ['http.host matches "a**"', 22, /one repetition alone/],
  ['http.host matches r"(?=a)"', 21, /no look-around/],
  ['http.host matches r"(?<!a)b"', 21, /no look-around/],
  ['http.host matches r"(a)\\1"', 24, /no back reference/],
  ['http.host matches r"\\p{Greek}"', 21, /one of the escapes/],
  ['http.host matches "a{2001}"', 21, /counts from 0 to 1000/],
  ['http.host matches "a{3,2}"', 21, /the lower one first/],
  ['http.host matches "a{,2}"', 21, /\{n\}, \{n,\} or \{n,m\}/],
  ['http.host matches "(a{500}){500}"', 20, /smaller pattern/],
  ['http.host matches "((){1000}){1000}"', 20, /smaller pattern/],
  ['http.host matches "\\"[z-a]"', 23, /first character comes before/],
  ['http.host matches "[[:nope:]]"', 21, /one of the classes/],
  ['http.host matches "[a&&b]"', 22, /no intersection/],
  ['http.host matches "(?x)a"', 22, /flags i, m and s/],
  ['http.host matches "\\x{110000}"', 20, /hexadecimal/],
  ['http.request.headers["Accept"][0] eq "a"', 22, /in lower case/],
  ['http.request.headers["accept"] eq "a"', 32, /expected \[…\] after this array/],
  ['http.request.headers eq "a"', 22, /expected \[…\] after this map/],
  ['http.request.headers[0] eq "a"', 22, /a name in quotes/],
  ['http.request.headers["accept"][-1] eq "a"', 32, /0 for the first/],
  ['http.request.headers["accept"][*] eq "a"', 1, /any\( \) or all\( \)/],
  ['http.request.headers["accept" eq "a"', 31, /expected \]/],
  ['http.host[0] eq "a"', 10, /a string has no elements/],
  ["any(ssl)", 5, /something with \[\*\]/],
  ['any(http.request.headers.names[*] eq "a" or ssl)', 45, /on both sides/],
  ["any ssl", 5, /expected \( after any/],
  ['any(http.request.headers.names[*] eq "a"', 41, /expected and, or, xor or \)/],
  ["lower(5) eq 5", 7, /expected a string here, found a number/],
  ['lower(ip.src) eq "a"', 7, /found a address/],
  ["starts_with(http.host) and ssl", 22, /, and 2 values in all/],
  ['starts_with(http.host, "a", "b")', 28, /\) after 2 values/],
  ['starts_with(http.host "a")', 23, /expected , and 2 values/],
  ['starts_with http.host, "a"', 13, /expected \( after starts_with/],
  ['starts_with("a", http.request.headers.names[*])', 18, /first value of a function only/],
  ['len("a")', 9, /expected eq/],
  ["not", 4, /expected a field/],
  ["é", 1, /found é/],
])("[EXPR-10] %s: column %i", (text, column, message) => {
  expect(problemOf(text)).toEqual({ column, message: saying(message) });
});

test("[EXPR-11] an expression has at most 4,096 characters", () => {
  const long = (length: number) => `ssl${" ".repeat(length - 3)}`;
  expect(problemOf(long(4_096))).toBeNull();
  expect(problemOf(long(4_097))).toMatchObject({ column: 4_097 });
});

test("[EXPR-11] parentheses, negations and calls go 32 deep", () => {
  const nested = (open: string, close: string) => (depth: number) =>
    `${open.repeat(depth)}${close === "" ? "ssl" : close.replace("…", "ssl")}`;
  const brackets = (depth: number) => `${"(".repeat(depth)}ssl${")".repeat(depth)}`;
  expect(problemOf(brackets(32))).toBeNull();
  expect(problemOf(brackets(33))).toMatchObject({ column: 34, message: saying(/32 levels/) });
  expect(problemOf(nested("!", "")(32))).toBeNull();
  expect(problemOf(nested("!", "")(33))).toMatchObject({ column: 34 });
  const calls = (depth: number) => `${"lower(".repeat(depth)}http.host${")".repeat(depth)} eq "a"`;
  expect(problemOf(calls(32))).toBeNull();
  expect(problemOf(calls(33))).toMatchObject({ message: saying(/32 levels/) });
});

test("[EXPR-11] a list has at most 1,000 entries", () => {
  const listOf = (count: number) => `ip.src.asnum in {${"1 ".repeat(count)}}`;
  expect(problemOf(listOf(1_000))).toBeNull();
  expect(problemOf(listOf(1_001))).toMatchObject({
    column: 2_018,
    message: saying(/1000 entries/),
  });
});
