import { expect, test } from "vitest";
import { granted, LEASE, nameOf, ownerOf, SECOND, sessionOf, World } from "./world.ts";

test("[WAIT-1] whoever came first is next, by socket and by lease alike", () => {
  const world = new World();
  world.hold("17", "a");
  expect(world.open("17", "b")).toMatchObject({ kind: "waiting", ahead: 0 });
  const mode = { waitMs: 60 * SECOND };
  expect(world.acquire("17", "c", mode)).toMatchObject({ kind: "waiting", ahead: 1 });
  expect(world.open("17", "d")).toMatchObject({ kind: "waiting", ahead: 2 });
  world.release("17", "a");
  expect(world.justGranted).toEqual(["b"]);
  world.close("b");
  expect(world.justGranted).toEqual(["c"]);
  world.now += LEASE + 10_000;
  world.tick();
  expect(world.justGranted).toEqual(["d"]);
});

test("[WAIT-2] the next one gets it in the same step, with a lease from then", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 60 * SECOND, leaseMs: 7 * SECOND });
  world.now += 5 * SECOND;
  world.release("17", "a");
  expect(world.told).toMatchObject([
    {
      to: { name: nameOf("17"), owner: ownerOf("b"), session: null },
      event: "granted",
      grant: { grantedAt: world.now, leaseUntil: world.now + 7 * SECOND },
    },
  ]);
  expect(world.last?.changes).toMatchObject([{ put: "lock", holder: { owner: ownerOf("b") } }]);
});

test.each([
  [4_999, []],
  [5_000, ["timed-out"]],
])("[WAIT-3] a wait of 5 s after %i ms: %j", (ms, events) => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 5 * SECOND });
  expect(world.wakeAt).toBe(world.now + 5 * SECOND);
  world.tick(ms);
  expect(world.told.map(({ event }) => event)).toEqual(events);
});

test("[WAIT-3] who has waited too long is told when to ask again, and the shard sleeps on", () => {
  const world = new World();
  const { leaseUntil } = world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 5 * SECOND });
  world.tick(5 * SECOND);
  expect(world.told).toMatchObject([{ event: "timed-out", retryAfterMs: 10_000 }]);
  expect(world.wakeAt).toBe(leaseUntil! + 10 * SECOND);
});

test("[WAIT-3] also when the lock becomes free at that very moment: then at once", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: LEASE + 10 * SECOND });
  world.tick(LEASE + 10 * SECOND);
  expect(world.told).toMatchObject([
    { to: { owner: ownerOf("b") }, event: "timed-out", retryAfterMs: 1_000 },
  ]);
  expect(world.told).toHaveLength(1);
  expect(world.acquire("17", "b").kind).toBe("granted");
});

test("[WAIT-3] the wait that was asked for last counts, and one that is given up wakes nobody", () => {
  const world = new World();
  world.open("17", "a");
  world.acquire("17", "b", { waitMs: 20 * SECOND });
  world.acquire("17", "b", { waitMs: 5 * SECOND });
  expect(world.wakeAt).toBe(world.now + 5 * SECOND);
  world.release("17", "b");
  expect(world.wakeAt).toBeNull();
});

test("[WAIT-3] who has waited too long does not get what becomes free at that moment", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 5 * SECOND });
  world.open("17", "c");
  world.now += 5 * SECOND;
  world.release("17", "a");
  expect(world.justGranted).toEqual(["c"]);
});

test("[WAIT-4] the same owner keeps its place, and the older question ends", () => {
  const world = new World();
  world.hold("17", "a");
  world.open("17", "b", "b1");
  world.open("17", "c");
  expect(world.open("17", "b", "b2")).toMatchObject({ kind: "waiting", ahead: 0 });
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("b1") } }]);
  world.close("b1", false);
  world.acquire("17", "b", { waitMs: SECOND });
  expect(world.state.sessions.size).toBe(1);
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("b2") } }]);
  world.acquire("17", "b", { waitMs: 2 * SECOND });
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: null } }]);
  world.release("17", "a");
  expect(world.justGranted).toEqual(["b"]);
});

test("[WAIT-4] an owner that does not want to wait any more leaves the line", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 60 * SECOND });
  expect(world.acquire("17", "b").kind).toBe("held");
  expect(world.told).toMatchObject([{ event: "taken-over", to: { owner: ownerOf("b") } }]);
  world.open("17", "c");
  expect(world.release("17", "c")).toBe("released");
  expect(world.told).toMatchObject([{ event: "taken-over", to: { session: sessionOf("c") } }]);
  world.release("17", "a");
  expect(world.justGranted).toEqual([]);
});

