import { runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { shardOf, type LockName } from "../../src/core/locks/name.ts";
import type { AnswerClient } from "../../src/core/locks/answers.ts";
import type { Locks } from "../../src/durable/locks/locks.ts";
import { eventually } from "../support/eventually.ts";
import {
  acquire,
  breakWrites,
  grantIn,
  LockEar,
  nameOf,
  newLock,
  ownerOf,
  release,
  shardFor,
  type Fault,
} from "./locks-objects.ts";
import { insistently } from "./insistently.ts";

const FAULTS: readonly Fault[] = ["before", "during", "after"];
const first = (nth: number): boolean => nth === 1;
const everyThird = (nth: number): boolean => nth % 3 === 0;

/** An object's promise is more than one: looked at closely, it asks the object for what it is. */
const expectFailure = (ask: () => Promise<unknown>): Promise<void> =>
  expect((async () => await ask())()).rejects.toThrow(/disk|machine/);

const waitingFor = async (name: LockName): Promise<number> => {
  const { rows } = await shardFor(name).list("orders", 1_000);
  return rows.find(({ key }) => name.endsWith(key))?.waiting ?? 0;
};

describe.each(FAULTS)("a write that fails %s", (when) => {
  test("[LOCK-17] a grant is not answered, and the same owner's next question is", async () => {
    const { name, shard } = newLock();
    await breakWrites(shard, when, first);
    await expectFailure(() => acquire(name, "a"));
    const hold = grantIn(await acquire(name, "a"));
    expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
    expect(await release(name, "a")).toBe(true);
    expect(grantIn(await acquire(name, "b")).fence).toBeGreaterThan(hold.fence);
  });

  test("[LOCK-17] what was answered before still holds", async () => {
    const { name, shard } = newLock();
    const hold = grantIn(await acquire(name, "a"));
    await breakWrites(shard, when, first);
    await expectFailure(() => shard.renew({ name, owner: ownerOf("a"), leaseMs: 60_000 }));
    expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
    expect(grantIn(await acquire(name, "a"))).toMatchObject({ fence: hold.fence });
  });

  test("[LOCK-17] a release is not answered, and nobody holds beside the owner", async () => {
    const { name, shard } = newLock();
    const hold = grantIn(await acquire(name, "a"));
    await breakWrites(shard, when, first);
    await expectFailure(() => release(name, "a"));
    const next = await acquire(name, "b");
    // Done and not answered: it is free. Else it is still the owner's, who releases it again.
    expect(next.kind).toBe(when === "after" ? "granted" : "held");
    expect(await release(name, "a")).toBe(when !== "after");
    await insistently(async () =>
      expect(grantIn(await acquire(name, "b")).fence).toBeGreaterThan(hold.fence),
    );
  });

  test("[LOCK-17] who waits over HTTP gets an error, asks again and gets the lock", async () => {
    const { name, shard } = newLock();
    await acquire(name, "a");
    const failed = expectFailure(() => acquire(name, "b", { waitMs: 10_000 }));
    await eventually(async () => expect(await waitingFor(name)).toBe(1));
    await breakWrites(shard, when, first);
    await expectFailure(() => release(name, "a"));
    await failed;
    const again = acquire(name, "b", { waitMs: 10_000 });
    await release(name, "a");
    expect(await again).toMatchObject({ kind: "granted" });
  });

  test("[LOCK-18] sockets keep their places, and the next one hears that it holds", async () => {
    const { name, shard } = newLock();
    const fence = grantIn(await acquire(name, "a")).fence;
    const b = await LockEar.open(name, "b");
    await b.heard("waiting");
    const c = await LockEar.open(name, "c");
    await c.heard("waiting");
    await breakWrites(shard, when, first);
    await expectFailure(() => release(name, "a"));
    await insistently(() => release(name, "a"));
    const granted = await b.heard("granted");
    expect(granted["fence"]).toBeGreaterThan(fence);
    expect(c.messages.some(({ type }) => type === "granted")).toBe(false);
    b.close();
    expect((await c.heard("granted"))["fence"]).toBeGreaterThan(granted["fence"] as number);
    c.close();
  });

  test("[LOCK-18] a clean close passes the lock on all the same", async () => {
    const { name, shard } = newLock();
    const a = await LockEar.open(name, "a");
    const { fence } = await a.heard("granted");
    const b = await LockEar.open(name, "b");
    await b.heard("waiting");
    await breakWrites(shard, when, first);
    a.close();
    expect((await b.heard("granted"))["fence"]).toBeGreaterThan(fence as number);
    b.close();
  });

  test("[LOCK-18] an alarm comes again within moments", async () => {
    const { name, shard } = newLock();
    const { fence } = grantIn(await acquire(name, "a"));
    const b = await LockEar.open(name, "b");
    await b.heard("waiting");
    // A write that fails makes the shard load again; the second is ours, and the third the alarm's.
    await breakWrites(shard, when, (nth) => nth === 1 || nth === 3);
    await expectFailure(() => shard.renew({ name, owner: ownerOf("a"), leaseMs: 30_000 }));
    await runInDurableObject(shard as never, (_: Locks, { storage }: DurableObjectState) => {
      storage.sql.exec("UPDATE lock SET until = ? WHERE name = ?", Date.now() - 20_000, name);
    });
    await runInDurableObject(shard as never, (locks: Locks) => locks.alarm());
    expect((await b.heard("granted"))["fence"]).toBeGreaterThan(fence);
    expect(await acquire(name, "c")).toMatchObject({ kind: "held" });
    b.close();
  });

  test("[IDEM-16] a run whose beginning was not answered has not begun", async () => {
    const { name, shard } = newLock();
    const asked = {
      name,
      leaseMs: 30_000,
      waitMs: 0,
      fingerprint: "f",
      retentionMs: 3_600_000,
      client: 1 as AnswerClient,
    };
    const owner = ownerOf("a");
    await breakWrites(shard, when, (nth) => nth === 1 || nth === 3);
    await expectFailure(() => shard.begin({ ...asked, owner }));
    const begun = await shard.begin({ ...asked, owner });
    if (begun.kind !== "granted") throw new Error(begun.kind);
    const { fence } = begun.grant;
    const content = { status: 201, headers: [], body: new Uint8Array([1, 2, 3]) };
    const over = { ...asked, owner, fence, outcome: { kind: "keep", content } } as const;
    await expectFailure(() => shard.finish(over));
    await shard.finish(over);
    const later = await shard.begin({ ...asked, owner: ownerOf("b") });
    expect(later).toEqual({ kind: "replay", content });
  });

  test("[LOCK-17] a crowd through failing writes: never two at once, fences rise", async () => {
    const names = namesOfOneShard(3);
    const shard = shardFor(names[0]!);
    const mend = await breakWrites(shard, when, everyThird);
    const inside = new Map<LockName, number>();
    const fences = new Map<LockName, number[]>(names.map((name) => [name, []]));
    const live = async (name: LockName, owner: string): Promise<void> => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const who = `${owner}-${round}`;
        const { fence } = await insistently(async () =>
          grantIn(await acquire(name, who, { waitMs: 20_000 })),
        );
        fences.get(name)!.push(fence);
        inside.set(name, (inside.get(name) ?? 0) + 1);
        expect(inside.get(name)).toBe(1);
        await scheduler.wait(1);
        inside.set(name, 0);
        await insistently(() => release(name, who));
      }
    };
    await Promise.all(names.flatMap((name) => OWNERS.map((owner) => live(name, owner))));
    mend();
    for (const given of fences.values()) {
      expect(given).toHaveLength(ROUNDS * OWNERS.length);
      expect(given).toEqual([...new Set(given)].toSorted((a, b) => a - b));
    }
    expect((await shard.list("crowd", 10)).rows).toEqual([]);
  });
});

const OWNERS = ["a", "b", "c", "d"];
const ROUNDS = 4;

const namesOfOneShard = (count: number): LockName[] => {
  const salt = crypto.randomUUID();
  const names = Array.from({ length: 64 * count * 4 }, (_, i) => nameOf(`${salt}-${i}`, "crowd"));
  const shard = shardOf(names[0]!);
  return names.filter((name) => shardOf(name) === shard).slice(0, count);
};
