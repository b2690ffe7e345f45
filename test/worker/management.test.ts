import { expect, test } from "vitest";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import { instant } from "../../src/core/time.ts";
import type { Env } from "../../src/worker/env.ts";
import type { Envelope } from "../../src/worker/management/envelope.ts";
import { keysApp, managementApp } from "../../src/worker/management/index.ts";
import type { RoomResource } from "../../src/worker/management/resource.ts";
import {
  envOn,
  room,
  withRegistry,
  type RecordedRooms,
  type Registry,
} from "../durable/registry-harness.ts";

interface Answer extends Envelope {
  readonly status: number;
  readonly headers: Headers;
}

interface Api {
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** The room of an answer that must be a success. */
  made(name: string, more?: Record<string, unknown>): Promise<RoomResource>;
  readonly rooms: RecordedRooms;
  readonly registry: Registry;
  readonly env: Env;
}

const ZONE = "/zones/z/waiting_rooms";

const withApi = (name: string, use: (api: Api) => Promise<void>) =>
  withRegistry(`management ${name}`, async (bench) => {
    const env = envOn(bench);
    const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const init = {
        method,
        headers: { Authorization: "Bearer admin" },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      };
      const response = await managementApp.request(path, init, env);
      const envelope = (await response.json()) as Envelope;
      return { status: response.status, headers: response.headers, ...envelope };
    };
    const made = async (of: string, more = {}) =>
      (await call("POST", ZONE, room(of, more))).result as RoomResource;
    await use({ call, made, rooms: bench.rooms, registry: bench.registry, env });
  });

test("[API-1] create, get, list, put, patch and delete in Cloudflare's envelope", () =>
  withApi("all", async ({ call }) => {
    const created = await call("POST", ZONE, room("shop", { description: "d" }));
    expect(created).toMatchObject({ status: 200, success: true, errors: [], messages: [] });
    const made = created.result as RoomResource;
    expect(made.id).toMatch(/^[0-9a-f]{32}$/);
    expect(made.created_on).toBe(made.modified_on);

    expect((await call("GET", `${ZONE}/${made.id}`)).result).toEqual(made);
    const list = await call("GET", ZONE);
    expect(list.result).toEqual([made]);
    expect(list.result_info).toEqual({
      page: 1,
      per_page: 25,
      count: 1,
      total_count: 1,
      total_pages: 1,
    });

    const put = await call("PUT", `${ZONE}/${made.id}`, room("shop", { total_active_users: 3 }));
    expect(put.result).toMatchObject({ id: made.id, total_active_users: 3, description: "" });
    const patched = await call("PATCH", `${ZONE}/${made.id}`, { queue_all: true });
    expect(patched.result).toMatchObject({ total_active_users: 3, queue_all: true });

    const gone = await call("DELETE", `${ZONE}/${made.id}`);
    expect(gone).toMatchObject({ status: 200, success: true, result: { id: made.id } });
    expect(await call("GET", `${ZONE}/${made.id}`)).toMatchObject({
      status: 404,
      success: false,
      result: null,
      errors: [{ code: 48001 }],
    });
  }));

test("[API-2] a room is found by its id and by its name; a name survives nothing but itself", () =>
  withApi("names", async ({ call, made }) => {
    const { id } = await made("shop");
    expect((await call("GET", `${ZONE}/shop`)).result).toMatchObject({ id });
    const renamed = await call("PATCH", `${ZONE}/shop`, { name: "boutique" });
    expect(renamed.result).toMatchObject({ id, name: "boutique" });
    expect((await call("GET", `${ZONE}/shop`)).status).toBe(404);
    expect((await call("GET", `${ZONE}/boutique`)).status).toBe(200);
  }));

test("[ROOM-19] a new name keeps the cookies' names, and a newcomer takes others", () =>
  withApi("suffix", async ({ call, made, rooms }) => {
    await made("shop");
    await call("PATCH", `${ZONE}/shop`, { name: "boutique" });
    await made("shop", { path: "/new" });
    await call("PATCH", `${ZONE}/boutique`, { cookie_suffix: "own" });
    const suffixes = rooms.told.map((told) => ("cookieSuffix" in told ? told.cookieSuffix : null));
    expect(suffixes).toEqual(["shop", "shop", expect.stringMatching(/^shop-[0-9a-f]{8}$/), "own"]);
  }));

test("[API-3] pages; beyond the last there is nothing", () =>
  withApi("pages", async ({ call, made }) => {
    for (const name of ["a", "b", "c"]) await made(name);
    const second = await call("GET", "/accounts/any/waiting_rooms?page=2&per_page=2");
    expect(second.result).toMatchObject([{ name: "c" }]);
    expect(second.result_info).toMatchObject({ page: 2, count: 1, total_count: 3, total_pages: 2 });
    expect((await call("GET", `${ZONE}?page=3&per_page=2`)).result).toEqual([]);
    for (const query of ["page=0", "per_page=0", "per_page=1001", "page=x", "page=1.5"]) {
      expect((await call("GET", `${ZONE}?${query}`)).status).toBe(400);
    }
  }));

