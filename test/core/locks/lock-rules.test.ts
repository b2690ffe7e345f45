import { expect, test } from "vitest";
import { CALLS_PER_SECOND_MAX } from "../../../src/core/locks/call-counts.ts";
import { restoreLocks } from "../../../src/core/locks/state.ts";
import { instant } from "../../../src/core/time.ts";
import { granted, LEASE, SECOND, World } from "./world.ts";

test("[LOCK-4] a free lock is granted at once, with a lease from now", () => {
  const world = new World();
  const reply = world.acquire("17", "a");
  expect(reply).toMatchObject({ kind: "granted", isNew: true });
  expect(granted(reply)).toMatchObject({ grantedAt: world.now, leaseUntil: world.now + LEASE });
});

test("[LOCK-5] a held lock is refused at once to who does not wait, and still stands", () => {
  const world = new World();
  const first = world.hold("17", "a");
  expect(world.acquire("17", "b")).toMatchObject({ kind: "held" });
  expect(world.last?.changes).toEqual([]);
  expect(granted(world.acquire("17", "a")).fence).toBe(first.fence);
});

test("[LOCK-5] other keys are other locks", () => {
  const world = new World();
  world.hold("17", "a");
  expect(world.acquire("18", "b").kind).toBe("granted");
});

test.each([
  [LEASE - 1, 1_000],
  [LEASE - 5_000, 5_000],
  [1, 10_000],
  [LEASE + 2_000, 8_000],
  [LEASE + 9_999, 1_000],
])("[LOCK-5] after %i ms a refused one is told to come back in %i", (ms, retryAfterMs) => {
  const world = new World();
  world.hold("17", "a");
  world.now += ms;
  expect(world.acquire("17", "b")).toEqual({ kind: "held", retryAfterMs });
});

test("[LOCK-6] the owner who asks again has what it had: same fence, a lease from now", () => {
  const world = new World();
  const first = world.hold("17", "a");
  world.now += 5 * SECOND;
  const again = world.acquire("17", "a");
  expect(again).toMatchObject({ kind: "granted", isNew: false });
  expect(granted(again)).toEqual({ ...first, leaseUntil: world.now + LEASE });
});

test.each([
  [LEASE - 1, "granted"],
  [LEASE + 9_999, "granted"],
  [LEASE + 10_000, "not-yours"],
])("[LOCK-7] a renewal %i ms after the grant: %s", (ms, kind) => {
  const world = new World();
  world.hold("17", "a");
  world.now += ms;
  const reply = world.renew("17", "a", 5 * SECOND);
  expect(reply.kind).toBe(kind);
  if (reply.kind !== "granted") return;
  expect([reply.isNew, reply.grant.leaseUntil]).toEqual([false, world.now + 5 * SECOND]);
});

test("[LOCK-8] a release frees at once, and asked again it answers the same", () => {
  const world = new World();
  world.hold("17", "a");
  expect(world.release("17", "a")).toBe("released");
  expect(world.release("17", "a")).toBe("released");
  expect(world.acquire("17", "b").kind).toBe("granted");
  expect(world.release("17", "a")).toBe("not-yours");
});

test("[LOCK-9] a refused one's release, a foreign release and a foreign renewal change nothing", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b");
  expect(world.release("17", "b")).toBe("not-yours");
  expect(world.renew("17", "b").kind).toBe("not-yours");
  expect(world.acquire("17", "c").kind).toBe("held");
  expect(world.release("18", "b")).toBe("not-yours");
});

test("[LOCK-9] a foreign release takes nobody out of the line", () => {
  const world = new World();
  world.hold("17", "a");
  world.open("17", "b");
  expect(world.release("17", "c")).toBe("not-yours");
  world.release("17", "a");
  expect(world.justGranted).toEqual(["b"]);
});

test("[LOCK-5] behind a socket nobody knows for how long: it is told to come back in 2 s", () => {
  const world = new World();
  world.open("17", "a");
  expect(world.acquire("17", "b")).toEqual({ kind: "held", retryAfterMs: 2_000 });
});

test("[LOCK-9] a release after the loss says so", () => {
  const world = new World();
  world.hold("17", "a");
  world.tick(LEASE + 10_000);
  expect(world.release("17", "a")).toBe("not-yours");
});

test("[LOCK-12] one namespace has its number of calls in a second, and the next second as many", () => {
  const world = new World();
  world.now += 250;
  for (let i = 0; i < CALLS_PER_SECOND_MAX; i += 1) world.acquire("17", "a");
  expect(world.acquire("17", "a")).toEqual({
    kind: "refused",
    refusal: "too-many-calls",
    retryAfterMs: 750,
  });
  expect(world.release("17", "a")).toBe("released");
  world.now += 749;
  expect(world.acquire("17", "a").kind).toBe("refused");
  world.now += 1;
  expect(world.acquire("17", "a").kind).toBe("granted");
});

