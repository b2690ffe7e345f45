import { expect, test } from "vitest";
import type { Acquire } from "../../../src/core/locks/commands.ts";
import { SHARDS } from "../../../src/core/locks/name.ts";
import { restoreLocks } from "../../../src/core/locks/state.ts";
import { step, stepAll } from "../../../src/core/locks/step.ts";
import type { StoredLocks } from "../../../src/core/locks/stored.ts";
import { CALLS_PER_SECOND_MAX } from "../../../src/core/locks/call-counts.ts";
import { nameOf, ownerOf, World } from "./world.ts";

const content = { status: 201, headers: [], body: new Uint8Array([1, 2]) } as const;

const leaving = (world: World) => {
  const reply = world.run({ type: "leave", shard: 7 });
  if (reply.kind === "stays") throw new Error("it stays");
  const { head, holders } = reply;
  return { head, holders, answers: world.store.answers() };
};

test("[MOVE-2] a shard comes with holders, fences and answers, and its leases run on", () => {
  const from = new World();
  const to = new World();
  const before = to.hold("other", "z");
  const hold = from.hold("17", "a");
  from.begin("order", "b");
  from.finish("order", "b", null, { kind: "keep", content });
  to.run({ type: "take-in", shard: 7, moved: leaving(from) });
  to.crash();
  expect(to.acquire("17", "c")).toMatchObject({ kind: "held" });
  expect(to.acquire("17", "a")).toMatchObject({ isNew: false, grant: { fence: hold.fence } });
  expect(to.begin("order", "c")).toEqual({ kind: "replay" });
  expect(to.store.content(nameOf("order"))).toEqual(content);
  to.tick(40_000);
  const next = to.hold("17", "c").fence;
  expect(next).toBeGreaterThan(hold.fence);
  expect(next).toBeGreaterThan(before.fence);
  expect(to.hold("new", "d").fence).toBeGreaterThan(next);
});

test("[MOVE-2] the clock runs back behind neither", () => {
  const from = new World();
  const to = new World();
  from.tick(60_000);
  from.hold("17", "a");
  to.run({ type: "take-in", shard: 7, moved: leaving(from) });
  expect(to.hold("18", "b").grantedAt).toBeGreaterThanOrEqual(from.now);
});

test("[MOVE-3] it leaves once, says the same again, and is taken in once", () => {
  const from = new World();
  const to = new World();
  from.hold("17", "a");
  const moved = leaving(from);
  from.crash();
  expect(leaving(from).holders).toEqual(moved.holders);
  to.run({ type: "take-in", shard: 7, moved });
  expect(to.release("17", "a")).toBe("released");
  to.run({ type: "take-in", shard: 7, moved });
  to.crash();
  to.run({ type: "take-in", shard: 7, moved });
  expect(to.acquire("17", "b")).toMatchObject({ kind: "granted" });
});

test.each(["socket", "line", "answers"])("[MOVE-4] a shard with %s stays", (what) => {
  const world = new World();
  if (what === "socket") world.open("17", "a");
  if (what !== "socket") world.hold("17", "a");
  if (what === "line") world.acquire("17", "b", { waitMs: 10_000 });
  if (what === "answers")
    for (let i = 0; i <= 4_096; i += 1) {
      world.begin(`order-${i}`, "a");
      world.finish(`order-${i}`, "a", null, { kind: "keep", content });
      if (i % 1_000 === 0) world.tick(1_000);
    }
  expect(world.run({ type: "leave", shard: 7 })).toEqual({ kind: "stays" });
  world.crash();
  expect([...world.state.moved]).toEqual([]);
});

const empty: StoredLocks = { head: null, holders: [], stocks: [], moved: [] };

test.each([1, SHARDS])(
  "[MOVE-1] %i shards together have so many times the bounds of one",
  (shards) => {
    const state = restoreLocks(empty, [], 1_000, shards);
    const ask = (nth: number) => {
      const mode = { by: "lease", leaseMs: 1_000, waitMs: 0 } as const;
      const name = nameOf(String(nth % 100));
      return step<"acquire">(state, { type: "acquire", name, owner: ownerOf("a"), mode }, 1_000);
    };
    for (let nth = 1; nth < CALLS_PER_SECOND_MAX * shards; nth += 1) ask(nth);
    expect(ask(0).reply.kind).toBe("granted");
    expect(ask(1).reply).toMatchObject({ kind: "refused", refusal: "too-many-calls" });
  },
);

test("[JOINT-2] several in one step are answered each on its own, and written once", () => {
  const together = restoreLocks(empty, [], 1_000);
  const apart = restoreLocks(empty, [], 1_000);
  const mode = { by: "lease", leaseMs: 30_000, waitMs: 5_000 } as const;
  const acquire = (key: string, owner: string): Acquire => ({
    type: "acquire",
    name: nameOf(key),
    owner: ownerOf(owner),
    mode,
  });
  const commands = [
    acquire("17", "a"),
    acquire("18", "b"),
    acquire("17", "c"),
    { type: "release", name: nameOf("17"), owner: ownerOf("z") },
    { type: "release", name: nameOf("18"), owner: ownerOf("b") },
  ] as const;
  const outcome = stepAll(together, commands, 1_000);
  expect(outcome.reply).toEqual(commands.map((command) => step(apart, command, 1_000).reply));
  expect(outcome.reply.map((reply) => (reply as { kind: string }).kind)).toEqual([
    "granted",
    "granted",
    "waiting",
    "not-yours",
    "released",
  ]);
  // The lock that came and went leaves its deletion alone.
  expect(outcome.changes.map((change) => ("put" in change ? change.put : change.drop))).toEqual([
    "lock",
    "lock",
    "head",
  ]);
});
