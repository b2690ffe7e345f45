import { describe, expect, test } from "vitest";
import {
  parseLobbyIndex,
  parseRoomId,
  parseTicketNumber,
  parseVisitorId,
} from "../../src/core/ids.ts";

/** What each of these parsers must not take, whatever it looks like. */
const NO_NUMBERS = [1.5, Number.NaN, Infinity, "1", null, undefined, [1]];
const HEX = "0123456789abcdef";

describe("parsing what a stranger says", () => {
  test.each([
    [0, false],
    [1, true],
    [2 ** 48, true],
    [2 ** 48 + 1, false],
    [-1, false],
  ])("[IDENT-1] %d is a ticket's number: %s", (value, taken) => {
    expect(parseTicketNumber(value)).toBe(taken ? value : null);
  });

  test.each([
    [-1, false],
    [0, true],
    [65_534, true],
    [65_535, false],
  ])("[IDENT-1] %d is a lobby's index: %s", (value, taken) => {
    expect(parseLobbyIndex(value)).toBe(taken ? value : null);
  });

  test.each(NO_NUMBERS)("[IDENT-1] %j is neither", (value) => {
    expect([parseTicketNumber(value), parseLobbyIndex(value)]).toEqual([null, null]);
  });

  test.each([
    [HEX + HEX, true],
    [`${HEX}${HEX}0`, false],
    [`g${HEX}${HEX}`.slice(0, 32), false],
    [(HEX + HEX).toUpperCase(), false],
    [`-${HEX}${HEX}`, false],
    [`${HEX}${HEX}\n`, false],
    [HEX, false],
    ["", false],
    [[HEX + HEX], false],
  ])("[IDENT-2] %j is a room's id: %s", (value, taken) => {
    expect(parseRoomId(value)).toBe(taken ? value : null);
  });

  test.each([
    ["abcdefghijklmnopqrs_-9", true],
    ["abcdefghijklmnopqrs_-9Z", false],
    [" abcdefghijklmnopqrs_-9", false],
    ["abcdefghijklmnopqrs_-+", false],
    ["!!!!!!!!!!!!!!!!!!!!!!", false],
    ["A", false],
    [["abcdefghijklmnopqrs_-9"], false],
  ])("[IDENT-2] %j is a visitor's id: %s", (value, taken) => {
    expect(parseVisitorId(value)).toBe(taken ? value : null);
  });
});