test("[LOCK-13] the list shows holders, waiters and their ages, and no secret", () => {
  const world = new World();
  const hold = world.hold("17", "a");
  world.now += SECOND;
  world.open("18", "b");
  world.open("18", "c");
  world.now += SECOND;
  world.open("18", "d");
  world.acquire("17", "e", { waitMs: 5 * SECOND });
  const { rows, locks, waiting } = world.list();
  expect({ locks, waiting }).toEqual({ locks: 2, waiting: 3 });
  expect(rows).toEqual([
    {
      key: "17",
      state: "held",
      by: "lease",
      fence: hold.fence,
      heldSince: hold.grantedAt,
      leaseUntil: hold.leaseUntil,
      waiting: 1,
      waitingSince: world.now,
    },
    {
      key: "18",
      state: "held",
      by: "socket",
      fence: hold.fence + 1,
      heldSince: world.now - SECOND,
      leaseUntil: null,
      waiting: 2,
      waitingSince: world.now - SECOND,
    },
  ]);
  expect(JSON.stringify(rows)).not.toContain("owner");
  expect(world.list("other")).toEqual({ rows: [], locks: 0, waiting: 0 });
  expect(world.list("orders", 1).rows).toHaveLength(1);
});

test("[LOCK-13] the list goes by keys, however they came, and shows the first of too many", () => {
  const world = new World();
  for (const key of ["c", "a", "d", "b"]) world.hold(key, "x");
  const keys = (rowsMax: number) => world.list("orders", rowsMax).rows.map(({ key }) => key);
  expect(keys(4)).toEqual(["a", "b", "c", "d"]);
  expect(keys(2)).toEqual(["a", "b"]);
  expect(world.list("orders", 2).locks).toBe(4);
});

test("[LOCK-13] in its lock-delay a lock shows as lost, by lease or by socket", () => {
  const world = new World();
  const { fence } = world.hold("17", "a");
  world.open("18", "b");
  world.now += LEASE - 1;
  expect(world.list().rows).toMatchObject([{ state: "held" }, { state: "held" }]);
  world.now += 1;
  world.close("b", false);
  expect(world.list().rows).toMatchObject([
    { key: "17", state: "lost", by: "lease", fence, leaseUntil: world.now, waitingSince: null },
    { key: "18", state: "lost", by: "lease", fence: fence + 1, leaseUntil: world.now },
  ]);
});

test("[LOCK-14] a lease ends by the shard's clock, which never runs back", () => {
  const world = new World();
  const hold = world.hold("17", "a");
  world.now -= 3_600_000;
  expect(world.acquire("17", "b").kind).toBe("held");
  world.now += LEASE + 9_000;
  expect(world.acquire("17", "b").kind).toBe("held");
  world.now += 2 * SECOND;
  const next = world.hold("17", "b");
  expect(next.fence).toBeGreaterThan(hold.fence);
  expect(next.grantedAt).toBeGreaterThan(hold.grantedAt);
});

test("[LOCK-14] nor over a crash: it goes on from the latest grant, whichever that is", () => {
  const world = new World();
  const holds = [0, 9 * SECOND, 1].map((ms, i) => {
    world.now += ms;
    return world.hold(`${i}`, "a");
  });
  const [first, second, third] = [...world.store.load().holders];
  world.now -= 3_600_000;
  for (const holders of [
    [first!, second!, third!],
    [third!, first!, second!],
    [second!, third!, first!],
  ]) {
    const state = restoreLocks({ head: null, holders, stocks: [], moved: [] }, [], world.now);
    expect(state.clock.toJSON()).toBe(holds[2]!.grantedAt);
  }
  const clock = instant(holds[2]!.grantedAt + 5 * SECOND);
  const head = { fencesReserved: holds[2]!.fence, clock };
  const state = restoreLocks({ head, holders: [first!], stocks: [], moved: [] }, [], world.now);
  expect(state.clock.toJSON()).toBe(clock);
});

test("[LOCK-6] asked again over the same socket, nobody is taken over", () => {
  const world = new World();
  world.open("17", "a");
  world.open("17", "b");
  for (const who of ["a", "b"]) {
    world.open("17", who);
    expect(world.told).toEqual([]);
  }
  world.close("a");
  expect(world.justGranted).toEqual(["b"]);
  world.close("b");
  expect(world.state.locks.size).toBe(0);
});
