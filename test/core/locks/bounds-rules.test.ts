import { describe, expect, test } from "vitest";
import { CALLS_PER_SECOND_MAX } from "../../../src/core/locks/call-counts.ts";
import { IDLE_MAX, IdleLocks } from "../../../src/core/locks/idle.ts";
import type { Fence } from "../../../src/core/locks/lock.ts";
import { HELD_MAX, LINE_MAX, WAITING_MAX } from "../../../src/core/locks/table.ts";
import { LEASE, nameOf, ownerOf, SECOND, sessionOf, World } from "./world.ts";

const DELAY = 10 * SECOND;

/** As many locks, all of them lost for good, the one with the highest number last. */
const overdue = (count: number): World => {
  const world = new World();
  for (let i = 0; i < count; i += 1) {
    if (i === count - 1) world.now += 1;
    world.hold(`key-${i}`, "a");
    world.acquire(`key-${i}`, `b${i}`, { waitMs: 3_600_000 });
    world.state.calls.count = () => 0;
  }
  world.now += LEASE + DELAY;
  return world;
};

describe("what a shard can hold", () => {
  test.each([
    [HELD_MAX - 1, "granted"],
    [HELD_MAX, "refused"],
  ])("[LOCK-11] with %i held another one is %s", (held, kind) => {
    const world = new World();
    world.state.held = held;
    expect(world.acquire("17", "a")).toMatchObject({ kind });
    const other = new World();
    other.state.held = held;
    expect(other.begin("17", "a")).toMatchObject({ kind });
  });

  test("[LOCK-11] a refused one is told to come back, for a run after more time than for a lock", () => {
    const world = new World();
    world.state.held = HELD_MAX;
    const refused = { kind: "refused", refusal: "table-full" };
    expect(world.acquire("17", "a")).toEqual({ ...refused, retryAfterMs: 1_000 });
    expect(world.begin("17", "a")).toEqual({ ...refused, retryAfterMs: 10_000 });
    expect([world.last?.changes, world.state.locks.size]).toEqual([[], 0]);
  });

  test("[LOCK-11] what is held is counted, over a crash too", () => {
    const world = new World();
    for (const key of ["17", "18", "19"]) world.hold(key, "a");
    world.release("18", "a");
    expect(world.state.held).toBe(2);
    world.crash();
    expect([world.state.held, world.state.sessions.size]).toEqual([2, 0]);
    world.tick(LEASE + DELAY);
    expect(world.state.held).toBe(0);
  });

  test("[LOCK-10] beyond 4,096 idle locks the least recently used is forgotten, and no other", () => {
    const idle = new IdleLocks();
    const put = (key: number) =>
      idle.put(nameOf(`${key}`), { lastOwner: ownerOf("a"), lastFence: key as Fence });
    for (let key = 0; key < IDLE_MAX; key += 1) put(key);
    put(0);
    const missing = (): number[] =>
      Array.from({ length: IDLE_MAX + 1 }, (_, key) => key).filter(
        (key) => idle.get(nameOf(`${key}`))?.lastFence !== key,
      );
    expect(missing()).toEqual([IDLE_MAX]);
    put(IDLE_MAX);
    expect(missing()).toEqual([1]);
  });

  test("[LOCK-10] what is neither held nor waited for leaves nothing behind", () => {
    const world = new World();
    world.hold("17", "a");
    world.open("17", "b");
    world.open("17", "c", "c1");
    world.open("17", "c", "c2");
    world.acquire("17", "d", { waitMs: 5 * SECOND });
    world.acquire("17", "e", { waitMs: 60 * SECOND });
    expect([world.state.waiting, world.state.sessions.size]).toEqual([4, 2]);
    world.tick(5 * SECOND);
    world.release("17", "e");
    expect([world.state.waiting, world.state.sessions.size]).toEqual([2, 2]);
    world.release("17", "a");
    expect([world.state.waiting, world.state.sessions.size]).toEqual([1, 2]);
    world.renew("17", "b");
    expect([world.state.waiting, world.state.sessions.size]).toEqual([1, 1]);
    world.release("17", "b");
    world.close("c2", false);
    expect([world.state.waiting, world.state.held, world.state.sessions.size]).toEqual([0, 1, 0]);
    world.tick(DELAY);
    const { locks, dues, sessions, held } = world.state;
    expect([locks.size, dues.first(), sessions.size, held]).toEqual([0, null, 0, 0]);
    expect([world.wakeAt, [...world.store.load().holders]]).toEqual([null, []]);
  });

  test("[LOCK-12] a run that begins counts as an acquisition", () => {
    const world = new World();
    world.now += 250;
    for (let i = 1; i < CALLS_PER_SECOND_MAX; i += 1) world.acquire("17", "a");
    expect(world.begin("18", "a").kind).toBe("granted");
    const refused = { kind: "refused", refusal: "too-many-calls", retryAfterMs: 750 };
    expect(world.begin("18", "a")).toEqual(refused);
    expect(world.acquire("17", "a")).toEqual(refused);
    world.now += 750;
    expect(world.begin("18", "a").kind).toBe("granted");
  });
});

