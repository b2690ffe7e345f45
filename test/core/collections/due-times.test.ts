import fc from "fast-check";
import { expect, test } from "vitest";
import { DueTimes } from "../../../src/core/collections/due-times.ts";
import { instant } from "../../../src/core/time.ts";

const LAST = instant(100);

test("the earliest is always first, and what is taken out leaves nothing behind", () => {
  const change = fc.tuple(fc.nat(20), fc.option(fc.nat(50)));
  fc.assert(
    fc.property(fc.array(change, { maxLength: 200, size: "max" }), (changes) => {
      const dues = new DueTimes<number>();
      const twin = new Map<number, number>();
      for (const [key, at] of changes) {
        dues.set(key, at === null ? null : instant(at));
        if (at === null) twin.delete(key);
        else twin.set(key, at);
        expect(dues.first()?.at ?? null).toBe(twin.size === 0 ? null : Math.min(...twin.values()));
      }
      const left: number[] = [];
      for (let key = dues.take(LAST); key !== null; key = dues.take(LAST)) left.push(key);
      expect(left.toSorted((a, b) => a - b)).toEqual([...twin.keys()].toSorted((a, b) => a - b));
    }),
  );
});
