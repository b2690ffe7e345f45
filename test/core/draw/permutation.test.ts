import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DrawnOrder } from "../../../src/core/draw/drawn-order.ts";
import {
  KeyedPermutation,
  roundBlocks,
  type RoundBlocks,
} from "../../../src/core/draw/permutation.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import { chiSquared, chiSquaredBounds } from "../../support/chi-squared.ts";

/** 0, 1, 2 ... 31. */
const KEY = Uint8Array.from({ length: 32 }, (_, at) => at);

const keyNo = (n: number): Uint8Array => {
  const key = new Uint8Array(32);
  new DataView(key.buffer).setUint32(0, n);
  return key;
};

const permutation = (size: number, key: Uint8Array = KEY) =>
  new KeyedPermutation(roundBlocks(key), size);
const imagesOf = (one: KeyedPermutation) =>
  Array.from({ length: one.size }, (_, x) => one.forward(x));

/** The blocks of a key are the same for every size. */
const keptBlocks = (
  key: Uint8Array,
): { readonly blocks: RoundBlocks; readonly asked: () => number } => {
  const work = roundBlocks(key);
  const kept: Uint8Array[][] = [];
  let asked = 0;
  return {
    asked: () => asked,
    blocks: (round, block) => {
      asked += 1;
      return ((kept[round] ??= [])[block] ??= work(round, block));
    },
  };
};

test("[DRAW-1] for every n to 5,000 each number has one rank, and each rank one number", () => {
  const { blocks } = keptBlocks(KEY);
  for (let size = 1; size <= 5_000; size += 1) {
    const one = new KeyedPermutation(blocks, size);
    const seen = new Uint8Array(size);
    for (let x = 0; x < size; x += 1) seen[one.forward(x)] = 1;
    if (seen.includes(0)) expect.fail(`of ${size}, ${seen.indexOf(0)} is reached by none`);
  }
});

test("[DRAW-1] as it is for some larger ones", () => {
  const { blocks } = keptBlocks(KEY);
  for (const size of [65_535, 65_536, 65_537, 104_729]) {
    const seen = new Uint8Array(size);
    const one = new KeyedPermutation(blocks, size);
    for (let x = 0; x < size; x += 1) seen[one.forward(x)] = 1;
    expect(seen.includes(0)).toBe(false);
  }
});

test("[DRAW-2] the way back undoes the way there, for sizes up to 2^48", () => {
  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 300 }),
    fc.integer({ min: 2 ** 26 - 5, max: 2 ** 26 + 5 }),
    fc.maxSafeInteger().map((n) => 1 + (Math.abs(n) % 2 ** 48)),
    fc.constant(2 ** 48),
  );
  fc.assert(
    fc.property(sizes, fc.double({ min: 0, max: 1, noNaN: true }), (size, share) => {
      const one = permutation(size);
      const x = Math.min(size - 1, Math.floor(share * size));
      const y = one.forward(x);
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y).toBeLessThan(size);
      expect(one.back(y)).toBe(x);
      expect(one.forward(one.back(x))).toBe(x);
    }),
    { numRuns: 200 },
  );
});

test.each([
  [1_000_000, 24 * 250],
  [5_000_000, 24 * 560],
])(
  "[DRAW-2] of %i numbers all ranks ask for %i hashes: the root, not the number of them",
  (size, most) => {
    const { blocks, asked } = keptBlocks(KEY);
    const one = new KeyedPermutation(blocks, size);
    one.forward(0);
    expect(asked()).toBeLessThanOrEqual(24 * 3);
    for (let x = 0; x < size; x += 25) one.forward(x);
    expect(asked()).toBeLessThanOrEqual(most);
  },
);

// Worked out by the Python program in docs/decisions/the-draw.md, for the key 0, 1, 2 ... 31.
test.each([
  [1, [0], [1]],
  [2, [0, 1], [2, 1]],
  [3, [0, 1, 2], [1, 2, 3]],
  [5, [0, 1, 2, 3, 4], [3, 2, 1, 4, 5]],
  [10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], [6, 5, 1, 2, 9, 3, 10, 7, 4, 8]],
  [100, [0, 1, 2, 3, 4, 5, 6], [32, 54, 86, 39, 95, 10, 56]],
  [1_000_000, [0, 1, 2, 499_999, 999_999], [555_668, 929_903, 791_282, 854_116, 835_975]],
  [5_000_000, [0, 1, 4_999_999], [1_431_195, 1_331_615, 3_988_914]],
  [2 ** 26 + 1, [0, 1, 2 ** 26], [28_559_370, 16_679_728, 51_244_087]],
  [2 ** 48, [0, 1, 2 ** 48 - 1], [217_057_787_685_338, 40_797_954_283_734, 47_146_237_812_180]],
  [2 ** 48 - 59, [12_345, 2 ** 48 - 60], [218_662_191_195_317, 181_589_627_298_370]],
])("[DRAW-3] of %i numbers everybody gets the same ranks", (size, places, ranks) => {
  const one = permutation(size);
  expect(places.map((x) => one.forward(x) + 1)).toEqual(ranks);
});