describe("lines", () => {
  test("[WAIT-6] the 1,001st of a line is refused, and one more when somebody has left", () => {
    const world = new World();
    world.hold("17", "a", { leaseMs: 3_600_000 });
    for (let i = 0; i < LINE_MAX; i += 1) world.open("17", `w${i}`);
    expect(world.open("17", "more")).toEqual({
      kind: "refused",
      refusal: "line-full",
      retryAfterMs: 10_000,
    });
    expect(world.open("17", "w7", "again")).toMatchObject({ kind: "waiting", ahead: 7 });
    world.close("w8", false);
    expect(world.open("17", "more")).toMatchObject({ kind: "waiting", ahead: LINE_MAX - 1 });
  });

  test.each([
    [WAITING_MAX - 1, "waiting"],
    [WAITING_MAX, "refused"],
  ])("[WAIT-6] with %i waiting in the shard the next one is %s", (waiting, kind) => {
    const world = new World();
    world.hold("17", "a");
    world.state.waiting = waiting;
    expect(world.open("17", "b")).toMatchObject({ kind });
  });
});

describe("much at once", () => {
  test("[LOCK-19] a step looks at 1,000 overdue locks, and the rest follow at once", () => {
    const world = overdue(2_001);
    const granted = [0, 0, 0].map(() => {
      expect(world.run({ type: "tick" })).toBeNull();
      return [world.justGranted.length, world.wakeAt];
    });
    const due = world.now;
    expect(granted).toEqual([
      [1_000, due - 1],
      [1_000, due],
      [1, due + LEASE + DELAY],
    ]);
  });

  test.each([
    ["acquires", (world: World) => world.acquire("key-1000", "z").kind, "held"],
    ["renews", (world: World) => world.renew("key-1000", "a").kind, "not-yours"],
    ["releases", (world: World) => world.release("key-1000", "a"), "not-yours"],
    ["begins a run under", (world: World) => world.begin("key-1000", "z").kind, "running"],
  ])(
    "[LOCK-19] whoever %s a lock that was not looked at yet finds it in order",
    (_, act, reply) => {
      const world = overdue(1_001);
      expect(act(world)).toBe(reply);
      expect(world.justGranted).toContain("b1000");
    },
  );

  test("[LOCK-19] until then the list shows a lock between two holders as free", () => {
    const world = new World();
    for (let i = 0; i <= 1_000; i += 1) {
      const session = sessionOf(`${i}`);
      const name = nameOf(`key-${String(i).padStart(4, "0")}`);
      const since = world.now as never;
      world.sockets.set(session, { session, name, owner: ownerOf(`${i}`), arrival: i, since });
    }
    world.sleep();
    const { rows, locks, waiting } = world.list("orders", 2_000);
    expect({ locks, waiting }).toEqual({ locks: 1_001, waiting: 1 });
    expect(rows.filter(({ state }) => state !== "held")).toEqual([
      {
        key: expect.stringMatching(/^key-/) as string,
        state: "free",
        by: null,
        fence: null,
        heldSince: null,
        leaseUntil: null,
        waiting: 1,
        waitingSince: world.now,
      },
    ]);
    world.tick();
    expect(world.justGranted).toHaveLength(1);
  });
});
