import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { expect, test } from "vitest";
import type { AnswerClient } from "../../src/core/locks/answers.ts";
import type { Locks } from "../../src/durable/locks/locks.ts";
import { eventually } from "../support/eventually.ts";
import { acquire, grantIn, LockEar, newLock, ownerOf, release } from "./locks-objects.ts";

test("[LOCK-4] one gets it, the other is refused at once, and the lock still stands", async () => {
  const { name } = newLock();
  const hold = grantIn(await acquire(name, "a"));
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  expect(await release(name, "b")).toBe(false);
  expect(grantIn(await acquire(name, "a")).fence).toBe(hold.fence);
  expect(await release(name, "a")).toBe(true);
  expect(grantIn(await acquire(name, "b")).fence).toBeGreaterThan(hold.fence);
});

test("[WAIT-2] a call that waits is answered as soon as the lock is free", async () => {
  const { name, shard } = newLock();
  await acquire(name, "a");
  const waits = ["b", "c", "d"].map((owner) => acquire(name, owner, { waitMs: 10_000 }));
  const order: string[] = [];
  await eventually(async () => {
    const { rows } = await shard.list("orders", 1_000);
    expect(rows.find(({ key }) => name.endsWith(key))).toMatchObject({ waiting: 3 });
  });
  await release(name, "a");
  for (const [index, owner] of ["b", "c", "d"].entries()) {
    grantIn((await waits[index])!);
    order.push(owner);
    await release(name, owner);
  }
  expect(order).toEqual(["b", "c", "d"]);
});

test("[WAIT-3] a call that has waited long enough is told so, punctually", async () => {
  const { name } = newLock();
  await acquire(name, "a");
  const began = Date.now();
  expect(await acquire(name, "b", { waitMs: 300 })).toMatchObject({ kind: "held" });
  expect(Date.now() - began).toBeGreaterThanOrEqual(299);
  expect(Date.now() - began).toBeLessThan(2_000);
});

test("[WAIT-4] a call of the same owner takes the older one's place", async () => {
  const { name } = newLock();
  await acquire(name, "a");
  const older = acquire(name, "b", { waitMs: 10_000 });
  const newer = acquire(name, "b", { waitMs: 10_000 });
  expect(await older).toEqual({ kind: "taken-over" });
  await release(name, "a");
  expect(await newer).toMatchObject({ kind: "granted" });
});

test("[WAIT-8] a client that has gone leaves the line, and gives back what it just got", async () => {
  const { name, shard } = newLock();
  await acquire(name, "a");
  const gone = acquire(name, "b", { waitMs: 10_000, ask: "ask-1" });
  const waits = acquire(name, "c", { waitMs: 10_000 });
  await shard.abandonAcquire({ name, owner: ownerOf("b"), ask: "ask-1" });
  expect(await gone).toEqual({ kind: "taken-over" });
  await release(name, "a");
  grantIn(await waits);
  await acquire(name, "c", { ask: "ask-2" });
  await shard.abandonAcquire({ name, owner: ownerOf("c"), ask: "ask-1" });
  expect(await acquire(name, "d")).toMatchObject({ kind: "held" });
  await shard.abandonAcquire({ name, owner: ownerOf("c"), ask: "ask-2" });
  expect(await acquire(name, "d")).toMatchObject({ kind: "granted" });
});

test("[WAIT-8] an owner that was made up for a call is its last, until it asks anew", async () => {
  const { name, shard } = newLock();
  const owner = ownerOf("made-up");
  const first = { name, owner, ask: owner };
  await acquire(name, "made-up", { ask: owner });
  await acquire(name, "made-up", { ask: "ask-2" });
  await shard.abandonAcquire(first);
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  await shard.abandonAcquire({ ...first, ask: "ask-2" });
  await acquire(name, "made-up-too", { ask: ownerOf("made-up-too") });
  await evictDurableObject(shard as never);
  const too = { name, owner: ownerOf("made-up-too"), ask: ownerOf("made-up-too") };
  await shard.abandonAcquire(too);
  expect(await acquire(name, "b")).toMatchObject({ kind: "granted" });
});

test("[FENCE-2] an evicted shard keeps its holders, and its fences rise", async () => {
  const { name, shard } = newLock();
  const hold = grantIn(await acquire(name, "a"));
  await evictDurableObject(shard as never);
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  await release(name, "a");
  await evictDurableObject(shard as never);
  expect(grantIn(await acquire(name, "b")).fence).toBeGreaterThan(hold.fence);
});

test("[DROP-1] sockets hold and wait in line; a clean close passes the lock on", async () => {
  const { name } = newLock();
  const a = await LockEar.open(name, "a");
  expect(await a.heard("granted")).toMatchObject({ owner: ownerOf("a") });
  const b = await LockEar.open(name, "b");
  expect(await b.heard("waiting")).toEqual({ type: "waiting", ahead: 0 });
  const c = await LockEar.open(name, "c");
  expect(await c.heard("waiting")).toEqual({ type: "waiting", ahead: 1 });
  a.close();
  const granted = await b.heard("granted");
  expect(granted["fence"]).toBeGreaterThan((await a.heard("granted"))["fence"] as number);
  await eventually(() => expect(c.messages).toContainEqual({ type: "waiting", ahead: 0 }));
  b.close();
  await c.heard("granted");
  c.close();
});

