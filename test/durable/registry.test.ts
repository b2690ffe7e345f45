import { afterEach, expect, test, vi } from "vitest";
import type { KeysReply } from "../../src/durable/contract.ts";
import {
  DEFINITION_BYTES_MAX,
  DEFINITIONS_BYTES_MAX,
  ROOMS_MAX,
} from "../../src/durable/registry/conflicts.ts";
import { PREVIEW_MS, PREVIEWS_MAX } from "../../src/durable/registry/previews.ts";
import { KEYS_MAX } from "../../src/durable/registry/signing-keys.ts";
import { definition, roomId, withRegistry } from "./registry-harness.ts";

const kidsIn = (reply: KeysReply): readonly string[] => (reply.ok ? reply.kids : []);

const problemOf = (reply: { ok: boolean; problem?: { code: string } }) =>
  reply.ok ? null : reply.problem?.code;

afterEach(() => {
  vi.useRealTimers();
});

test("[REG-1] a room is found again after a restart, in the order of making", () =>
  withRegistry("restart", async ({ registry, restart }) => {
    await registry.create(definition(roomId("b"), "second-by-id"));
    await registry.create(definition(roomId("a"), "first-by-id"));
    const again = await restart().definitions(null);
    expect(again?.rooms.map(({ name }) => name)).toEqual(["second-by-id", "first-by-id"]);
    expect(again).toEqual(await registry.definitions(null));
  }));

test("[REG-2] every change raises the version, and who has it gets null", () =>
  withRegistry("version", async ({ registry, restart }) => {
    const versions: number[] = [];
    const note = async () => versions.push((await registry.definitions(null))?.version ?? -1);
    await note();
    await registry.create(definition(roomId("a"), "a"));
    await note();
    await registry.replace(definition(roomId("a"), "a", { queue_all: true }));
    await note();
    await registry.rotateKeys();
    await note();
    await registry.remove(roomId("a"));
    await note();
    expect(versions.every((version, index) => index === 0 || version > versions[index - 1]!)).toBe(
      true,
    );
    expect(await registry.definitions(versions.at(-1)!)).toBeNull();
    expect(await restart().definitions(versions.at(-1)!)).toBeNull();
    expect(await registry.definitions(versions[0]!)).not.toBeNull();
  }));

test("[REG-3] names are unique, and a freed name may be taken", () =>
  withRegistry("names", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "shop"));
    const second = definition(roomId("b"), "SHOP", { path: "/elsewhere" });
    expect(problemOf(await registry.create(second))).toBe("name-taken");
    await registry.replace(definition(roomId("a"), "old-shop"));
    expect(problemOf(await registry.create(second))).toBeNull();
    expect(problemOf(await registry.replace(definition(roomId("a"), "shop")))).toBe("name-taken");
  }));

test("[REG-4] a host and path belong to one room, however the route is spelled", () =>
  withRegistry("routes", async ({ registry }) => {
    await registry.create(definition(roomId("a"), "a", { path: "/sale" }));
    const rival = { host: "SHOP.example.com:8443", path: "/s%61le/" };
    expect(problemOf(await registry.create(definition(roomId("b"), "b", rival)))).toBe(
      "route-taken",
    );
    const further = { additional_routes: [{ path: "/sale" }] };
    expect(problemOf(await registry.create(definition(roomId("b"), "b", further)))).toBe(
      "route-taken",
    );
    await registry.remove(roomId("a"));
    expect(problemOf(await registry.create(definition(roomId("b"), "b", further)))).toBeNull();
  }));

test("[REG-4] a refused room leaves nothing behind", () =>
  withRegistry("refused", async ({ registry, rooms }) => {
    await registry.create(definition(roomId("a"), "a"));
    const before = await registry.definitions(null);
    await registry.create(definition(roomId("b"), "b", { path: "/a" }));
    await registry.replace(definition(roomId("c"), "c"));
    expect(await registry.definitions(before!.version)).toBeNull();
    expect(rooms.told).toHaveLength(1);
  }));

test("[REG-5] at most 1,000 rooms", () =>
  withRegistry("many", async ({ registry, state }) => {
    await registry.definitions(null);
    state.storage.transactionSync(() => {
      for (let n = 1; n < ROOMS_MAX; n += 1) {
        state.storage.sql.exec(
          "INSERT INTO rooms (id, name, definition) VALUES (?, ?, ?)",
          `${n}`,
          `room-${n}`,
          '{"limits":{}}',
        );
      }
    });
    expect(problemOf(await registry.create(definition(roomId("a"), "a")))).toBeNull();
    expect(problemOf(await registry.create(definition(roomId("b"), "b")))).toBe("too-many-rooms");
  }));

