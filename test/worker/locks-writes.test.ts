import { expect, test } from "vitest";
import { shardOf } from "../../src/core/locks/name.ts";
import { breakWrites, locksObjects, nameOf, type Fault } from "../durable/locks-objects.ts";
import { GuardBench } from "./locks-guard-harness.ts";
import { lockBench, newKey } from "./locks-harness.ts";

const FAULTS: readonly Fault[] = ["before", "during", "after"];
const first = (nth: number): boolean => nth === 1;

const shardOfKey = (key: string, namespace: string) =>
  locksObjects.getByName(String(shardOf(nameOf(key, namespace))));

test.each(FAULTS)(
  "[SERVICE-8] a write that fails %s: 503 that says so, and the next question gets the lock",
  async (when) => {
    const { locks } = lockBench();
    const key = newKey();
    await breakWrites(shardOfKey(key, "orders"), when, first);
    const refused = await locks("POST", `orders/${key}`);
    expect([refused.status, refused.json.code]).toEqual([503, "locks-unavailable"]);
    expect(refused.headers.get("Content-Type")).toBe("application/problem+json");
    expect(Number(refused.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    expect(refused.text).not.toMatch(/disk|machine/);
    // If it was granted all the same, its owner was made up here and is known to nobody.
    for (let i = 0; i < 100; i += 1) {
      const { status } = await locks("POST", `orders/${key}`, { owner: "o".repeat(22) });
      if (status === 201) return;
      await scheduler.wait(20);
    }
    throw new Error("nobody can get the lock");
  },
);

test.each(FAULTS)(
  "[RULE-32] a lock that cannot be written (%s) is no lock: the origin is not called",
  async (when) => {
    for (const rule of [{}, { idempotency: true }]) {
      const bench = await GuardBench.with(rule);
      await breakWrites(shardOfKey("17", `rule:${bench.name}`), when, first);
      expect(await bench.keyed("17")).toMatchObject({ status: 503, code: "locks-unavailable" });
      expect(bench.seen).toHaveLength(0);
      await bench.settled();
      expect(await bench.keyed("17")).toMatchObject({ status: 201, text: "effect 1" });
    }
  },
);

test.each(FAULTS)(
  "[RULE-32] an end that cannot be written (%s) is written again: free, and on record",
  async (when) => {
    const plain = await GuardBench.with();
    await breakWrites(shardOfKey("17", `rule:${plain.name}`), when, (nth) => nth === 2);
    expect((await plain.keyed("17")).text).toBe("effect 1");
    expect((await plain.keyed("17")).text).toBe("effect 2");
    const kept = await GuardBench.with({ idempotency: true });
    await breakWrites(shardOfKey("17", `rule:${kept.name}`), when, (nth) => nth === 2);
    expect((await kept.keyed("17")).text).toBe("effect 1");
    const again = await kept.keyed("17");
    expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual(["effect 1", "true"]);
    expect(kept.seen).toHaveLength(1);
  },
);
