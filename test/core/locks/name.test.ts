import { expect, test } from "vitest";
import {
  keyOf,
  lockName,
  namespaceOf,
  parseLockKey,
  parseNamespace,
  SHARDS,
  shardOf,
} from "../../../src/core/locks/name.ts";
import { parseOwner } from "../../../src/core/locks/lock.ts";
import { nameOf } from "./world.ts";

test.each([
  ["a", true],
  ["x".repeat(256), true],
  ["x".repeat(257), false],
  ["é".repeat(128), true],
  ["é".repeat(129), false],
  ["", false],
  ["x".repeat(10_240), false],
  ["order 17 / ü · 注文", true],
  ["a\u0000b", false],
  ["a\nb", false],
  ["a\u007fb", false],
  ["a\u0085b", false],
  ["a\ud800b", false],
  [17, false],
  [null, false],
])("[LOCK-1] the name %j: %j", (text, isValid) => {
  expect(parseNamespace(text)).toBe(isValid ? text : null);
  expect(parseLockKey(text)).toBe(isValid ? text : null);
});

test("[LOCK-1] namespace and key never run into each other", () => {
  const name = lockName(parseNamespace("a/b")!, parseLockKey("c/d")!);
  expect([namespaceOf(name), keyOf(name)]).toEqual(["a/b", "c/d"]);
  expect(nameOf("b", "a a")).not.toBe(nameOf("a b", "a"));
});

test.each([
  ["orders", "order-17", 13],
  ["orders", "order-18", 38],
  ["a", "b", 0],
  ["注文", "十七", 4],
])("[LOCK-2] %s/%s is in shard %i for ever", (namespace, key, shard) => {
  expect(shardOf(nameOf(key, namespace))).toBe(shard);
});

test("[LOCK-2] keys spread evenly over the shards", () => {
  const counts = new Array<number>(SHARDS).fill(0);
  for (let i = 0; i < 64_000; i += 1) counts[shardOf(nameOf(`order-${i}`))]! += 1;
  expect(Math.min(...counts)).toBeGreaterThan(850);
  expect(Math.max(...counts)).toBeLessThan(1_150);
});

test.each([
  ["x".repeat(22), true],
  ["x".repeat(128), true],
  ["x".repeat(21), false],
  ["x".repeat(129), false],
  [`${"x".repeat(22)} `, false],
  [["x".repeat(22)], false],
  [undefined, false],
])("[LOCK-3] the owner %j: %j", (text, isValid) => {
  expect(parseOwner(text) !== null).toBe(isValid);
});
