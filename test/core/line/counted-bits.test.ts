import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CHUNK_BYTES, CountedBits, chunkOf } from "../../../src/core/line/counted-bits.ts";

const setOf = (...numbers: number[]): CountedBits => {
  const bits = new CountedBits();
  for (const n of numbers) bits.add(n);
  return bits;
};

const membersOf = (bits: CountedBits): number[] => {
  const members: number[] = [];
  bits.each((n) => members.push(n));
  return members;
};

/** On both sides of word and chunk ends, close together, and far up. */
const edges = [1, 2, 31, 32, 33, 63, 8_160, 8_191, 8_192, 8_193, 16_383, 16_384, 24_576, 81_920];
const member = fc.oneof(
  fc.constantFrom(...edges, 2 ** 40 - 1, 2 ** 40, 2 ** 48 - 1, 2 ** 48),
  fc.integer({ min: 1, max: 40_000 }),
);

describe("a set of numbers", () => {
  test("[LINE-2] answers as a sorted array does", () => {
    const steps = fc.array(fc.tuple(fc.boolean(), member), { maxLength: 120, size: "max" });
    fc.assert(
      fc.property(steps, member, (history, probe) => {
        const bits = new CountedBits();
        const naive = new Set<number>();
        for (const [adds, n] of history) {
          const changes = adds ? !naive.has(n) : naive.has(n);
          expect(adds ? bits.add(n) : bits.delete(n)).toBe(changes);
          if (adds) naive.add(n);
          else naive.delete(n);
        }
        const sorted = [...naive].sort((a, b) => a - b);
        expect(membersOf(bits)).toEqual(sorted);
        expect(bits.size).toBe(sorted.length);
        expect(bits.first()).toBe(sorted[0] ?? null);
        for (const n of [probe, probe + 1, ...sorted.slice(0, 9)]) {
          expect(bits.has(n)).toBe(naive.has(n));
          expect(bits.rank(n)).toBe(sorted.filter((other) => other < n).length);
          expect(bits.next(n)).toBe(sorted.find((other) => other >= n) ?? null);
          expect(bits.countIn(chunkOf(n))).toBe(
            sorted.filter((other) => chunkOf(other) === chunkOf(n)).length,
          );
        }
        for (const k of [0, 1, sorted.length - 1, sorted.length, sorted.length >> 1]) {
          expect(bits.at(k)).toBe(sorted[k] ?? null);
        }
      }),
      { numRuns: 500 },
    );
  });

  test("[LINE-17] comes back from its bytes, and loading replaces the chunk", () => {
    fc.assert(
      fc.property(fc.uniqueArray(member, { maxLength: 60 }), member, (numbers, other) => {
        const bits = setOf(...numbers);
        const copy = setOf(other);
        for (const chunk of new Set([...numbers, other].map(chunkOf))) {
          copy.load(chunk, bits.bytes(chunk));
        }
        expect(membersOf(copy)).toEqual(membersOf(bits));
        expect(copy.size).toBe(bits.size);
        expect(copy.chunks()).toEqual(bits.chunks());
      }),
    );
  });

  test("[LINE-17] is stored lowest byte and lowest bit first", () => {
    const bytes = setOf(8_192, 8_192 + 9, 8_192 + 31, 16_383).bytes(1);
    expect(bytes).toHaveLength(CHUNK_BYTES);
    expect([...bytes.entries()].filter(([, byte]) => byte > 0)).toEqual([
      [0, 0b0000_0001],
      [1, 0b0000_0010],
      [3, 0b1000_0000],
      [1_023, 0b1000_0000],
    ]);
    expect(
      setOf(8_191)
        .bytes(1)
        .every((byte) => byte === 0),
    ).toBe(true);
  });

  test("[LINE-17] loads a view into a larger buffer", () => {
    const stored = new Uint8Array(CHUNK_BYTES + 6);
    stored[5] = 0b100;
    const bits = new CountedBits();
    bits.load(7, stored.subarray(5, 5 + CHUNK_BYTES));
    expect(membersOf(bits)).toEqual([7 * 8_192 + 2]);
  });

  test("[LINE-17] refuses rows that are not ours", () => {
    expect(() => new CountedBits().load(0, new Uint8Array(CHUNK_BYTES - 1))).toThrow(
      "all its bytes",
    );
    expect(() => new CountedBits().load(0, new Uint8Array(CHUNK_BYTES).fill(1))).toThrow("never");
    expect(() => new CountedBits().add(0)).toThrow("from 1 up");
    expect(() => new CountedBits().add(1.5)).toThrow("from 1 up");
  });

  test("[LINE-19] keeps no chunk without members, however far the numbers rose", () => {
    const bits = new CountedBits();
    for (let chunk = 1; chunk <= 2 ** 35; chunk *= 2) {
      bits.add(chunk * 8_192);
      if (chunk > 1) bits.delete((chunk / 2) * 8_192);
    }
    expect(bits.chunks()).toEqual([2 ** 35]);
    expect(membersOf(bits)).toEqual([2 ** 48]);
  });

  test("a set that was emptied starts clean in another chunk", () => {
    const bits = setOf(5, 6);
    bits.delete(5);
    bits.delete(6);
    bits.add(8_192 + 7);
    expect(membersOf(bits)).toEqual([8_192 + 7]);
  });
});
