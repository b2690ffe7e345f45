import assert from "node:assert/strict";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DueTimes } from "../../../src/core/collections/due-times.ts";
import { instant } from "../../../src/core/time.ts";

test("[PERMIT-8] of several watches on one key the earliest counts, once", () => {
  const deadlines = new DueTimes<string>();
  deadlines.watch("a", instant(30));
  deadlines.watch("a", instant(10));
  deadlines.watch("a", instant(20));
  expect(deadlines.next()).toBe(10);
  expect(deadlines.take(instant(9))).toBe(null);
  expect(deadlines.take(instant(10))).toBe("a");
  expect(deadlines.take(instant(99))).toBe(null);
  expect(deadlines.next()).toBe(null);
});

test("[PERMIT-8] the heap agrees with a sorted list over random histories", () => {
  const act = fc.oneof(
    fc.record({ key: fc.nat(9), at: fc.nat(60) }),
    fc.record({ now: fc.nat(60) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 80, size: "max" }), (acts) => {
      const deadlines = new DueTimes<number>();
      const naive = new Map<number, number>();
      for (const each of acts) {
        if ("key" in each) {
          deadlines.watch(each.key, instant(each.at));
          naive.set(each.key, Math.min(each.at, naive.get(each.key) ?? Infinity));
          continue;
        }
        const taken: number[] = [];
        for (let key = deadlines.take(instant(each.now)); key !== null;) {
          taken.push(key);
          key = deadlines.take(instant(each.now));
        }
        const due = [...naive].filter(([, at]) => at <= each.now);
        assert.deepEqual(new Set(taken), new Set(due.map(([key]) => key)));
        assert.equal(taken.length, due.length);
        const instants = taken.map((key) => naive.get(key) ?? 0);
        assert.deepEqual(
          instants,
          instants.toSorted((a, b) => a - b),
          "earliest first",
        );
        for (const key of taken) naive.delete(key);
        const next = naive.size === 0 ? null : Math.min(...naive.values());
        assert.equal(deadlines.next(), next);
      }
    }),
    { numRuns: 300 },
  );
});
