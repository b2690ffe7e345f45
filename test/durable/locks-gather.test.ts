import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { describe, expect, test } from "vitest";
import { ALL_SHARDS, shardOf, type LockName } from "../../src/core/locks/name.ts";
import type { AnswerClient } from "../../src/core/locks/answers.ts";
import type { LockAsk, LockReply } from "../../src/durable/locks/contract.ts";
import { eventually } from "../support/eventually.ts";
import {
  acquire,
  breakWrites,
  grantIn,
  LockEar,
  locksObjects,
  nameOf,
  newLock,
  ownerOf,
  release,
  shardFor,
  type Fault,
} from "./locks-objects.ts";

const all = () => locksObjects.getByName(ALL_SHARDS);

/** Locks of the same shard as a fresh one. */
const newLocks = (count: number): LockName[] => {
  const { name } = newLock();
  const names = [name];
  for (let i = 0; names.length < count; i += 1) {
    const other = nameOf(`${name.slice(-36)}-${i}`);
    if (shardOf(other) === shardOf(name)) names.push(other);
  }
  return names;
};

const toAcquire = (name: LockName, owner: string, waitMs = 0): LockAsk & { op: "acquire" } => ({
  op: "acquire",
  name,
  owner: ownerOf(owner),
  leaseMs: 30_000,
  waitMs,
  ask: `ask-of-${owner}`,
});
const toRelease = (name: LockName, owner: string): LockAsk => ({
  op: "release",
  name,
  owner: ownerOf(owner),
});

const askAll = (shard: unknown, asks: readonly LockAsk[]): Promise<readonly LockReply[]> =>
  (shard as { askAll(asks: readonly LockAsk[]): Promise<readonly LockReply[]> }).askAll(asks);
const kindsOf = (replies: readonly LockReply[]): string[] => replies.map(({ kind }) => kind);

describe("many asks in one call", () => {
  test("[JOINT-2] each is granted or refused on its own, in their order", async () => {
    const [one, two] = newLocks(2) as [LockName, LockName];
    await acquire(two, "z");
    const replies = await askAll(shardFor(one), [
      toAcquire(one, "a"),
      toAcquire(two, "b"),
      toAcquire(one, "c"),
      toRelease(one, "a"),
      toAcquire(one, "d"),
      toRelease(two, "b"),
    ]);
    const kinds = ["granted", "held", "held", "released", "granted", "not-yours"];
    expect(kindsOf(replies)).toEqual(kinds);
    const fences = replies.flatMap((reply) => ("grant" in reply ? [reply.grant.fence] : []));
    expect(fences[1]).toBeGreaterThan(fences[0]!);
  });

  test("[JOINT-2] a run that begins and ends in one call is on record, and is replayed in it", async () => {
    const { name, shard } = newLock();
    const asked = { name, leaseMs: 30_000, retentionMs: 3_600_000 };
    const client = 1 as AnswerClient;
    const begin = (owner: string): LockAsk => ({
      ...{ ...asked, op: "begin", owner: ownerOf(owner) },
      ...{ waitMs: 0, fingerprint: "f", client },
    });
    const content = { status: 201, headers: [], body: new Uint8Array([7]) };
    const replies = await askAll(shard, [
      begin("a"),
      begin("b"),
      {
        ...{ ...asked, op: "finish", owner: ownerOf("a") },
        ...{ fence: null, outcome: { kind: "keep", content } },
      },
      begin("c"),
    ]);
    expect(kindsOf(replies)).toEqual(["granted", "running", "released", "replay"]);
    expect(replies[3]).toEqual({ kind: "replay", content });
  });

  test.each<Fault>(["before", "during", "after"])(
    "[JOINT-3] a write that fails %s: nobody of the call is answered, and all ask again",
    async (when) => {
      const names = newLocks(3);
      const shard = shardFor(names[0]!);
      const ear = await LockEar.open(names[0]!, "socket");
      const fence = (await ear.heard("granted"))["fence"] as number;
      const waiting = await LockEar.open(names[0]!, "next");
      await waiting.heard("waiting");
      await breakWrites(shard, when, (nth) => nth === 1);
      const asks = [
        toRelease(names[0]!, "socket"),
        ...names.slice(1).map((n) => toAcquire(n, "a")),
      ];
      await expect((async () => await askAll(shard, asks))()).rejects.toThrow(/disk|machine/);
      // What was not answered is done at most once, whoever asks again.
      const again = await askAll(shard, asks);
      expect(kindsOf(again).slice(1)).toEqual(["granted", "granted"]);
      expect((await waiting.heard("granted"))["fence"]).toBeGreaterThan(fence);
      expect(await acquire(names[1]!, "b")).toMatchObject({ kind: "held" });
      for (const socket of [ear, waiting]) socket.close();
    },
  );

  test("[JOINT-4] who has to wait stands in line at once, and hears by a call of its own", async () => {
    const { name, shard } = newLock();
    await acquire(name, "a");
    const b = toAcquire(name, "b", 20_000);
    const c = toAcquire(name, "c", 20_000);
    expect(kindsOf(await askAll(shard, [b, c]))).toEqual(["waiting", "waiting"]);
    // It comes for its answer after the one behind it, and after it was granted.
    const heard: string[] = [];
    const late = shard.acquire(c).then((reply) => heard.push(`c ${reply.kind}`));
    await release(name, "a");
    expect(await acquire(name, "d")).toMatchObject({ kind: "held" });
    const grant = (await shard.acquire(b)) as { isNew: boolean; kind: string };
    heard.push(`b ${grant.kind}`);
    expect(grant.isNew).toBe(true);
    await release(name, "b");
    await late;
    expect(heard).toEqual(["b granted", "c granted"]);
  });

  test("[JOINT-4] the shard died before it came for its answer: it stands in line anew", async () => {
    const { name, shard } = newLock();
    await acquire(name, "a");
    // The object goes only once its timers have ended.
    const b = toAcquire(name, "b", 1_000);
    await askAll(shard, [b]);
    await evictDurableObject(shard as never);
    const heard = shard.acquire(b);
    await eventually(async () =>
      expect((await shard.list("orders", 1_000)).rows.some(({ waiting }) => waiting > 0)).toBe(
        true,
      ),
    );
    await release(name, "a");
    expect(await heard).toMatchObject({ kind: "granted" });
  });

  test("[JOINT-4] its place is taken over by the same owner's next call", async () => {
    const { name, shard } = newLock();
    await acquire(name, "a");
    const first = toAcquire(name, "b", 20_000);
    const second = { ...first, ask: "another-ask" };
    expect(kindsOf(await askAll(shard, [first, second]))).toEqual(["waiting", "waiting"]);
    expect(await shard.acquire(first)).toEqual({ kind: "taken-over" });
    await release(name, "a");
    expect(await shard.acquire(second)).toMatchObject({ kind: "granted", isNew: true });
  });
});