test("[REG-5] all definitions together stay under 16 MiB", () =>
  withRegistry("large", async ({ registry, state }) => {
    await registry.definitions(null);
    const megabyte = JSON.stringify({ text: "é".repeat(DEFINITIONS_BYTES_MAX / 32) });
    for (let n = 0; n < 16; n += 1) {
      const sql = "INSERT INTO rooms (id, name, definition) VALUES (?, ?, ?)";
      state.storage.sql.exec(sql, `${n}`, `room-${n}`, megabyte);
    }
    expect(problemOf(await registry.create(definition(roomId("a"), "a")))).toBe("too-many-rooms");
  }));

test("[REG-5] one definition fits in a row", () =>
  withRegistry("one large", async ({ registry }) => {
    const sized = (bytes: number) => ({
      ...definition(roomId("a"), "a"),
      description: "x".repeat(bytes),
    });
    const frame = new TextEncoder().encode(
      JSON.stringify({ ...sized(0), createdAt: Date.now(), modifiedAt: Date.now() }),
    ).length;
    const most = sized(DEFINITION_BYTES_MAX - frame);
    expect(problemOf(await registry.create({ ...most, description: `${most.description}x` }))).toBe(
      "too-many-rooms",
    );
    expect(problemOf(await registry.create(most))).toBeNull();
  }));

test("[REG-6] the Room knows before the answer leaves", () =>
  withRegistry("tell", async ({ registry, rooms }) => {
    await registry.create(definition(roomId("a"), "a"));
    await registry.replace(definition(roomId("a"), "a", { queue_all: true }));
    await registry.remove(roomId("a"));
    expect(rooms.told).toMatchObject([
      { limits: { paused: false } },
      { limits: { paused: true } },
      { retired: roomId("a") },
    ]);
  }));

test("[REG-7] a Room that cannot be reached is told by the alarm, also after a restart", () =>
  withRegistry("untold", async ({ registry, rooms, state, restart }) => {
    rooms.reachable = false;
    const reply = await registry.create(definition(roomId("a"), "a", { queue_all: true }));
    expect(reply.ok).toBe(true);
    expect(await state.storage.getAlarm()).not.toBeNull();
    await state.storage.deleteAlarm();
    const again = restart();
    await expect.poll(() => state.storage.getAlarm()).not.toBeNull();
    await again.alarm();
    expect(await state.storage.getAlarm()).not.toBeNull();
    rooms.reachable = true;
    await again.alarm();
    await again.alarm();
    expect(rooms.told).toMatchObject([{ id: roomId("a"), limits: { paused: true } }]);
    expect(await state.storage.getAlarm()).toBeNull();
  }));

test("[REG-7] a Room that missed several changes hears only of the last", () =>
  withRegistry("last", async ({ registry, rooms }) => {
    rooms.reachable = false;
    await registry.create(definition(roomId("a"), "a"));
    await registry.replace(definition(roomId("a"), "a", { total_active_users: 3 }));
    await registry.remove(roomId("a"));
    rooms.reachable = true;
    await registry.alarm();
    expect(rooms.told).toEqual([{ retired: roomId("a") }]);
  }));

test("[REG-7] a Room that says nothing for 5 s holds up nobody longer", () =>
  withRegistry("silent", async ({ registry, rooms, state }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    rooms.pause = () => new Promise(() => {});
    let answered = false;
    const reply = registry.create(definition(roomId("a"), "a")).then(({ ok }) => {
      answered = true;
      return ok;
    });
    while (vi.getTimerCount() === 0) await state.storage.getAlarm();
    await vi.advanceTimersByTimeAsync(4_999);
    expect(answered).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await reply).toBe(true);
    expect(await state.storage.getAlarm()).not.toBeNull();
    await state.storage.deleteAlarm();
  }));

test("[REG-11] a Room hears changes in their order, the last one last", () =>
  withRegistry("order", async ({ registry, rooms }) => {
    await registry.create(definition(roomId("a"), "a"));
    let release = () => {};
    let asked = 0;
    const gate = new Promise<void>((resolve) => (release = resolve));
    rooms.pause = () => {
      asked += 1;
      return gate;
    };
    const first = registry.replace(definition(roomId("a"), "a", { total_active_users: 1 }));
    await vi.waitUntil(() => asked === 1);
    rooms.pause = async () => {};
    const second = registry.replace(definition(roomId("a"), "a", { total_active_users: 2 }));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rooms.told).toHaveLength(1);
    release();
    await Promise.all([first, second]);
    const permits = rooms.told.map((told) => ("limits" in told ? told.limits.permitsMax : null));
    expect(permits).toEqual([10, 1, 2]);
  }));

