import { expect, test } from "vitest";
import type { Env } from "../../src/worker/platform/env.ts";
import { keysApp, managementApp } from "../../src/worker/operators/rooms-app.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import { ADMIN_TOKEN, envOn, mounted, room, withRegistry } from "../durable/registry-harness.ts";
import { withApi, ZONE } from "./management-harness.ts";

const ADMIN = `Bearer ${ADMIN_TOKEN}`;

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

test("[ROOM-22] a room that gives its suffix up gets one that no renamed room goes by", () =>
  withApi("suffix-given-up", async ({ call, made, rooms }) => {
    await made("shop");
    await call("PATCH", `${ZONE}/shop`, { name: "boutique" });
    await made("stall", { path: "/new", cookie_suffix: "stall" });
    const suffixAfter = async (change: object) => {
      await call("PATCH", `${ZONE}/${"name" in change ? "stall" : "shop"}`, change);
      const told = rooms.told.at(-1);
      return told !== undefined && "cookieSuffix" in told ? told.cookieSuffix : null;
    };
    const own = expect.stringMatching(/^shop-[0-9a-f]{8}$/);
    expect(await suffixAfter({ name: "shop", cookie_suffix: null })).toEqual(own);
    expect(await suffixAfter({ description: "moved" })).toEqual(own);
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
  [`Bearer ${ADMIN_TOKEN.slice(0, -1)}`, 401],
  [`Basic ${ADMIN_TOKEN}`, 401],
  ["Bearer ", 401],
  [`bearer ${ADMIN_TOKEN}`, 200],
])("[API-4] the authorization %j: %i", (authorization, status) =>
  withRegistry("auth", async (bench) => {
    const headers = authorization === undefined ? {} : { Authorization: authorization };
    const response = await mounted(managementApp).request(ZONE, { headers }, envOn(bench));
    expect(response.status).toBe(status);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    if (status === 401) {
      expect(response.headers.get("WWW-Authenticate")).toMatch(/^Bearer/);
      expect(await response.json()).toMatchObject({ success: false, errors: [{ code: 10000 }] });
    }
  }),
);

test.each([
  [{ "X-Auth-Key": ADMIN_TOKEN }, 200],
  [{ "X-Auth-Key": ADMIN_TOKEN, "X-Auth-Email": "admin@example.com" }, 200],
  [{ "X-Auth-Key": `${ADMIN_TOKEN}x` }, 401],
  [{ "X-Auth-Key": "" }, 401],
  [{ "X-Auth-Key": ADMIN_TOKEN, Authorization: "Bearer wrong" }, 401],
  [{ "X-Auth-Key": "wrong", Authorization: ADMIN }, 200],
  [{ "X-Auth-Email": ADMIN_TOKEN }, 401],
])("[API-20] the headers %j: %i, for rooms and for keys", (headers, status) =>
  withRegistry("key auth", async (bench) => {
    const env = envOn(bench);
    expect((await mounted(managementApp).request(ZONE, { headers }, env)).status).toBe(status);
    expect((await mounted(keysApp).request("/", { headers }, env)).status).toBe(status);
  }),
);

test.each(["/user/tokens/verify", "/accounts/a/tokens/verify"])(
  "[API-21] %s says that the token is active, and nothing of it",
  (path) =>
    withApi(`verify ${path}`, async ({ call, env }) => {
      const answer = await call("GET", path);
      expect(answer).toMatchObject({ status: 200, success: true, result: { status: "active" } });
      expect((answer.result as { id: string }).id).toMatch(/^[0-9a-f]{32}$/);
      const wrong = { headers: { Authorization: "Bearer wrong" } };
      expect((await mounted(managementApp).request(path, wrong, env)).status).toBe(401);
    }),
);

test.each([
  ["DELETE", ZONE, "GET, POST"],
  ["POST", "/accounts/a/waiting_rooms", "GET"],
  ["POST", `${ZONE}/shop`, "GET, PUT, PATCH, DELETE"],
  ["PUT", `${ZONE}/shop/status`, "GET"],
  ["POST", `${ZONE}/settings`, "GET, PUT, PATCH"],
  ["POST", "/user/tokens/verify", "GET"],
])("[API-22] %s %s is not allowed; %s is", (method, path, allow) =>
  withApi("methods", async ({ call, made }) => {
    await made("shop");
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 405, success: false, errors: [{ code: 48011 }] });
    expect(answer.headers.get("Allow")).toBe(allow);
  }),
);

test("[API-23] only what time can mend is worth asking again", () =>
  withApi("retries", async ({ call, made, rooms, env }) => {
    await made("shop");
    const told = async (method: string, path: string, body?: unknown) => {
      const { status, headers } = await call(method, path, body);
      return [status, headers.get("X-Should-Retry")];
    };
    expect(await told("POST", ZONE, room("shop", { path: "/other" }))).toEqual([409, "false"]);
    expect(await told("POST", ZONE, {})).toEqual([400, "false"]);
    expect(await told("GET", `${ZONE}/nowhere`)).toEqual([404, "false"]);
    expect(await told("GET", `${ZONE}/shop`)).toEqual([200, null]);
    rooms.reachable = false;
    expect(await told("GET", `${ZONE}/shop/status`)).toEqual([503, null]);
    const wrong = { headers: { Authorization: "Bearer wrong" } };
    const app = mounted(managementApp);
    const guesses = [];
    for (let n = 0; n < 11; n += 1) guesses.push(await app.request(ZONE, wrong, env));
    expect(guesses.at(0)?.headers.get("X-Should-Retry")).toBe("false");
    expect(guesses.at(10)?.status).toBe(429);
    expect(guesses.at(10)?.headers.get("X-Should-Retry")).toBeNull();
  }));

test.each([[""], [undefined]])("[API-4] with the secret %j the API is off", (token) =>
  withRegistry("off", async (bench) => {
    const env = envOn(bench, { ADMIN_TOKEN: token } as Partial<Env>);
    const headers = { Authorization: "Bearer " };
    const response = await mounted(managementApp).request(ZONE, { headers }, env);
    expect(response.status).toBe(404);
    expect(await response.text()).toContain("ADMIN_TOKEN");
    const keys = await mounted(keysApp).request("/", { headers }, env);
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
    const bad = room("Shop 1", { path: "/shop", seiriken: { exempt: [{ rate: 1 }], typo: 1 } });
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
    const name = await call("POST", ZONE, room("A", { path: "/c" }));
    expect(name).toMatchObject({ status: 409, errors: [{ code: 48005 }] });
    const route = await call("PATCH", `${ZONE}/b`, { path: "/a" });
    expect(route).toMatchObject({ status: 409, errors: [{ code: 48006 }] });
    expect(route.errors[0]?.message).toBe("shop.example.com/a belongs to the room a.");
  }));
