import { expect, test } from "vitest";
import { IDLE_MAX } from "../../../src/core/locks/idle.ts";
import { LOCK_DELAY_MS } from "../../../src/core/locks/lock.ts";
import { HELD_MAX, LINE_MAX, WAITING_MAX } from "../../../src/core/locks/table.ts";
import { granted, nameOf, SECOND, World } from "./world.ts";

// Many thousand locks: too slow to judge mutants, see vitest.mutation.config.ts.

test("[LOCK-10] idle locks are forgotten, least recently used first; held ones never", () => {
  const world = new World();
  const goesAt = world.now + 3_600_000 + LOCK_DELAY_MS;
  const held = world.hold("held", "a", { leaseMs: 3_600_000 });
  for (let i = 0; i < 100_000; i += 1) {
    if (i % 1_000 === 0) world.now += SECOND;
    world.hold(`key-${i}`, "b");
    world.release(`key-${i}`, "b");
  }
  const isIdle = (i: number): boolean => world.state.idle.get(nameOf(`key-${i}`)) !== null;
  const idle = Array.from({ length: 100_000 }, (_, i) => i).filter(isIdle);
  expect([idle.length, idle[0]]).toEqual([IDLE_MAX, 100_000 - IDLE_MAX]);
  expect([world.state.locks.size, world.state.dues.next()]).toEqual([1, goesAt]);
  expect(world.release("key-99999", "b")).toBe("released");
  expect(world.release("key-0", "b")).toBe("not-yours");
  expect(granted(world.acquire("held", "a")).fence).toBe(held.fence);
  expect([...world.store.load().holders]).toHaveLength(1);
});

test("[FENCE-3] a key that was forgotten and came back has a higher fence", () => {
  const world = new World();
  const first = world.hold("17", "a");
  world.release("17", "a");
  for (let i = 0; i < IDLE_MAX + 1; i += 1) {
    if (i % 1_000 === 0) world.now += SECOND;
    world.hold(`key-${i}`, "b");
    world.release(`key-${i}`, "b");
  }
  expect(world.hold("17", "a").fence).toBeGreaterThan(first.fence + IDLE_MAX);
});

test("[LOCK-11] a shard holds so many locks and then refuses, and goes on when one is free", () => {
  const world = new World();
  for (let i = 0; i < HELD_MAX; i += 1) {
    if (i % 1_000 === 0) world.now += SECOND / 10;
    if (i % 10_000 === 0) world.now += SECOND;
    world.state.calls.count = () => 0;
    world.hold(`key-${i}`, "a", { leaseMs: 3_600_000 });
  }
  expect(world.acquire("one-more", "b")).toMatchObject({
    kind: "refused",
    refusal: "table-full",
  });
  world.release("key-7", "a");
  expect(world.acquire("one-more", "b").kind).toBe("granted");
});

test("[WAIT-6] the line for a key has its bound, and so has the shard", () => {
  const world = new World();
  world.hold("17", "a");
  for (let i = 0; i < LINE_MAX; i += 1) world.open("17", `w${i}`);
  expect(world.open("17", "one-more")).toMatchObject({ kind: "refused", refusal: "line-full" });
  world.close("w500");
  world.now += SECOND;
  expect(world.open("17", "one-more")).toMatchObject({ kind: "waiting", ahead: LINE_MAX - 1 });
  for (let key = 0; world.state.waiting < WAITING_MAX; key += 1) {
    world.now += SECOND;
    world.hold(`key-${key}`, "a", { leaseMs: 3_600_000 });
    for (let i = 0; i < LINE_MAX && world.state.waiting < WAITING_MAX; i += 1)
      world.open(`key-${key}`, `w${i}`, `${key}/${i}`);
  }
  world.hold("last", "a");
  expect(world.open("last", "b")).toMatchObject({ kind: "refused", refusal: "line-full" });
});