test("[REG-8] replacing a room by its equal changes neither version nor modifiedAt", () =>
  withRegistry("equal", async ({ registry, rooms }) => {
    const made = await registry.create(definition(roomId("a"), "a"));
    const before = await registry.definitions(null);
    const same = await registry.replace(definition(roomId("a"), "a"));
    if (!made.ok) throw new Error("refused");
    expect(same).toEqual({ ...made, before: made.value });
    expect(await registry.definitions(before!.version)).toBeNull();
    expect(rooms.told).toHaveLength(1);
  }));

test("[REG-9] modifiedAt strictly rises, createdAt stays", () =>
  withRegistry("stamps", async ({ registry }) => {
    const made = await registry.create(definition(roomId("a"), "a"));
    const changed = await registry.replace(definition(roomId("a"), "a", { queue_all: true }));
    if (!made.ok || !changed.ok) throw new Error("refused");
    expect(made.value.createdAt).toBeGreaterThan(1e12);
    expect(changed.value.createdAt).toBe(made.value.createdAt);
    expect(changed.value.modifiedAt).toBeGreaterThan(made.value.modifiedAt);
  }));

test("[REG-10] a change to what somebody else changed since is refused", () =>
  withRegistry("race", async ({ registry }) => {
    const made = await registry.create(definition(roomId("a"), "a"));
    if (!made.ok) throw new Error("refused");
    const readAt = made.value.modifiedAt;
    const first = await registry.replace(definition(roomId("a"), "a", { suspended: true }), [
      readAt,
    ]);
    const second = definition(roomId("a"), "a", { queue_all: true });
    expect(first.ok).toBe(true);
    expect(problemOf(await registry.replace(second, [readAt]))).toBe("modified-since");
  }));

test("[KEY-1] the first key is made on demand, has 32 bytes, and stays", () =>
  withRegistry("first-key", async ({ registry, restart }) => {
    const first = (await registry.definitions(null))!.keys;
    expect(first).toHaveLength(1);
    expect(first[0]!.secret).toMatch(/^[\w-]{43}$/);
    expect((await restart().definitions(null))!.keys).toEqual(first);
  }));

