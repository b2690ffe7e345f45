import { beforeEach, expect, test } from "vitest";
import type { LogLine } from "../../src/worker/platform/log.ts";
import { deletedRoomsApp, keysApp, managementApp } from "../../src/worker/operators/rooms-app.ts";
import {
  ADMIN_TOKEN,
  definition,
  envOn,
  mounted,
  room,
  roomId,
  withRegistry,
} from "../durable/registry-harness.ts";
import { World } from "./fakes.ts";
import { lockBench } from "./locks-harness.ts";

const ZONE = "/zones/z/waiting_rooms";
const Authorization = `Bearer ${ADMIN_TOKEN}`;
const lines: LogLine[] = [];
const changes = () => lines.filter(({ event }) => event === "operator-change");
beforeEach(() => void lines.splice(0));

const withLoggedApi = (
  name: string,
  use: (call: (method: string, path: string, body?: unknown) => Promise<number>) => Promise<void>,
) =>
  withRegistry(`operator log ${name}`, async (bench) => {
    const app = mounted(managementApp, (line) => lines.push(line));
    const env = envOn(bench);
    await use(async (method, path, body) => {
      const init = { method, headers: { Authorization }, body: JSON.stringify(body) };
      return (await app.request(path, body === undefined ? { ...init, body: null } : init, env))
        .status;
    });
  });

test("[OPLOG-1] [OPLOG-2] a room's life: created, changed by patch and put, deleted", () =>
  withLoggedApi("life", async (call) => {
    await call("POST", ZONE, room("shop"));
    await call("PATCH", `${ZONE}/shop`, { queue_all: true, seiriken: { message: "Back soon" } });
    await call("PUT", `${ZONE}/shop`, { ...room("shop"), total_active_users: 5_000 });
    await call("DELETE", `${ZONE}/shop`);
    expect(changes()).toMatchObject([
      { action: "room-created", room: "shop", changes: { total_active_users: [null, 10] } },
      {
        action: "room-changed",
        changes: { queue_all: [false, true], "seiriken.message": [null, "Back soon"] },
      },
      {
        action: "room-changed",
        changes: { queue_all: [true, false], total_active_users: [10, 5_000] },
      },
      { action: "room-deleted", room: "shop", changes: { total_active_users: [5_000, null] } },
    ]);
    for (const line of changes()) expect(line.reference).toMatch(/^[2-9A-Z]{8}$/);
    expect(JSON.stringify(lines)).not.toContain(ADMIN_TOKEN);
  }));

test("[OPLOG-2] what is read, refused, missing or changes nothing is no line", () =>
  withLoggedApi("nothing", async (call) => {
    await call("POST", ZONE, room("shop"));
    lines.splice(0);
    expect(await call("GET", ZONE)).toBe(200);
    expect(await call("PATCH", `${ZONE}/shop`, { total_active_users: 0 })).toBe(400);
    expect(await call("PATCH", `${ZONE}/shop`, { total_active_users: 10 })).toBe(200);
    expect(await call("PUT", `${ZONE}/shop`, room("shop"))).toBe(200);
    expect(await call("DELETE", `${ZONE}/nobody`)).toBe(404);
    expect(changes()).toEqual([]);
  }));

test("[OPLOG-2] of patches that come together each tells what it found and what it left", () =>
  withLoggedApi("together", async (call) => {
    await call("POST", ZONE, room("shop"));
    lines.splice(0);
    const patches = Array.from({ length: 20 }, (_, n) =>
      call("PATCH", `${ZONE}/shop`, { total_active_users: 11 + n }),
    );
    await Promise.all(patches);
    const steps = changes().map((line) => line.changes?.["total_active_users"]);
    expect(steps).toHaveLength(20);
    // Each value but the first is found as often as it was left.
    const left = steps.map((step) => Number(step?.[1])).toSorted((a, b) => a - b);
    const found = steps.map((step) => Number(step?.[0])).toSorted((a, b) => a - b);
    expect(found[0]).toBe(10);
    for (const value of found.slice(1)) expect(left).toContain(value);
    expect(new Set(found).size).toBe(20);
  }));

test("[OPLOG-1] [OPLOG-3] keys are told by their names", () =>
  withRegistry("operator log keys", async (bench) => {
    const app = mounted(keysApp, (line) => lines.push(line));
    const ask = async (method: string, path: string) =>
      (await (
        await app.request(path, { method, headers: { Authorization } }, envOn(bench))
      ).json()) as {
        keys: string[];
      };
    const [made = ""] = (await ask("POST", "/rotate")).keys;
    await ask("DELETE", `/${made}`);
    await ask("DELETE", "/nobody");
    expect(changes()).toMatchObject([
      { action: "key-rotated", target: made },
      { action: "key-revoked", target: made },
    ]);
    const { keys } = (await bench.registry.definitions(null))!;
    for (const { secret } of keys) expect(JSON.stringify(lines)).not.toContain(secret);
  }));

test("[OPLOG-1] a room that is restored", () =>
  withRegistry("operator log restore", async (bench) => {
    await bench.registry.create(definition(roomId("a"), "a"));
    await bench.registry.remove(roomId("a"));
    const app = mounted(deletedRoomsApp, (line) => lines.push(line));
    const init = { method: "POST", headers: { Authorization } };
    await app.request("/a/restore", init, envOn(bench));
    await app.request("/a/restore", init, envOn(bench));
    expect(changes()).toMatchObject([{ action: "room-restored", room: "a" }]);
  }));

test("[OPLOG-1] a visit that ends by the API, and all of them", async () => {
  const world = new World({ env: { ADMIN_TOKEN } });
  world.say({ mode: "queues" });
  let isOver = false;
  world.room.end = async () => {
    const lived = !isOver;
    isOver = true;
    return lived;
  };
  world.room.revokeAll = async () => 12;
  const api = "/.seiriken/api/rooms/shop";
  const headers = { Authorization, "CF-Connecting-IP": "2001:db8::1" };
  for (let time = 0; time < 2; time += 1)
    await world.fetch(`${api}/visits/7`, { method: "DELETE", headers });
  await world.fetch(`${api}/revoke`, { method: "POST", headers });
  const told = world.log.filter(({ event }) => event === "operator-change");
  expect(told).toMatchObject([
    { action: "visit-ended", room: "shop", target: 7, network: "2001:db8:0:0::/64" },
    { action: "visits-ended", room: "shop", count: 12, by: "ADMIN_TOKEN" },
  ]);
});

const locks = lockBench({ log: (line) => lines.push(line) });

test("[OPLOG-1] [OPLOG-2] a lock rule's life", async () => {
  const rule = { name: "logged", path: "/logged", key: { from: "header", name: "Order" } };
  await locks.rules("POST", "", rule);
  await locks.rules("PATCH", "/logged", { wait_seconds: 5 });
  await locks.rules("PATCH", "/logged", { wait_seconds: 5 });
  await locks.rules("DELETE", "/logged");
  await locks.rules("DELETE", "/logged");
  expect(changes()).toMatchObject([
    { action: "lock-rule-created", target: "logged", changes: { "key.name": [null, "Order"] } },
    { action: "lock-rule-changed", target: "logged", changes: { wait_seconds: [0, 5] } },
    { action: "lock-rule-deleted", target: "logged" },
  ]);
});