test.each([
  [undefined, 401],
  ["Bearer wrong", 401],
  ["Bearer admi", 401],
  ["Basic admin", 401],
  ["Bearer ", 401],
  ["bearer admin", 200],
])("[API-4] the authorization %j: %i", (authorization, status) =>
  withRegistry("auth", async (bench) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await managementApp.request(ZONE, { headers }, envOn(bench));
    expect(response.status).toBe(status);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    if (status === 401) {
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ success: false, errors: [{ code: 10000 }] });
    }
  }),
);

test.each([[""], [undefined]])("[API-4] with the secret %j the API is off", (token) =>
  withRegistry("off", async (bench) => {
    const env = envOn(bench, { ADMIN_TOKEN: token } as Partial<Env>);
    const headers = { Authorization: "Bearer " };
    const response = await managementApp.request(ZONE, { headers }, env);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("ADMIN_TOKEN");
    const keys = await keysApp.request("/", { headers }, env);
    expect(keys.status).toBe(404);
  }),
);

test("[API-5] who says nothing about seiriken in a PUT leaves it alone", () =>
  withApi("put", async ({ call, made }) => {
    await made("shop", { seiriken: { strict: true, message: "hello" } });
    const terraform = await call("PUT", `${ZONE}/shop`, room("shop"));
    expect(terraform.result).toMatchObject({ seiriken: { strict: true, message: "hello" } });
    const ours = await call("PUT", `${ZONE}/shop`, room("shop", { seiriken: { lobbies: 2 } }));
    expect(ours.result).toMatchObject({ seiriken: { strict: false, message: null, lobbies: 2 } });
  }));

test("[API-5] a patch is laid over what is there, one level down too; null means the default", () =>
  withApi("patch", async ({ call, made }) => {
    const before = await made("shop", {
      session_duration: 9,
      seiriken: { strict: true, message: "hello", appearance: { name: "Shop", accent: "#000000" } },
    });
    const patch = {
      session_duration: null,
      seiriken: { message: null, closed: "Sold out", appearance: { name: null } },
    };
    const { result } = await call("PATCH", `${ZONE}/shop`, patch);
    expect(result).toMatchObject({
      session_duration: 5,
      created_on: before.created_on,
      seiriken: {
        strict: true,
        message: null,
        closed: "Sold out",
        appearance: { name: null, accent: "#000000" },
      },
    });
  }));

test("[API-6] every problem has a pointer", () =>
  withApi("problems", async ({ call, registry }) => {
    const bad = room("Shop", { seiriken: { exempt: [{ rate: 1 }], typo: 1 } });
    const answer = await call("POST", ZONE, bad);
    expect(answer).toMatchObject({ status: 400, success: false, result: null });
    expect(answer.errors.map(({ source }) => source?.pointer)).toEqual([
      "/name",
      "/seiriken/exempt/0",
      "/seiriken/typo",
    ]);
    expect((await registry.definitions(null))?.rooms).toEqual([]);
  }));

test.each([
  ["POST", ZONE],
  ["PUT", `${ZONE}/shop`],
  ["PATCH", `${ZONE}/shop`],
])("[API-7] %s %s wants JSON, and not too much of it", (method, path) =>
  withApi(`body ${method}`, async ({ call, made }) => {
    await made("shop");
    const broken = await call(method, path, '{"name":\n x}');
    expect(broken).toMatchObject({ status: 400, errors: [{ code: 48002 }] });
    expect(broken.errors[0]?.message).toContain("line 2, column 2");
    for (const json of ["null", "[]", "7"]) {
      expect(await call(method, path, json)).toMatchObject({ status: 400 });
    }
    const large = await call(method, path, `"${"x".repeat(262_144)}"`);
    expect(large).toMatchObject({ status: 413, errors: [{ code: 48004 }] });
  }),
);

test("[API-8] a taken name or route is a conflict", () =>
  withApi("conflicts", async ({ call, made }) => {
    await made("a");
    await made("b");
    const name = await call("POST", ZONE, room("a", { path: "/c" }));
    expect(name).toMatchObject({ status: 409, errors: [{ code: 48005 }] });
    const route = await call("PATCH", `${ZONE}/b`, { path: "/a" });
    expect(route).toMatchObject({ status: 409, errors: [{ code: 48006 }] });
    expect(route.errors[0]?.message).toBe("shop.example.com/a belongs to the room a.");
  }));

test("[API-9] patches at the same moment lose nothing", () =>
  withApi("race", async ({ call, made }) => {
    await made("shop");
    await Promise.all([
      call("PATCH", `${ZONE}/shop`, { queue_all: true }),
      call("PATCH", `${ZONE}/shop`, { suspended: true }),
      call("PATCH", `${ZONE}/shop`, { seiriken: { message: "hello" } }),
    ]);
    expect((await call("GET", `${ZONE}/shop`)).result).toMatchObject({
      queue_all: true,
      suspended: true,
      seiriken: { message: "hello" },
    });
  }));

