import { describe, expect, test } from "vitest";
import { DrawnOrder } from "../../../src/core/draw/drawn-order.ts";
import { bytesOfHex } from "../../../src/core/hex.ts";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { Line } from "../../../src/core/line/line.ts";
import { LineOrder, type DrawnStretch, type Spot } from "../../../src/core/line/order.ts";
import { KeptPlaces } from "../../../src/core/lobby/kept-places.ts";
import { Presence } from "../../../src/core/lobby/presence.ts";
import { placeFrom } from "../../../src/core/lobby/ticket-view.ts";
import { Unlisted } from "../../../src/core/lobby/unlisted.ts";
import { instant } from "../../../src/core/time.ts";
import { issueMany } from "./issue-many.ts";

const here = lobbyIndex(0);
const n = ticketNumber;
const now = instant(1_000);
const drawn = (first: number, last: number, digit = "7"): DrawnStretch => ({
  first: n(first),
  last: n(last),
  seed: digit.repeat(64),
});
/** The numbers of a draw, the first rank first. */
const ranked = ({ first, last, seed }: DrawnStretch): number[] => {
  const order = new DrawnOrder(bytesOfHex(seed)!, { first, last });
  return Array.from({ length: order.size }, (_, at) => Number(order.numberAt(at + 1)));
};
const upTo = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at);
const lineOf = (count: number): Line => {
  const line = new Line();
  issueMany(line, count, here);
  return line;
};
const inOrder = (line: Line): (number | null)[] =>
  Array.from({ length: line.standing }, (_, k) => line.memberAt(k));

describe("the order of a line", () => {
  test("[DRAW-16] ranks stand in the place of their numbers, all others by number", () => {
    const [one, other] = [drawn(3, 12), drawn(20, 26, "9")];
    const order = LineOrder.plain.renewed([other, one]);
    const expected = [1, 2, ...ranked(one), ...upTo(13, 19), ...ranked(other), 27, 28];
    expect(upTo(1, 28).map((spot) => order.numberAt(spot as Spot))).toEqual(expected);
    for (const number of upTo(1, 28)) expect(order.numberAt(order.spotOf(n(number)))).toBe(number);
  });

  test("[DRAW-16] the same draws make the same order, and what is below is forgotten", () => {
    const order = LineOrder.plain.renewed([drawn(3, 12), drawn(20, 26)]);
    expect(order.renewed([drawn(20, 26), drawn(3, 12)])).toBe(order);
    expect(order.renewed([drawn(3, 12), drawn(20, 26, "8")])).not.toBe(order);
    expect(order.from(12)).toBe(order);
    expect(order.from(13).stretches).toEqual([drawn(20, 26)]);
    expect(order.from(27)).toBe(LineOrder.plain);
    expect(() => LineOrder.plain.renewed([drawn(3, 12), drawn(12, 26)])).toThrow("drawn twice");
  });
});

describe("a line that was drawn", () => {
  test("[DRAW-16] numbers before the draw stand first, late comers last, whoever they are", () => {
    const line = lineOf(40);
    line.draw([drawn(6, 40)]);
    issueMany(line, 3, here);
    expect(inOrder(line)).toEqual([...upTo(1, 5), ...ranked(drawn(6, 40)), 41, 42, 43]);
    expect([...line.callable(50)]).toEqual(inOrder(line));
    expect(line.head()).toBe(1);
    expect(line.ahead(n(43))).toBe(42);
    expect(() => line.draw([drawn(6, 44)])).toThrow("are issued");
  });

  test("[DRAW-16] who is away at the draw keeps the rank, and overtakes nobody", () => {
    const line = lineOf(30);
    const [first = 0, second = 0, third = 0] = ranked(drawn(1, 30));
    for (const number of [first, third]) line.markAway(n(number), now);
    line.draw([drawn(1, 30)]);
    expect([line.head(), line.ahead(n(first)), line.ahead(n(third))]).toEqual([second, 0, 1]);
    line.call(n(second));
    line.markPresent(n(third));
    expect(line.head()).toBe(third);
    line.markPresent(n(first));
    expect([...line.callable(2)]).toEqual([first, third]);
  });

  test("[DRAW-16] a restart with its draws gives the same order; away is known by number", () => {
    const runs = [{ first: n(1), count: 30, lobby: here }];
    const stored = { issued: 30, base: 0, runs, spent: [], called: [], drawn: [drawn(4, 30)] };
    const line = Line.restore(stored, now);
    line.markAllUnconfirmed(11);
    expect(line.awayBelow).toBe(11);
    expect(inOrder(line)).toEqual(ranked(drawn(4, 30)).filter((number) => number >= 11));
    line.report(here, upTo(1, 30).map(n), "away", now);
    expect(inOrder(line)).toEqual([1, 2, 3, ...ranked(drawn(4, 30))]);
  });

  test("[DRAW-16] a draw whose numbers are all dropped is forgotten, and costs nothing more", () => {
    const line = lineOf(8_200);
    line.draw([drawn(1, 100)]);
    for (const number of upTo(1, 8_191)) line.spend(n(number));
    line.sweep(now);
    expect(line.order).toBe(LineOrder.plain);
    expect(inOrder(line)).toEqual(upTo(8_192, 8_200));
  });
});

describe("a lobby of a line that was drawn", () => {
  const line = lineOf(3_000);
  line.draw([drawn(501, 3_000)]);
  const table = { positions: line.positions(), nearUntil: line.spotAt(510)! };
  const near = [...upTo(1, 500), ...ranked(drawn(501, 3_000)).slice(0, 11)];

  test("[DRAW-17] tells each number exactly how many stand ahead, where the table is exact", () => {
    for (const number of [...near, 3_000]) {
      const place = placeFrom(table, n(number), line.order);
      expect(place?.ahead).toBe(line.ahead(n(number)));
    }
  });

  test("[DRAW-17] asks those who are near in that order whether they are awake", () => {
    const presence = new Presence();
    for (const number of upTo(1, 3_000)) presence.socketOpened(n(number), instant(0));
    const asked = presence.toAsk(table.nearUntil, instant(30_000), line.order);
    expect(asked.sort((a, b) => a - b)).toEqual(near.sort((a, b) => a - b));
  });

  test("[DRAW-17] misses whom the table would have by that order", () => {
    const [first = 0, second = 0] = ranked(drawn(501, 3_000));
    const shorter = lineOf(3_000);
    shorter.draw([drawn(501, 3_000)]);
    shorter.call(n(first));
    const unlisted = new Unlisted();
    const check = () =>
      unlisted.check(shorter.positions(), [n(first), n(second)], shorter.order).map(Number);
    expect([check(), check()]).toEqual([[], [first]]);
  });

  test("[DRAW-17] gives a key its foremost place first", () => {
    const [first = 0, second = 0, third = 0] = ranked(drawn(501, 3_000));
    const places = new KeptPlaces();
    for (const number of [third, 400, first, second])
      places.leave({ key: "a", number: n(number), joinedAt: now, heardAt: now });
    const given = upTo(1, 4).map(() => places.takeUp("a", 60_000, now, line.order)?.number);
    expect(given).toEqual([400, first, second, third]);
  });
});
