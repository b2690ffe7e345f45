import fc from "fast-check";
import { expect, test } from "vitest";
import { LatestMap } from "../../../src/core/collections/latest-map.ts";

test("beyond its bound the entry that was put there longest ago goes", () => {
  const map = new LatestMap<string, number>(3);
  map.put("a", 1);
  map.put("b", 2);
  map.put("c", 3);
  map.put("a", 4);
  map.put("d", 5);
  expect([...map]).toEqual([
    ["c", 3],
    ["a", 4],
    ["d", 5],
  ]);
  expect(map.oldest).toBe("c");
  expect(map.has("b")).toBe(false);
  expect([map.get("b"), map.get("a")]).toEqual([undefined, 4]);
});

test("what is looked at may be deleted meanwhile", () => {
  const map = new LatestMap<number, true>(10);
  for (let key = 0; key < 10; key += 1) map.put(key, true);
  for (const [key] of map) if (key !== 4) map.delete(key);
  expect([...map].map(([key]) => key)).toEqual([4]);
});

/** The same by a list, the newest last. */
class NaiveLatest {
  list: (readonly [number, number])[] = [];
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  put(key: number, value: number): void {
    this.delete(key);
    this.list = [...this.list, [key, value] as const].slice(-this.#most);
  }

  delete(key: number): void {
    this.list = this.list.filter(([other]) => other !== key);
  }
}

test("over random histories it holds what a plain list holds, in the same order", () => {
  const key = fc.nat(12);
  const step = fc.oneof(
    fc.record({ do: fc.constant("put" as const), key }),
    fc.record({ do: fc.constant("delete" as const), key }),
    fc.record({ do: fc.constant("clear" as const), key }),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(step, { maxLength: 60 }),
      (most, steps) => {
        const map = new LatestMap<number, number>(most);
        const naive = new NaiveLatest(most);
        for (const [at, one] of steps.entries()) {
          if (one.do === "put") {
            map.put(one.key, at);
            naive.put(one.key, at);
          } else if (one.do === "delete") {
            map.delete(one.key);
            naive.delete(one.key);
          } else if (at % 7 === 0) {
            map.clear();
            naive.list = [];
          }
          expect([...map]).toEqual(naive.list);
          expect(map.size).toBe(naive.list.length);
          expect(map.oldest).toBe(naive.list[0]?.[0] ?? null);
          for (const [known, value] of naive.list) expect(map.get(known)).toBe(value);
        }
      },
    ),
  );
});
