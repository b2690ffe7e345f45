import { expect, test } from "vitest";
import { Counts } from "../../../src/core/collections/counts.ts";

test("[BYPASS-13] a count is told once, and kept where telling fails", async () => {
  const counts = new Counts<string>(8);
  counts.add("a", 2);
  counts.add("a", 1);
  await expect(counts.toldBy("a", () => Promise.reject(new Error("gone")))).rejects.toThrow("gone");
  counts.add("a", 1);
  const told: number[] = [];
  const tell = (count: number) => Promise.resolve(told.push(count));
  await counts.toldBy("a", tell);
  await counts.toldBy("a", tell);
  await counts.toldBy("b", tell);
  expect(told).toEqual([4, 0, 0]);
});
