import { expect, test } from "vitest";
import { deletedRoomsApp } from "../../src/worker/operators/rooms-app.ts";
import {
  ADMIN_TOKEN,
  definition,
  envOn,
  mounted,
  roomId,
  withRegistry,
  type RegistryBench,
} from "../durable/registry-harness.ts";

const ask = async (
  bench: RegistryBench,
  method: string,
  path: string,
  { token = ADMIN_TOKEN, env = envOn(bench) } = {},
) => {
  const init = { method, headers: { Authorization: `Bearer ${token}` } };
  const response = await mounted(deletedRoomsApp).request(path, init, env);
  const { status, headers } = response;
  const text = await response.text();
  const isJson = (headers.get("Content-Type") ?? "").includes("json");
  return { status, headers, body: isJson ? JSON.parse(text) : text };
};

test("[RESTORE-4] deleted rooms are listed as rooms, with until when they can be restored", () =>
  withRegistry("http list", async (bench) => {
    await bench.registry.create(definition(roomId("a"), "a", { total_active_users: 7 }));
    expect((await ask(bench, "GET", "/?deleted=true")).body).toEqual({ rooms: [] });
    await bench.registry.remove(roomId("a"));
    const { status, body } = await ask(bench, "GET", "/?deleted=true");
    expect(status).toBe(200);
    expect(body.rooms).toMatchObject([{ id: roomId("a"), name: "a", total_active_users: 7 }]);
    const [{ deleted_on, restorable_until }] = body.rooms;
    expect(Date.parse(restorable_until) - Date.parse(deleted_on)).toBe(24 * 3_600_000);
  }));

test("[RESTORE-4] restoring answers the room, and is told apart when it can't be", () =>
  withRegistry("http restore", async (bench) => {
    await bench.registry.create(definition(roomId("a"), "a"));
    await bench.registry.remove(roomId("a"));
    await bench.registry.create(definition(roomId("b"), "a", { path: "/b" }));
    const taken = await ask(bench, "POST", `/${roomId("a")}/restore`);
    expect(taken).toMatchObject({ status: 409, body: { code: "name-taken" } });
    expect(taken.body.detail).toContain("named a");
    await bench.registry.remove(roomId("b"));
    const restored = await ask(bench, "POST", `/${roomId("a")}/restore`);
    expect(restored).toMatchObject({ status: 200, body: { id: roomId("a"), name: "a" } });
    const gone = await ask(bench, "POST", "/nobody/restore");
    expect(gone).toMatchObject({ status: 404, body: { code: "deleted-room-not-found" } });
  }));

test("[RESTORE-4] both calls need the token, and nothing is cached", () =>
  withRegistry("http token", async (bench) => {
    await bench.registry.create(definition(roomId("a"), "a"));
    await bench.registry.remove(roomId("a"));
    for (const [method, path] of [
      ["GET", "/?deleted=true"],
      ["POST", "/a/restore"],
    ] as const) {
      const token = "a-wrong-token-of-24-chars";
      const refused = await ask(bench, method, path, { token });
      expect(refused.status, path).toBe(401);
      expect(refused.headers.get("Cache-Control"), path).toContain("no-store");
    }
    expect(await bench.registry.deletedRooms()).toHaveLength(1);
  }));

test("[RESTORE-4] a Registry that can't be reached is a 503 that says nothing of the inside", () =>
  withRegistry("http down", async (bench) => {
    const broken = () => Promise.reject(new Error("secret inside"));
    const registry = { deletedRooms: broken, restore: broken };
    const env = envOn(bench, { REGISTRY: { getByName: () => registry } as never });
    for (const [method, path] of [
      ["GET", "/?deleted=true"],
      ["POST", "/a/restore"],
    ] as const) {
      const answer = await ask(bench, method, path, { env });
      expect(answer).toMatchObject({ status: 503, body: { code: "registry-unavailable" } });
      expect(JSON.stringify(answer.body)).not.toContain("secret");
      expect(answer.headers.get("Retry-After")).toBe("1");
    }
  }));