describe("all shards in one object", () => {
  test("[MOVE-2] a shard comes with the first question about one of its locks", async () => {
    const [held, free] = newLocks(2) as [LockName, LockName];
    const hold = grantIn(await acquire(held, "a"));
    const replies = await askAll(all(), [toAcquire(held, "b"), toAcquire(free, "b")]);
    expect(kindsOf(replies)).toEqual(["held", "granted"]);
    expect(await all().renew({ name: held, owner: ownerOf("a"), leaseMs: 60_000 })).toMatchObject({
      kind: "granted",
      grant: { fence: hold.fence },
    });
    await evictDurableObject(all() as never);
    expect(await all().release({ name: held, owner: ownerOf("a") })).toBe(true);
    const next = grantIn((await all().acquire(toAcquire(held, "c"))) as never);
    expect(next.fence).toBeGreaterThan(hold.fence);
  });

  test("[MOVE-3] the one of all shards dies between the two writes: nothing is lost", async () => {
    const { name, shard } = newLock();
    const hold = grantIn(await acquire(name, "a"));
    // It asked, the shard left and said so, and nobody heard it.
    await shard.leave();
    await breakWrites(all(), "before", (nth) => nth === 1);
    await expect((async () => await all().acquire(toAcquire(name, "b")))()).rejects.toThrow(/disk/);
    expect(await all().acquire(toAcquire(name, "b"))).toMatchObject({ kind: "held" });
    expect(await all().acquire(toAcquire(name, "a"))).toMatchObject({
      kind: "granted",
      grant: { fence: hold.fence },
    });
  });

  test("[MOVE-4] a shard with a socket stays, and is asked where it is", async () => {
    const [held, free] = newLocks(2) as [LockName, LockName];
    const ear = await LockEar.open(held, "a");
    await ear.heard("granted");
    const replies = await askAll(all(), [toAcquire(held, "b"), toAcquire(free, "b")]);
    expect(kindsOf(replies)).toEqual(["held", "granted"]);
    expect(await acquire(free, "c")).toMatchObject({ kind: "held" });
    expect(ear.closed).toBeNull();
    ear.close();
  });

  test("[MOVE-5] once it has left, its own object hands everything on", async () => {
    const { name, shard } = newLock();
    await all().acquire(toAcquire(name, "a"));
    expect(kindsOf(await askAll(shard, [toAcquire(name, "b")]))).toEqual(["held"]);
    expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
    expect(await release(name, "a")).toBe(true);
    const ear = await LockEar.open(name, "c");
    await ear.heard("granted");
    expect(await all().acquire(toAcquire(name, "d"))).toMatchObject({ kind: "held" });
    ear.close();
    await eventually(async () =>
      expect(await all().acquire(toAcquire(name, "d"))).toMatchObject({ kind: "granted" }),
    );
    const isEmpty = await runInDurableObject(shard as never, (_: unknown, { storage }) =>
      storage.sql.exec("SELECT count(*) AS locks FROM lock").one(),
    );
    expect(isEmpty).toEqual({ locks: 0 });
  });

  test("[MOVE-6] a list shows the locks of both, each once", async () => {
    const namespace = crypto.randomUUID();
    const names = Array.from({ length: 12 }, (_, i) => nameOf(String(i), namespace));
    for (const name of names.slice(0, 6)) await all().acquire(toAcquire(name, "a"));
    for (const name of names.slice(6)) await acquire(name, "a");
    const { rows, locks } = await all().list(namespace, 100);
    expect(locks).toBe(12);
    expect(rows.map(({ key }) => key).toSorted((a, b) => Number(a) - Number(b))).toEqual(
      names.map((_, i) => String(i)),
    );
  });
});
