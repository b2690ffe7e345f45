import { describe, expect, test } from "vitest";
import { CountedBits } from "../../../src/core/line/counted-bits.ts";
import type { Spot } from "../../../src/core/line/order.ts";
import { aheadFrom, mayHold, tabulate } from "../../../src/core/line/positions.ts";

const spot = (value: number): Spot => value as Spot;

const everyNth = (nth: number, count: number): CountedBits => {
  const bits = new CountedBits();
  for (let k = 1; k <= count; k += 1) bits.add(k * nth);
  return bits;
};

describe("a table of positions", () => {
  test("[LINE-12] of an empty line says 0 to everybody", () => {
    const table = tabulate(new CountedBits(), 2);
    expect(table.spots).toHaveLength(0);
    expect(aheadFrom(table, spot(1))).toBe(0);
    expect(aheadFrom(table, spot(2 ** 48))).toBe(0);
  });

  test.each([
    [9, 10, 9],
    [10, 10, 10],
    [11, 10, 10],
    [100_000, 2_048, 2_048],
    [3, 2, 2],
  ])("[LINE-12] of %i members in %i entries has %i", (count, max, entries) => {
    const table = tabulate(everyNth(3, count), max);
    expect(table.spots).toHaveLength(entries);
    expect(table.ahead).toHaveLength(entries);
    expect([table.spots[0], table.ahead[0]]).toEqual([3, 0]);
    expect([table.spots.at(-1), table.ahead.at(-1)]).toEqual([count * 3, count - 1]);
  });

  test.each([
    [2, [0, 10]],
    [3, [0, 1, 10]],
    [4, [0, 1, 6, 10]],
    [6, [0, 1, 2, 5, 8, 10]],
  ])("[LINE-12] spaces its second half evenly: 11 members in %i entries", (max, ahead) => {
    const table = tabulate(everyNth(1, 11), max);
    expect([...table.ahead]).toEqual(ahead);
    expect([...table.spots]).toEqual(ahead.map((rank) => rank + 1));
  });

  test("[LINE-12] is exact for everybody in a line that fits", () => {
    const members = everyNth(7, 2_048);
    const table = tabulate(members, 2_048);
    for (let n = 1; n <= 2_048 * 7 + 20; n += 1)
      expect(aheadFrom(table, spot(n))).toBe(members.rank(n));
  });

  test("[LINE-12] is exact for the first half, and close behind it", () => {
    const members = new CountedBits();
    for (let n = 1; members.size < 50_000; n += 1 + ((n * n) % 7)) members.add(n);
    const table = tabulate(members, 1_000);
    const between = Math.ceil((50_000 - 500) / 500);
    const lastExact = table.spots[499] ?? 0;
    for (let n = 1; n <= (table.spots.at(-1) ?? 0) + 2; n += 11) {
      const error = Math.abs(aheadFrom(table, spot(n)) - members.rank(n));
      expect(error).toBeLessThan(n <= lastExact + 1 ? 1 : between);
    }
  });

  test("[LINE-12] is exact where nobody in between has left", () => {
    const members = everyNth(1, 30_000);
    const table = tabulate(members, 64);
    for (let n = 1; n <= 30_001; n += 1) expect(aheadFrom(table, spot(n))).toBe(n - 1);
  });

  test("[LINE-13] never falls, also over gaps as wide as numbers get", () => {
    const members = everyNth(2 ** 40, 200);
    const table = tabulate(members, 8);
    let last = 0;
    for (let n = 1; n <= 2 ** 48; n += 2 ** 35 - 1) {
      const ahead = aheadFrom(table, spot(n));
      expect(ahead).toBeGreaterThanOrEqual(last);
      expect(ahead).toBeLessThanOrEqual(200);
      last = ahead;
    }
    expect(last).toBe(200);
  });

  test("[LINE-24] knows who did not stand in a line that fits, and who came later", () => {
    const table = tabulate(everyNth(3, 10), 10);
    for (let n = 0; n <= 40; n += 1)
      expect(mayHold(table, spot(n))).toBe(n > 0 && n <= 30 && n % 3 === 0);
    expect(mayHold(tabulate(new CountedBits(), 2), spot(1))).toBe(false);
  });

  test("[LINE-24] behind its first half it knows only that somebody may stand between two entries", () => {
    const table = tabulate(everyNth(3, 11), 4);
    expect([...table.spots]).toEqual([3, 6, 21, 33]);
    const held = Array.from({ length: 40 }, (_, n) => n).filter((n) => mayHold(table, spot(n)));
    expect(held).toEqual([3, 6, ...Array.from({ length: 27 }, (_, at) => at + 7)]);
  });

  test("a table of one entry is asked for by a bug of ours only", () => {
    expect(() => tabulate(new CountedBits(), 1)).toThrow("a first entry and a last");
  });
});