test("[WAIT-5] who leaves the line is not served, and a release while waiting leaves it", () => {
  const world = new World();
  world.hold("17", "a");
  world.open("17", "b");
  world.acquire("17", "c", { waitMs: 60 * SECOND });
  world.open("17", "d");
  world.close("b", false);
  expect(world.release("17", "c")).toBe("released");
  world.release("17", "a");
  expect(world.justGranted).toEqual(["d"]);
});

test("[WAIT-5] one socket of a line closes: that one leaves, and nobody else", () => {
  const world = new World();
  world.hold("17", "a");
  world.acquire("17", "b", { waitMs: 3_600_000 });
  for (const who of ["c", "d", "e"]) world.open("17", who);
  world.close("d", false);
  for (const [before, next] of ["a", "b", "c"].map((who, i) => [who, ["b", "c", "e"][i]])) {
    world.release("17", before!);
    expect(world.justGranted).toEqual([next]);
  }
});

test("[WAIT-2] whoever watches a lock hears of each that was given back or lost for good", () => {
  const world = new World();
  world.hold("17", "a");
  world.renew("17", "a");
  expect(world.last?.freed).toEqual(new Set());
  world.release("17", "a");
  expect(world.last?.freed).toEqual(new Set([nameOf("17")]));
  world.hold("17", "a");
  world.tick(LEASE);
  expect(world.last?.freed).toEqual(new Set());
  world.tick(10 * SECOND);
  expect(world.last?.freed).toEqual(new Set([nameOf("17")]));
});

test("[WAIT-7] only sockets are told, and only those that have moved", () => {
  const world = new World();
  world.open("17", "a");
  for (const who of ["b", "c"]) world.open("17", who);
  world.acquire("17", "d", { waitMs: 3_600_000 });
  world.open("17", "e");
  world.close("c");
  expect(world.told).toMatchObject([{ event: "moved", ahead: 2, to: { owner: ownerOf("e") } }]);
  expect(world.told).toHaveLength(1);
});

test("[WAIT-7] near the head each move is told; far back each quarter of the way", () => {
  const world = new World();
  world.open("17", "w0");
  for (let i = 1; i <= 101; i += 1) world.open("17", `w${i}`);
  const heard: number[] = [];
  for (let i = 0; i <= 100; i += 1) {
    world.close(`w${i}`);
    for (const told of world.told)
      if (told.event === "moved" && told.to.owner === ownerOf("w101")) heard.push(told.ahead);
  }
  expect(heard).toEqual([75, 56, 42, 31, 23, 17, 12, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
});

test("[FENCE-1] each grant's fence is higher than every one before it in the shard", () => {
  const world = new World();
  const fences = ["17", "18", "17", "19", "18"].map((key) => {
    const { fence } = world.hold(key, "a");
    world.release(key, "a");
    return fence;
  });
  expect(fences).toEqual(fences.toSorted((a, b) => a - b));
  expect(new Set(fences).size).toBe(5);
});

test.each([1, 1_023, 1_024, 1_025])("[FENCE-2] after %i grants and a crash it still rises", (n) => {
  const world = new World();
  let last = 0;
  for (let i = 0; i < n; i += 1) {
    last = world.hold("17", "a").fence;
    world.release("17", "a");
  }
  world.crash();
  expect(world.hold("17", "a").fence).toBeGreaterThan(last);
});

test("[FENCE-2] fences are reserved by 1,024, so that the head is seldom written", () => {
  const world = new World();
  const reserved: number[] = [];
  for (let i = 1; i <= 2_049; i += 1) {
    if (i % 1_000 === 0) world.now += SECOND;
    world.hold("17", "a");
    for (const change of world.last?.changes ?? [])
      if ("put" in change && change.put === "head") reserved.push(i, change.head.fencesReserved);
    world.release("17", "a");
  }
  expect(reserved).toEqual([1, 1_024, 1_025, 2_048, 2_049, 3_072]);
});

test("[FENCE-2] a grant that was not written was not given", () => {
  const world = new World();
  const { fence } = world.hold("18", "a");
  const mode = { by: "lease", leaseMs: LEASE, waitMs: 0 } as const;
  world.runLost({ type: "acquire", name: nameOf("17"), owner: ownerOf("a"), mode });
  expect(granted(world.acquire("17", "b")).fence).toBeGreaterThan(fence);
});
