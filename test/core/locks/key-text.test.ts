import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  exactNumber,
  foldedKey,
  foldedName,
  looseFieldName,
} from "../../../src/core/locks/key-text.ts";

test.each([
  ["100", "100"],
  ["1e2", "100"],
  ["1E+2", "100"],
  ["100.0", "100"],
  ["10000e-2", "100"],
  ["0.1", "0.1"],
  ["0.10e0", "0.1"],
  ["-0", "0"],
  ["-0.0e9999999999", "0"],
  ["-17", "-17"],
  ["1746829374650183680", "1746829374650183680"],
  ["1746829374650183681", "1746829374650183681"],
  ["1.74682937465018368e18", "1746829374650183680"],
  ["18446744073709551615", "18446744073709551615"],
  ["1e21", "1e+21"],
  ["1e20", "100000000000000000000"],
  ["1e-7", "1e-7"],
  ["1e-6", "0.000001"],
  ["12e-8", "1.2e-7"],
])("[RULE-35] the number %s is the key %s", (literal, text) => {
  expect(exactNumber(literal)).toBe(text);
});

test.each([
  ["1746829374650183681.0", "a double is another"],
  ["1.746829374650183681e18", "a double is another"],
  ["100.00000000000000001", "a double is 100"],
  ["9007199254740993e0", "a double is another"],
  ["1.7468293746501837e18", "a double is 1746829374650183680"],
  ["1e23", "a double is 99999999999999991611392"],
  ["1e400", "a double is infinite"],
  ["1e-400", "a double is 0"],
  ["1e309", "a double is infinite"],
  [`1${"0".repeat(256)}`, "257 digits"],
])("[RULE-35] %s names nothing: %s", (literal) => {
  expect(exactNumber(literal)).toBeNull();
});

test("[RULE-35] up to 256 characters are read", () => {
  expect(exactNumber("9".repeat(256))).not.toBeNull();
  expect(exactNumber(`0.${"0".repeat(255)}`)).toBeNull();
});

test("[RULE-35] every double up to 2^53 has the key that it always had, and equal ones one key", () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, min: -(2 ** 53), max: 2 ** 53 }), (number) => {
      expect(exactNumber(JSON.stringify(number))).toBe(String(number === 0 ? 0 : number));
      expect(exactNumber(number.toExponential())).toBe(String(number === 0 ? 0 : number));
    }),
  );
});

test("[RULE-35] two integers have one key only if they are equal", () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt({ min: -3n, max: 3n }), (number, off) => {
      const [one, other] = [exactNumber(String(number)), exactNumber(String(number + off))];
      expect(one === other).toBe(off === 0n);
    }),
  );
});

test.each([
  ["５", "5"],
  [" 5\t", "5"],
  ["\ufeff5", "5"],
  ["5\u200b", "5"],
  ["\u00a05\u3000", "5"],
  ["cafe\u0301", "caf\u00e9"],
  ["a b", "a b"],
  ["aB", "aB"],
])("[RULE-36] %j is the key %j", (text, folded) => {
  expect(foldedKey(text)).toBe(folded);
});

test("[RULE-36] a text with a NUL is no key", () => {
  expect(foldedKey("5\u0000")).toBeNull();
});

test.each([
  ["User", "user"],
  ["u\u017fer", "user"],
  ["\u212aey", "key"],
])("[RULE-37] %j is like %j", (name, like) => {
  expect(foldedName(name)).toBe(like);
});

test.each([
  ["User_Id", "user_id"],
  ["user.id", "user_id"],
  [" user id", "user_id"],
  ["user_id[]", "user_id"],
  ["user_id\u0000x", "user_id"],
  ["[x]", "[x]"],
])("[RULE-37] as a field, %j is like %j", (name, like) => {
  expect(looseFieldName(name)).toBe(like);
});
