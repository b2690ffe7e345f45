import { expect, test } from "vitest";
import { BoundedMap } from "../../../src/core/collections/bounded-map.ts";

test("keeps the last half of its size that was used, and never more than its size", () => {
  const map = new BoundedMap<number, string>(8);
  map.set(0, "often used");
  for (let key = 1; key <= 1_000; key += 1) {
    map.set(key, `${key}`);
    expect(map.size).toBeLessThanOrEqual(8);
    for (let last = key; last > Math.max(0, key - 3); last -= 1)
      expect(map.get(last)).toBe(`${last}`);
    expect(map.get(0)).toBe("often used");
  }
  expect(map.get(900)).toBeUndefined();
});

test("what is set again has the new value", () => {
  const map = new BoundedMap<string, number>(4);
  map.set("a", 1);
  map.set("b", 2);
  map.set("c", 3);
  map.set("a", 4);
  expect(map.get("a")).toBe(4);
  expect([map.get("b"), map.get("c")]).toEqual([2, 3]);
});

test("what is not there is made once", () => {
  const map = new BoundedMap<string, string>(4);
  const made: string[] = [];
  const make = (key: string): string => {
    made.push(key);
    return key.toUpperCase();
  };
  expect([map.getOrMake("a", make), map.getOrMake("a", make), map.get("a")]).toEqual([
    "A",
    "A",
    "A",
  ]);
  expect(made).toEqual(["a"]);
});

test("half of it is dropped when the other half is full, and only then", () => {
  const map = new BoundedMap<number, string>(4);
  const sizes = [1, 2, 3, 4, 5, 6, 7].map((key) => {
    map.set(key, `${key}`);
    return map.size;
  });
  expect(sizes).toEqual([1, 2, 3, 4, 3, 4, 3]);
});

test("what is among the latest already makes no room when it is set again", () => {
  const map = new BoundedMap<string, number>(4);
  for (const key of ["a", "b", "b", "c", "d"]) map.set(key, 1);
  expect(map.get("a")).toBe(1);
});

test("who asks for what is not there leaves nothing behind", () => {
  const map = new BoundedMap<string, number>(4);
  expect([map.get("a"), map.size]).toEqual([undefined, 0]);
});
