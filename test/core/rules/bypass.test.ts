import { describe, expect, test } from "vitest";
import { Bypass } from "../../../src/core/rules/bypass.ts";
import type { BypassRule } from "../../../src/core/rules/bypass-rule.ts";
import { instant } from "../../../src/core/time.ts";
import { readingsOf } from "../../../src/core/url/canonical.ts";
import { requestOf, type Told } from "./requests.ts";

const rule = (expression: string, change: Partial<BypassRule> = {}): BypassRule => ({
  id: expression,
  version: 1,
  expression,
  description: "",
  enabled: true,
  updatedAt: instant(0),
  ...change,
});

const found = (rules: readonly BypassRule[], told: Told = {}) => {
  const request = requestOf(told);
  const readings = readingsOf(request.path);
  if (readings === null) throw new Error("the path has no single meaning");
  const match = new Bypass(rules).ruleFor(request, readings);
  return typeof match === "string" || match === null ? match : match.expression;
};
const passes = (expression: string, path: string): boolean =>
  found([rule(expression)], { url: `https://shop.example${path}` }) === expression;

test("[BYPASS-4] the first enabled rule that matches is the one", () => {
  expect(found([rule("false"), rule("ssl"), rule("true")])).toBe("ssl");
  expect(found([rule("ssl", { enabled: false }), rule("true")])).toBe("true");
  expect(found([rule("not ssl")])).toBeNull();
  expect(found([])).toBeNull();
});

test("[BYPASS-5] a rule that this version cannot read lets nobody through", () => {
  const rules = [rule("galaxy.quadrant eq 3"), rule("not ssl"), rule("((", { enabled: false })];
  expect(found(rules)).toBeNull();
  expect(new Bypass(rules).unreadable).toEqual([rules[0]]);
});

describe("[BYPASS-6] no spelling of a path passes for another one", () => {
  test.each<[string, string, boolean]>([
    ['http.request.uri.path eq "/Hook"', "/Hook", true],
    ['http.request.uri.path eq "/Hook"', "/hook", false],
    ['http.request.uri.path eq "/hook/"', "/hook/", true],
    ['starts_with(http.request.uri.path, "/hook/")', "/hook/", true],
    ['starts_with(http.request.uri.path, "/hook/")', "/hook/My%20Shop", true],
    ['starts_with(http.request.uri.path, "/Hook/")', "/Hook/My%20Shop;v=1", true],
    ['http.request.uri.path matches "^/Hook/[A-Z]+$"', "/Hook/PAID", true],
    ['http.request.uri.path strict wildcard "/Hook/*"', "/Hook/PAID", true],
    ['http.request.uri.path in {"/A" "/B"}', "/B", true],
    ['upper(http.request.uri.path) eq "/HOOK"', "/Hook", true],
    ['any(http.request.headers.names[*] eq "x") or http.request.uri.path eq "/A"', "/A", true],
    // An origin that knows no case, decodes, or drops parameters and tails reads a path of the shop's.
    ['not starts_with(http.request.uri.path, "/checkout")', "/Checkout", false],
    ['not http.request.uri.path contains "/Checkout"', "/CHECKOUT/pay", false],
    ['not starts_with(http.request.uri.path, "/checkout")', "/%63heckout", false],
    ['not http.request.uri.path wildcard "/checkout*"', "/checkou%74", false],
    ['not http.request.uri.path strict wildcard "/Checkout*"', "/checkout", false],
    ['not http.request.uri.path matches "^/checkout$"', "/checkout;x=1", false],
    ['not http.request.uri contains "/checkout"', "/Checkout?a", false],
    ['not http.request.full_uri contains "/checkout"', "/Checkout", false],
    ['http.request.uri.path ne "/checkout"', "/CHECKOUT", false],
    ['not ends_with(http.request.uri.path, "/Pay")', "/shop/pay.", false],
    ['ends_with(http.request.uri.path, ".js")', "/checkout%3fx.js", false],
    ['ends_with(http.request.uri.path, ".js")', "/checkout;x.js", false],
    ['not starts_with(http.request.uri.path, "/checkout")', "/cart", true],
    ['not starts_with(http.request.uri.path, "/checkout")', "/Cart%20x", true],
  ])("%s and %s: %s", (expression, path, expected) => {
    expect(passes(expression, path)).toBe(expected);
  });

  test("what does not ask for the path is not read twice", () => {
    const asksAgent = 'not http.user_agent contains "bot"';
    const told = { url: "https://shop.example/%63heckout", headers: { "User-Agent": "BOT" } };
    expect(found([rule(asksAgent)], told)).toBe(asksAgent);
  });
});

test("[BYPASS-7] what costs too many steps lets nobody through", () => {
  const slow = rule('http.user_agent matches ".*[a-d]{300}z"');
  const long = { headers: { "User-Agent": "abcd".repeat(4_000) } };
  expect(found([slow, rule("true")], long)).toBe("out-of-steps");
  expect(found([rule("true"), slow], long)).toBe("true");
  expect(found([slow, rule("true")], { headers: { "User-Agent": "abcd" } })).toBe("true");
});
