import { afterEach, expect, test, vi } from "vitest";
import { RESTORABLE_MS } from "../../src/durable/contract.ts";
import { DELETED_ROOMS_MAX } from "../../src/durable/registry/deleted-rooms.ts";
import type { RoomId } from "../../src/core/ids.ts";
import { definition, roomId, withRegistry, type Registry } from "./registry-harness.ts";

/** Ahead of the machine, which keeps an alarm's time as it was set only while it is to come. */
const NOW = Date.now() + 3_600_000;

const at = (ms: number): void => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW + ms });
};
afterEach(() => {
  vi.useRealTimers();
});

const namesOf = async (registry: Registry): Promise<string[]> =>
  (await registry.definitions(null))!.rooms.map(({ name }) => name);

test("[RESTORE-5] a room comes back as it stood, with its id, and its Room hears of both", () =>
  withRegistry("restored", async ({ registry, rooms }) => {
    const own = { queue_all: true, total_active_users: 7 };
    await registry.create(definition(roomId("a"), "a", own));
    const [before] = (await registry.definitions(null))!.rooms;
    await registry.remove(roomId("a"));
    expect(await namesOf(registry)).toEqual([]);
    const reply = await registry.restore("a");
    expect(reply).toEqual({ ok: true, value: { ...before, modifiedAt: expect.any(Number) } });
    expect((await registry.definitions(null))!.rooms).toEqual([reply.ok && reply.value]);
    expect(rooms.told.slice(1)).toMatchObject([
      { retired: roomId("a") },
      { id: roomId("a"), limits: { paused: true, permitsMax: 7 } },
    ]);
    expect(await registry.deletedRooms()).toEqual([]);
    expect(reply.ok && reply.value.modifiedAt).toBeGreaterThan(before!.modifiedAt);
  }));

test.each([
  [RESTORABLE_MS - 1, true],
  [RESTORABLE_MS, false],
])("[RESTORE-1] %i ms after its deletion: restorable %s, also before the alarm came", (ms, is) =>
  withRegistry(`day ${ms}`, async ({ registry, state }) => {
    at(0);
    await registry.create(definition(roomId("a"), "a"));
    at(10);
    await registry.remove(roomId("a"));
    expect(await state.storage.getAlarm()).toBe(NOW + 10 + RESTORABLE_MS);
    at(10 + ms);
    expect(await registry.deletedRooms()).toHaveLength(is ? 1 : 0);
    expect((await registry.restore(roomId("a"))).ok).toBe(is);
    await state.storage.deleteAlarm();
  }),
);

test("[RESTORE-1] the alarm erases it when its day is over, and not before", () =>
  withRegistry("sweep", async ({ registry, rooms, state, restart }) => {
    at(0);
    await registry.create(definition(roomId("a"), "a"));
    at(10);
    await registry.remove(roomId("a"));
    at(9 + RESTORABLE_MS);
    await restart().alarm();
    expect(rooms.told.at(-1)).toEqual({ retired: roomId("a") });
    expect(await state.storage.getAlarm()).toBe(NOW + 10 + RESTORABLE_MS);
    at(10 + RESTORABLE_MS);
    await restart().alarm();
    expect(rooms.told.at(-1)).toEqual({ erased: roomId("a") });
    expect(await state.storage.getAlarm()).toBeNull();
  }));

test("[RESTORE-1] a restored room is not erased by the alarm of its deletion", () =>
  withRegistry("saved", async ({ registry, rooms }) => {
    at(0);
    await registry.create(definition(roomId("a"), "a"));
    at(10);
    await registry.remove(roomId("a"));
    await registry.restore("a");
    at(RESTORABLE_MS * 2);
    await registry.alarm();
    expect(rooms.told).not.toContainEqual({ erased: roomId("a") });
    expect(await namesOf(registry)).toEqual(["a"]);
  }));

test("[RESTORE-1] one too many, and the first deleted is erased", () =>
  withRegistry("many", async ({ registry, rooms }) => {
    const idOf = (n: number) => n.toString(16).padStart(32, "0") as RoomId;
    for (let n = 1; n <= DELETED_ROOMS_MAX + 1; n += 1) {
      at(n);
      await registry.create(definition(idOf(n), `room-${n}`));
      await registry.remove(idOf(n));
    }
    const left = await registry.deletedRooms();
    expect(left).toHaveLength(DELETED_ROOMS_MAX);
    expect(left[0]?.room.name).toBe(`room-${DELETED_ROOMS_MAX + 1}`);
    expect((await registry.restore(idOf(1))).ok).toBe(false);
    await registry.alarm();
    expect(rooms.told).toContainEqual({ erased: idOf(1) });
  }));

test("[RESTORE-4] a name or a route that is taken by now is in the way, and nothing is changed", () =>
  withRegistry("conflict", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "a"));
    await registry.remove(roomId("a"));
    const codeOf = async () => {
      const reply = await registry.restore(roomId("a"));
      return reply.ok ? null : reply.problem.code;
    };
    await registry.create(definition(roomId("b"), "a", { path: "/b" }));
    expect(await codeOf()).toBe("name-taken");
    await registry.replace(definition(roomId("b"), "b", { path: "/a" }));
    expect(await codeOf()).toBe("route-taken");
    await registry.replace(definition(roomId("b"), "b", { path: "/b" }));
    expect(await codeOf()).toBeNull();
    expect(await namesOf(registry)).toEqual(["b", "a"]);
  }));

test("[RESTORE-4] by name it is the one that was deleted last, and an id wins", () =>
  withRegistry("namesakes", async ({ registry }) => {
    for (const [digit, ms] of [
      ["a", 0],
      ["b", 1_000],
    ] as const) {
      at(ms);
      await registry.create(definition(roomId(digit), "shop"));
      await registry.remove(roomId(digit));
    }
    expect(await registry.restore("shop")).toMatchObject({ value: { id: roomId("b") } });
    await registry.remove(roomId("b"));
    expect(await registry.restore(roomId("a"))).toMatchObject({ value: { id: roomId("a") } });
  }));

test("[RESTORE-5] a Room that could not be reached hears only what has become of it", () =>
  withRegistry("unheard", async ({ registry, rooms }) => {
    await registry.create(definition(roomId("a"), "a"));
    rooms.reachable = false;
    await registry.remove(roomId("a"));
    await registry.restore("a");
    rooms.reachable = true;
    await registry.alarm();
    expect(rooms.told.slice(1)).toMatchObject([{ id: roomId("a") }]);
  }));