const snapshot = (more: Partial<RoomSnapshot>): RoomSnapshot => ({
  version: { boot: "b", ended: 0 },
  at: instant(0),
  mode: "queues",
  epoch: 1,
  message: null,
  closed: null,
  lobbiesOpen: [],
  waiting: 0,
  called: 0,
  visiting: 0,
  permitsMax: 10,
  issued: 0,
  entriesPerMinute: 0,
  endedSince: null,
  ended: [],
  ...more,
});

test.each([
  ["open", "not_queueing"],
  ["queues", "queueing"],
  ["held", "queueing"],
  ["closed", "queueing"],
  ["suspended", "suspended"],
] as const)("[API-10] a room that is %s is %s", (mode, status) =>
  withApi(`status ${mode}`, async ({ call, made, rooms }) => {
    await made("shop");
    rooms.snapshotOf = () =>
      snapshot({ mode, waiting: 41, called: 1, visiting: 9, entriesPerMinute: 20.04 });
    expect((await call("GET", `${ZONE}/shop/status`)).result).toMatchObject({
      event_id: "",
      status,
      estimated_queued_users: 41,
      estimated_total_active_users: 9,
      max_estimated_time_minutes: 3,
      seiriken: { mode, waiting: 41, called: 1, visiting: 9, permits: 10, entries_per_minute: 20 },
    });
  }),
);

test("[API-10] while nobody enters, the longest wait is 0", () =>
  withApi("unknown wait", async ({ call, made, rooms }) => {
    await made("shop");
    rooms.snapshotOf = () => snapshot({ waiting: 41 });
    const { result } = await call("GET", `${ZONE}/shop/status`);
    expect(result).toMatchObject({ max_estimated_time_minutes: 0 });
  }));

test("[API-11] a Room out of reach is a 503 that leaks nothing", () =>
  withApi("unreachable", async ({ call, made, rooms }) => {
    await made("shop");
    rooms.reachable = false;
    const answer = await call("GET", `${ZONE}/shop/status`);
    expect(answer).toMatchObject({ status: 503, errors: [{ code: 48009 }] });
    expect(answer.headers.get("Retry-After")).toBe("1");
    expect(JSON.stringify(answer)).not.toContain("unreachable");
  }));

test.each([
  ["GET", `${ZONE}/settings`],
  ["POST", `${ZONE}/preview`],
  ["GET", `${ZONE}/shop/events`],
  ["GET", `${ZONE}/shop/events/1/details`],
  ["PUT", `${ZONE}/shop/rules`],
  ["DELETE", ZONE],
  ["GET", "/user"],
])("[API-12] %s %s is not offered, in the envelope", (method, path) =>
  withApi("later", async ({ call }) => {
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 404, success: false, errors: [{ code: 7003 }] });
  }),
);

test("[API-13] what is kept but does nothing is said", () =>
  withApi("kept", async ({ call }) => {
    const kept = { custom_page_html: "<p>", turnstile_mode: "invisible" };
    const answer = await call("POST", ZONE, room("shop", kept));
    expect(answer.success).toBe(true);
    expect(answer.messages.map(({ source }) => source?.pointer)).toEqual([
      "/custom_page_html",
      "/turnstile_mode",
    ]);
  }));

const keys = async (env: Env, method: string, path: string, token = "admin") => {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await keysApp.request(path, { method, headers }, env);
  const body = (await response.json()) as { keys: string[]; code?: string };
  return { status: response.status, type: response.headers.get("Content-Type"), body };
};

test("[KEY-3] the API shows names of keys, never secrets", () =>
  withApi("keys", async ({ env, registry }) => {
    const first = await keys(env, "GET", "/");
    const rotated = await keys(env, "POST", "/rotate");
    expect(rotated.body.keys).toHaveLength(2);
    expect(rotated.body.keys[1]).toBe(first.body.keys[0]);
    const secrets = (await registry.definitions(null))!.keys.map(({ secret }) => secret);
    for (const secret of secrets) expect(JSON.stringify([first, rotated])).not.toContain(secret);
  }));

test("[KEY-4] keys of the secret are listed, and rotated where they live", () =>
  withApi("secret keys", async ({ env }) => {
    const given = { ...env, SIGNING_KEYS: "k2:s3cret, k1:older" };
    expect((await keys(given, "GET", "/")).body).toEqual({ source: "secret", keys: ["k2", "k1"] });
    expect(await keys(given, "POST", "/rotate")).toMatchObject({
      status: 409,
      type: "application/problem+json",
      body: { code: "keys-from-secret" },
    });
  }));

test("[KEY-5] errors are problems", () =>
  withApi("key problems", async ({ env }) => {
    const problem = { type: "application/problem+json" };
    expect(await keys(env, "GET", "/", "wrong")).toMatchObject({ status: 401, ...problem });
    expect(await keys(env, "GET", "/nothing")).toMatchObject({ status: 404, ...problem });
  }));
