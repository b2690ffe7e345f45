import { runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import {
  lockName,
  parseLockKey,
  parseNamespace,
  type LockName,
} from "../../src/core/locks/name.ts";
import type { Locks } from "../../src/durable/locks/locks.ts";
import { acquire, grantIn, newLock, ownerOf } from "./locks-objects.ts";

const KEYS = 100_000;
/** A namespace may ask a shard so often in a second, and no oftener. */
const NAMESPACES = 500;

const nameOf = (at: number): LockName =>
  lockName(parseNamespace(`many-${at % NAMESPACES}`)!, parseLockKey(`key-${at}`)!);

test("[LOCK-10] 100,000 keys through one shard: one that is held stands, the others leave nothing", async () => {
  const { name, shard } = newLock();
  const held = grantIn(await acquire(name, "a", { leaseMs: 3_600_000 }));
  const owner = ownerOf("b");
  const fences = await runInDurableObject(shard as never, async (locks: Locks) => {
    const given: number[] = [];
    for (let at = 0; at < KEYS; at += 1) {
      const ask = { name: nameOf(at), owner };
      const answer = await locks.acquire({ ...ask, leaseMs: 30_000, waitMs: 0, ask: `${at}` });
      given.push(grantIn(answer).fence);
      await locks.release(ask);
    }
    const again = { name: nameOf(0), owner: ownerOf("c"), leaseMs: 30_000, waitMs: 0, ask: "x" };
    given.push(grantIn(await locks.acquire(again)).fence);
    await locks.release(again);
    return given;
  });
  expect(fences).toHaveLength(KEYS + 1);
  expect(fences.every((fence, at) => fence > (fences[at - 1] ?? held.fence))).toBe(true);
  const { rows, size } = await runInDurableObject(
    shard as never,
    (_: Locks, { storage: { sql } }: DurableObjectState) => ({
      rows: sql.exec("SELECT name FROM lock").toArray(),
      size: sql.databaseSize,
    }),
  );
  expect(rows).toEqual([{ name }]);
  expect(size).toBeLessThan(1_048_576);
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  expect(grantIn(await acquire(name, "a")).fence).toBe(held.fence);
}, 60_000);