test("[DROP-2] a hibernating shard keeps sockets, holder and line", async () => {
  const { name, shard } = newLock();
  const a = await LockEar.open(name, "a");
  const b = await LockEar.open(name, "b");
  await a.heard("granted");
  await b.heard("waiting");
  await evictDurableObject(shard as never, { webSockets: "hibernate" });
  expect(await acquire(name, "c")).toMatchObject({ kind: "held" });
  a.close();
  await b.heard("granted");
  b.close();
});

test("[DROP-3] the owner's new socket takes over, and the older one is told", async () => {
  const { name } = newLock();
  const first = await LockEar.open(name, "a");
  const { fence } = await first.heard("granted");
  const second = await LockEar.open(name, "a");
  expect(await second.heard("granted")).toMatchObject({ fence });
  await eventually(() => expect(first.closed).toEqual({ code: 4409, reason: "taken-over" }));
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  second.close();
});

test("[DROP-5] a socket says ping and nothing else", async () => {
  const { name } = newLock();
  const a = await LockEar.open(name, "a");
  await a.heard("granted");
  a.say("ping");
  await a.heard("pong");
  a.say("{".repeat(100_000));
  await eventually(() => expect(a.closed).toEqual({ code: 4400, reason: "bad-message" }));
  // A loss, not a clean close: the lock waits for its owner.
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  const back = await LockEar.open(name, "a");
  await back.heard("granted");
  back.close();
});

test("[DROP-4] a close that is not clean leaves the lock to its owner for the lock-delay", async () => {
  const { name, shard } = newLock();
  const a = await LockEar.open(name, "a");
  const { fence } = await a.heard("granted");
  a.close(4_000);
  await eventually(async () => {
    const { rows } = await shard.list("orders", 1_000);
    expect(rows.find(({ key }) => name.endsWith(key))).toMatchObject({ state: "lost" });
  });
  expect(await acquire(name, "b")).toMatchObject({ kind: "held" });
  const back = await LockEar.open(name, "a");
  expect(await back.heard("granted")).toMatchObject({ fence });
  back.close();
});

test("[DROP-6] a socket that has been silent for 30 s is closed, and its lock lost", async () => {
  const { name, shard } = newLock();
  const a = await LockEar.open(name, "a");
  const talker = await LockEar.open(name, "b");
  await a.heard("granted");
  await talker.heard("waiting");
  await runInDurableObject(shard as never, (_: Locks, state: DurableObjectState) => {
    for (const socket of state.getWebSockets()) {
      const seat = socket.deserializeAttachment() as { owner: string; openedAt: number };
      const silentMs = seat.owner === ownerOf("a") ? 30_000 : 29_000;
      socket.serializeAttachment({ ...seat, openedAt: Date.now() - silentMs });
    }
  });
  await evictDurableObject(shard as never, { webSockets: "hibernate" });
  await runInDurableObject(shard as never, (locks: Locks) => locks.alarm());
  await eventually(() => expect(a.closed).toEqual({ code: 4408, reason: "silent" }));
  expect(talker.closed).toBeNull();
  talker.close();
});

test("[LOCK-13] a list of one shard shows no secret", async () => {
  const { name, shard } = newLock();
  await acquire(name, "a");
  const listed = await shard.list("orders", 1_000);
  expect(listed.rows.some(({ key }) => name.endsWith(key))).toBe(true);
  expect(JSON.stringify(listed)).not.toContain("owner");
  expect(await shard.list("\u0000", 10)).toMatchObject({ rows: [] });
});

const asked = {
  owner: ownerOf("a"),
  leaseMs: 30_000,
  waitMs: 0,
  fingerprint: "f",
  client: 1 as AnswerClient,
  retentionMs: 3_600_000,
};

test("[IDEM-2] a kept answer comes back byte for byte, also from an evicted shard", async () => {
  const { name, shard } = newLock();
  const first = await shard.begin({ ...asked, name });
  if (first.kind !== "granted") throw new Error(first.kind);
  const later = shard.begin({ ...asked, name, owner: ownerOf("b"), waitMs: 10_000 });
  const content = {
    status: 201,
    headers: [["content-type", "text/plain"]] as [string, string][],
    body: new Uint8Array([1, 2, 3]),
  };
  const { fence } = first.grant;
  await shard.finish({ ...asked, name, fence, outcome: { kind: "keep", content } });
  expect(await later).toEqual({ kind: "replay", content });
  await evictDurableObject(shard as never);
  expect(await shard.begin({ ...asked, name, owner: ownerOf("c") })).toEqual({
    kind: "replay",
    content,
  });
  const other = await shard.begin({ ...asked, name, fingerprint: "other" });
  expect(other).toEqual({ kind: "mismatch" });
});
