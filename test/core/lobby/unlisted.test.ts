import { expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { Unlisted } from "../../../src/core/lobby/unlisted.ts";
import { isOlder } from "../../../src/core/lobby/update-stamp.ts";
import { instant } from "../../../src/core/time.ts";

const numbers = (...all: number[]) => all.map(ticketNumber);
const table = (...members: number[]) => ({
  spots: Float64Array.from(members),
  ahead: Uint32Array.from(members.keys()),
});

test("[LOBBY-14] whom two tables in a row do not list the Room is asked about", () => {
  const unlisted = new Unlisted();
  expect(unlisted.check(table(3, 7), numbers(3, 5, 7, 9))).toEqual([]);
  expect(unlisted.check(table(3, 7, 9), numbers(3, 5, 7, 9))).toEqual([5]);
  expect(unlisted.check(table(3, 5, 7, 9), numbers(3, 5, 7, 9))).toEqual([]);
  expect(unlisted.check(table(3, 7, 9), numbers(3, 5, 7, 9))).toEqual([]);
});

test("[LOBBY-14] without a table nobody is listed", () => {
  const unlisted = new Unlisted();
  expect(unlisted.check(null, numbers(3))).toEqual([]);
  expect(unlisted.check(null, numbers(3, 5))).toEqual([3]);
});

test("[LOBBY-14] of many the lowest hundred are asked about at once", () => {
  const unlisted = new Unlisted();
  const many = numbers(...Array.from({ length: 500 }, (_, index) => 500 - index));
  unlisted.check(null, many);
  const asked = unlisted.check(null, many);
  expect([asked.length, asked[0], asked.at(-1)]).toEqual([100, 1, 100]);
});

test.each([
  ["a lower step of the same life", "a", 4, 1_000, true],
  ["the same step", "a", 5, 1_000, false],
  ["a later step in the same millisecond", "a", 6, 1_000, false],
  ["an earlier life", "b", 9, 999, true],
  ["a life that began in the same millisecond", "b", 1, 1_000, false],
] as const)("[LOBBY-13] %s", (_, boot, count, now, older) => {
  const heard = { boot: "a", count: 5, now: instant(1_000) };
  expect(isOlder({ boot, count, now: instant(now) }, heard)).toBe(older);
});