describe("[DRAW-4] chance", () => {
  test.each([
    [3, 1_200],
    [4, 2_400],
    [5, 6_000],
  ])("each order of %i numbers comes equally often, in %i seeds", (size, seeds) => {
    const counts = new Map<string, number>();
    for (let n = 0; n < seeds; n += 1) {
      const order = imagesOf(permutation(size, keyNo(n))).join(" ");
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    const orders = [6, 24, 120][size - 3]!;
    expect(counts.size).toBe(orders);
    const [least, most] = chiSquaredBounds(orders - 1);
    const found = chiSquared([...counts.values()], seeds / orders);
    expect(found).toBeGreaterThan(least);
    expect(found).toBeLessThan(most);
  });

  test("each of 25 numbers gets each rank equally often", () => {
    const places = [0, 1, 12, 24];
    const counts = places.map(() => new Array<number>(25).fill(0));
    for (let n = 0; n < 2_500; n += 1) {
      const one = permutation(25, keyNo(n));
      for (const [at, place] of places.entries()) counts[at]![one.forward(place)]! += 1;
    }
    const [least, most] = chiSquaredBounds(24);
    for (const counted of counts) {
      expect(chiSquared(counted, 100)).toBeGreaterThan(least);
      expect(chiSquared(counted, 100)).toBeLessThan(most);
    }
  });

  test("where a number of 1,000 stands says nothing of its rank", () => {
    const counts = new Array<number>(100).fill(0);
    for (let n = 0; n < 60; n += 1) {
      const one = permutation(1_000, keyNo(n));
      for (let x = 0; x < 1_000; x += 1)
        counts[Math.floor(x / 100) * 10 + Math.floor(one.forward(x) / 100)]! += 1;
    }
    const [least, most] = chiSquaredBounds(81);
    expect(chiSquared(counts, 600)).toBeGreaterThan(least);
    expect(chiSquared(counts, 600)).toBeLessThan(most);
  });

  test("orders with an odd number of exchanges come too, also where the size is a square", () => {
    const oddOnes = Array.from({ length: 200 }, (_, n) =>
      isOdd(imagesOf(permutation(9, keyNo(n)))),
    );
    expect(oddOnes.filter(Boolean).length).toBeGreaterThan(60);
    expect(oddOnes.filter(Boolean).length).toBeLessThan(140);
  });
});

const isOdd = (images: readonly number[]): boolean => {
  let inversions = 0;
  for (const [at, image] of images.entries())
    inversions += images.slice(at + 1).filter((later) => later < image).length;
  return inversions % 2 === 1;
};

describe("[DRAW-5] numbers of a draw", () => {
  const order = new DrawnOrder(KEY, { first: ticketNumber(41), last: ticketNumber(50) });

  test("all from the first to the last have a rank", () => {
    const numbers = Array.from({ length: 10 }, (_, at) => ticketNumber(41 + at));
    expect(numbers.map((n) => order.rankOf(n))).toEqual([6, 5, 1, 2, 9, 3, 10, 7, 4, 8]);
    expect(numbers.map((n) => order.numberAt(order.rankOf(n)!))).toEqual(numbers);
  });

  test("others have none, and no number has another rank", () => {
    expect(order.rankOf(ticketNumber(40))).toBeNull();
    expect(order.rankOf(ticketNumber(51))).toBeNull();
    expect([0, 11, 1.5, Number.NaN].map((rank) => order.numberAt(rank))).toEqual([
      null,
      null,
      null,
      null,
    ]);
  });

  test("a draw of nobody, or of what was never issued, is a bug of ours", () => {
    expect(() => new DrawnOrder(KEY, { first: ticketNumber(2), last: ticketNumber(1) })).toThrow(
      "has numbers",
    );
    expect(() => permutation(2 ** 48 + 1)).toThrow("1 to 2^48");
    expect(() => permutation(0)).toThrow("1 to 2^48");
    expect(() => permutation(1.5)).toThrow("1 to 2^48");
    expect(() => permutation(10).forward(10)).toThrow("below the size");
    expect(() => permutation(10).back(-1)).toThrow("below the size");
    expect(() => roundBlocks(new Uint8Array(31))).toThrow("32 bytes");
  });
});