test("[KEY-2] a new key verifies at once, and signs when every isolate knows it", () =>
  withRegistry("rotate", async ({ registry, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const kidsOf = async (of = registry) =>
      (await of.definitions(null))!.keys.map(({ kid }) => kid);
    const [old] = await kidsOf();
    const answered = kidsIn(await registry.rotateKeys());
    const fresh = answered[0]!;
    expect(answered).toEqual([fresh, old]);

    vi.setSystemTime(1_800_000_009_999);
    expect(await kidsOf()).toEqual([old, fresh]);
    const { version } = (await registry.definitions(null))!;
    vi.setSystemTime(1_800_000_010_000);
    expect((await registry.definitions(version))!.keys[0]!.kid).toBe(fresh);
    expect(await kidsOf(restart())).toEqual([fresh, old]);
  }));

const DAY_MS = 86_400_000;
const START_MS = 1_800_000_000_000;

test("[KEY-6] a key stays until the last visitor id that it can have signed is over", () =>
  withRegistry("rotations", async ({ registry, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const kidsNow = async () => (await restart().definitions(null))!.keys.map(({ kid }) => kid);
    const [first] = await kidsNow();
    for (let n = 0; n < 5; n += 1) {
      await registry.rotateKeys();
      vi.setSystemTime(START_MS + (n + 1) * 20_000);
      await registry.definitions(null);
    }
    const firstRetiredAt = START_MS + 20_000;
    expect(await kidsNow()).toHaveLength(6);
    vi.setSystemTime(firstRetiredAt + 31 * DAY_MS - 1);
    expect(await kidsNow()).toContain(first);
    vi.setSystemTime(firstRetiredAt + 31 * DAY_MS);
    expect(await kidsNow()).not.toContain(first);
    expect(await kidsNow()).toHaveLength(5);
    vi.setSystemTime(START_MS + 1_000 * DAY_MS);
    expect(await kidsNow()).toHaveLength(1);
  }));

test("[KEY-6] keys from before it was noted stay from then on", () =>
  withRegistry("not noted", async ({ registry, state, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const kidsNow = async () => (await restart().definitions(null))!.keys.map(({ kid }) => kid);
    const [first] = await kidsNow();
    await registry.rotateKeys();
    vi.setSystemTime(START_MS + 20_000);
    await registry.definitions(null);
    state.storage.sql.exec("DROP TABLE retired_keys");
    vi.setSystemTime(START_MS + 40 * DAY_MS);
    expect(await kidsNow()).toContain(first);
    vi.setSystemTime(START_MS + 71 * DAY_MS);
    expect(await kidsNow()).not.toContain(first);
  }));

test("[KEY-7] past 40 keys none is made, and the oldest is named", () =>
  withRegistry("too many keys", async ({ registry }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const [first] = (await registry.definitions(null))!.keys;
    for (let n = 1; n < KEYS_MAX; n += 1) {
      expect((await registry.rotateKeys()).ok).toBe(true);
      vi.setSystemTime(START_MS + n * 20_000);
    }
    const { version } = (await registry.definitions(null))!;
    const refused = await registry.rotateKeys();
    expect(refused).toEqual({ ok: false, problem: "too-many-keys", oldest: first!.kid });
    expect(await registry.definitions(version)).toBeNull();
    expect((await registry.revokeKey(first!.kid)).ok).toBe(true);
    expect(kidsIn(await registry.rotateKeys())).toHaveLength(KEYS_MAX);
  }));

test("[KEY-8] one key is taken out alone", () =>
  withRegistry("revoke", async ({ registry, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const [old] = (await registry.definitions(null))!.keys;
    await registry.rotateKeys();
    vi.setSystemTime(START_MS + 20_000);
    const { keys, version } = (await registry.definitions(null))!;
    expect(await registry.revokeKey(old!.kid)).toEqual({ ok: true, kids: [keys[0]!.kid] });
    const left = await restart().definitions(null);
    expect(left!.keys).toEqual([keys[0]]);
    expect(left!.version).toBeGreaterThan(version);
    expect(await registry.revokeKey(old!.kid)).toEqual({ ok: false, problem: "no-such-key" });
    expect((await registry.definitions(null))!.version).toBe(left!.version);
  }));

test("[KEY-8] where the key that signs is revoked, a new one signs at once", () =>
  withRegistry("revoke the signer", async ({ registry, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const [signer] = (await registry.definitions(null))!.keys;
    const [fresh] = kidsIn(await registry.revokeKey(signer!.kid));
    expect(fresh).not.toBe(signer!.kid);
    expect((await restart().definitions(null))!.keys.map(({ kid }) => kid)).toEqual([fresh]);
    const [next] = kidsIn(await registry.rotateKeys());
    expect(kidsIn(await registry.revokeKey(fresh!))).toEqual([next]);
    expect((await registry.definitions(null))!.keys.map(({ kid }) => kid)).toEqual([next]);
  }));

test("[KEY-8] a retired key never signs again", () =>
  withRegistry("retired", async ({ registry }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: START_MS });
    const [old] = (await registry.definitions(null))!.keys;
    const [signer] = kidsIn(await registry.rotateKeys());
    vi.setSystemTime(START_MS + 10_000);
    await registry.definitions(null);
    const kids = kidsIn(await registry.revokeKey(signer!));
    expect(kids).toHaveLength(2);
    expect(kids[1]).toBe(old!.kid);
  }));

test("[KEY-2] however fast it rotates, the key that signs is not dropped", () =>
  withRegistry("rotated fast", async ({ registry }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: 1_800_000_000_000 });
    const [first] = (await registry.definitions(null))!.keys;
    for (let n = 0; n < 6; n += 1) await registry.rotateKeys();
    const { keys } = (await registry.definitions(null))!;
    expect(keys[0]).toEqual(first);
    expect(keys).toHaveLength(7);
  }));

test("[STORE-11] a definition that an earlier version wrote is read as this one has it", () =>
  withRegistry("earlier", async ({ registry, restart, state }) => {
    await registry.create(definition(roomId("a"), "a", { queue_all: true }));
    const written = await registry.definitions(null);
    state.storage.sql.exec(
      `UPDATE rooms SET definition = replace(definition, '"paused":true', '"held":true')`,
    );
    expect((await restart().definitions(null))?.rooms).toEqual(written?.rooms);
    await restart().remove(roomId("a"));
    state.storage.sql.exec(
      `UPDATE deleted_rooms SET definition = replace(definition, '"paused":true', '"held":true')`,
    );
    const [deleted] = await restart().deletedRooms();
    expect(deleted?.room.limits).toEqual(written?.rooms[0]?.limits);
  }));

test("[PREVIEW-1] [PREVIEW-2] a preview lasts an hour, through a restart, and the newest 20 are kept", () =>
  withRegistry("previews", async ({ registry, restart }) => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() });
    const version = (await registry.definitions(null))?.version;
    expect(await registry.keepPreview("first", "<p>")).toBe(Date.now() + PREVIEW_MS);
    vi.setSystemTime(Date.now() + PREVIEW_MS - 1);
    const again = restart();
    expect((await again.preview("first"))?.html).toBe("<p>");
    expect(await again.preview("none")).toBeNull();
    vi.setSystemTime(Date.now() + 1);
    expect(await again.preview("first")).toBeNull();

    for (let made = 0; made <= PREVIEWS_MAX; made++) await again.keepPreview(`${made}`, "<p>");
    expect(await again.preview("0")).toBeNull();
    expect(await again.preview("1")).not.toBeNull();
    expect(await again.preview(`${PREVIEWS_MAX}`)).not.toBeNull();
    expect((await again.definitions(null))?.version).toBe(version);
  }));
