import { expect, test } from "vitest";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import { instant } from "../../src/core/time.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import type { Envelope } from "../../src/api/envelope.ts";
import { keysApp, managementApp } from "../../src/worker/operators/rooms-app.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import {
  ADMIN_TOKEN,
  envOn,
  mounted,
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
const ADMIN = `Bearer ${ADMIN_TOKEN}`;

const withApi = (name: string, use: (api: Api) => Promise<void>) =>
  withRegistry(`management ${name}`, async (bench) => {
    const env = envOn(bench);
    const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
      const init = {
        method,
        headers: { Authorization: `Bearer ${ADMIN_TOKEN}` },
        ...(body === undefined
          ? {}
          : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      };
      const response = await mounted(managementApp).request(path, init, env);
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

/** The same Registry from far away: each answer arrives when `arrives` lets it. */
const farRegistry = (registry: Registry, arrives: () => Promise<unknown>): Registry =>
  new Proxy(registry, {
    get: (near, name) => async (asked: unknown, more: unknown, last: unknown) => {
      const call = Reflect.get(near, name) as (...given: unknown[]) => Promise<unknown>;
      const answer = await call.call(near, asked, more, last);
      await arrives();
      return answer;
    },
  });

test("[API-9] fifty patches at once all succeed, each on top of the one before", () =>
  withApi("fifty", async ({ env, registry, call, made }) => {
    await made("shop");
    const allHaveAsked = Promise.withResolvers<void>();
    let asked = 0;
    const far = farRegistry(registry, () => {
      asked += 1;
      if (asked === 50) allHaveAsked.resolve();
      return allHaveAsked.promise;
    });
    const patch = async (n: number) => {
      const exempt = [{ path: `/assets-${n}` }];
      const body = JSON.stringify(n % 2 ? { description: `${n}` } : { seiriken: { exempt } });
      const init = { method: "PATCH", headers: { Authorization: ADMIN }, body };
      const farEnv = { ...env, REGISTRY: { getByName: () => far } };
      const response = await mounted(managementApp).request(`${ZONE}/shop`, init, farEnv);
      return { status: response.status, ...((await response.json()) as Envelope) };
    };
    const answers = await Promise.all(Array.from({ length: 50 }, (_, n) => patch(n)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    const rooms = answers.map(({ result }) => result as RoomResource);
    const inOrder = rooms.toSorted((a, b) => (a.modified_on < b.modified_on ? -1 : 1));
    expect(new Set(rooms.map(({ modified_on }) => modified_on)).size).toBe(50);
    for (const [at, after] of inOrder.slice(1).entries()) {
      const before = inOrder[at];
      const differs = [
        after.description !== before?.description,
        after.seiriken.exempt[0]?.path !== before?.seiriken.exempt[0]?.path,
      ];
      expect(differs.filter(Boolean)).toHaveLength(1);
    }
    expect((await call("GET", `${ZONE}/shop`)).result).toEqual(inOrder.at(-1));
  }));

test("[API-14] a put that does not name seiriken undoes no patch that was answered", () =>
  withApi("put and patch", async ({ env, registry, call, made }) => {
    await made("shop");
    const patched = Promise.withResolvers<void>();
    const far = farRegistry(registry, () => patched.promise);
    const body = JSON.stringify(room("shop", { total_active_users: 3 }));
    const init = { method: "PUT", headers: { Authorization: ADMIN }, body };
    const farEnv = { ...env, REGISTRY: { getByName: () => far } };
    const put = mounted(managementApp).request(`${ZONE}/shop`, init, farEnv);
    const texts = { message: "hello", closed: "Sold out" };
    await call("PATCH", `${ZONE}/shop`, { seiriken: texts });
    patched.resolve();
    expect((await put).status).toBe(200);
    expect((await call("GET", `${ZONE}/shop`)).result).toMatchObject({
      total_active_users: 3,
      seiriken: texts,
    });
  }));

test("[API-15] If-Match changes what was read, and nothing that was changed since", () =>
  withApi("if-match", async ({ made, call, env }) => {
    const first = await made("shop");
    const put = async (ifMatch: string) => {
      const headers = { Authorization: ADMIN, "If-Match": ifMatch };
      const init = { method: "PUT", headers, body: JSON.stringify(room("shop")) };
      return mounted(managementApp).request(`${ZONE}/shop`, init, env);
    };
    const read = await mounted(managementApp).request(
      `${ZONE}/shop`,
      { headers: { Authorization: ADMIN } },
      env,
    );
    expect(read.headers.get("ETag")).toBe(`"${first.modified_on}"`);
    await call("PATCH", `${ZONE}/shop`, { queue_all: true });
    const outdated = await put(`"${first.modified_on}"`);
    expect(outdated.status).toBe(412);
    expect(await outdated.json()).toMatchObject({ errors: [{ code: 48008 }] });
    expect((await put("W/nonsense")).status).toBe(412);
    expect((await call("GET", `${ZONE}/shop`)).result).toMatchObject({ queue_all: true });
    const again = await mounted(managementApp).request(
      `${ZONE}/shop`,
      { headers: { Authorization: ADMIN } },
      env,
    );
    const done = await put(again.headers.get("ETag") ?? "");
    expect(done.status).toBe(200);
    expect(done.headers.get("ETag")).not.toBe(again.headers.get("ETag"));
    expect((await put("*")).status).toBe(200);
    expect((await put(`W/${(await put("*")).headers.get("ETag")}`)).status).toBe(200);
  }));

test("[API-15] a room is deleted as it was read, and read once", () =>
  withApi("conditions", async ({ made, call, env }) => {
    const first = await made("shop");
    const ask = (method: string, condition: Record<string, string>) => {
      const headers = { Authorization: ADMIN, ...condition };
      return mounted(managementApp).request(`${ZONE}/shop`, { method, headers }, env);
    };
    const old = `"${first.modified_on}"`;
    const same = await ask("GET", { "If-None-Match": `"other", W/${old}` });
    expect([same.status, await same.text(), same.headers.get("ETag")]).toEqual([304, "", old]);
    expect((await ask("GET", { "If-None-Match": "*" })).status).toBe(304);
    await call("PATCH", `${ZONE}/shop`, { queue_all: true });
    expect((await ask("GET", { "If-None-Match": old })).status).toBe(200);
    expect((await ask("DELETE", { "If-Match": old })).status).toBe(412);
    const now = (await ask("GET", {})).headers.get("ETag") ?? "";
    expect((await ask("DELETE", { "If-Match": now })).status).toBe(200);
  }));

test("[API-2] [ROOM-5] a name is given back as it was written, and found however it is", () =>
  withApi("cases", async ({ call, made }) => {
    const { id } = await made("Production_Webinar");
    for (const named of ["production_webinar", "Production_Webinar", id.toUpperCase()])
      expect((await call("GET", `${ZONE}/${named}`)).result).toMatchObject({
        id,
        name: "Production_Webinar",
      });
    const patched = await call("PATCH", `${ZONE}/PRODUCTION_WEBINAR`, { queue_all: true });
    expect(patched.result).toMatchObject({ id, queue_all: true });
  }));

const nested = (depth: number): string => `${'{"id":'.repeat(depth)}1${"}".repeat(depth)}`;

test.each([
  ["POST", ZONE],
  ["PUT", `${ZONE}/shop`],
  ["PATCH", `${ZONE}/shop`],
])("[API-16] %s %s that is nested without end is refused at its place", (method, path) =>
  withApi(`deep ${method}`, async ({ call, made, registry }) => {
    await made("shop");
    const before = (await registry.definitions(null))?.version ?? 0;
    for (const depth of [33, 30_000]) {
      const answer = await call(method, path, nested(depth));
      expect(answer.status).toBe(400);
      expect(answer.errors.map(({ source }) => source?.pointer)).toContain("/id".repeat(32));
    }
    expect(await registry.definitions(before)).toBeNull();
    const deepEnough = await call(method, path, nested(32));
    expect(JSON.stringify(deepEnough.errors)).not.toContain("nested");
  }),
);

test.each([
  ["POST", ZONE],
  ["PUT", `${ZONE}/shop`],
  ["PATCH", `${ZONE}/shop`],
])("[ROOM-20] %s %s can't name what is no field", (method, path) =>
  withApi(`proto ${method}`, async ({ call, made }) => {
    await made("shop");
    for (const name of ["__proto__", "constructor", "prototype"]) {
      const inside = `{"${name}":{"total_active_users":1},"seiriken":{"${name}":{}},"id":[{"${name}":1}]}`;
      const answer = await call(method, path, inside);
      expect(answer.status).toBe(400);
      const pointers = answer.errors.map(({ source }) => source?.pointer);
      expect(pointers).toEqual(
        expect.arrayContaining([`/${name}`, `/seiriken/${name}`, `/id/0/${name}`]),
      );
    }
    expect((await call("GET", `${ZONE}/shop`)).result).toMatchObject({ total_active_users: 10 });
  }),
);

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
  newcomer: { known: false, reason: "no-ends" },
  endedSince: null,
  ended: [],
  ...more,
});

test.each([
  ["open", "not_queueing"],
  ["queues", "queueing"],
  ["paused", "queueing"],
  ["closed", "queueing"],
  ["suspended", "suspended"],
] as const)("[API-10] a room that is %s is %s", (mode, status) =>
  withApi(`status ${mode}`, async ({ call, made, rooms }) => {
    await made("shop");
    const newcomer = { known: true, seconds: 121, low: 90, high: 170 } as const;
    rooms.snapshotOf = () =>
      snapshot({ mode, waiting: 41, called: 1, visiting: 9, entriesPerMinute: 20.04, newcomer });
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

test.each([
  [{}, 34],
  [{ starts_per_second: 50 }, 50],
  [{ permit: "request" }, null],
])("[API-10] the status tells how many a second may call, with %j", (seiriken, most) =>
  withApi(`pace ${most}`, async ({ call, made, rooms }) => {
    await made("shop", { new_users_per_minute: 1_000, seiriken });
    rooms.snapshotOf = () => snapshot({ waiting: 41 });
    const { result } = await call("GET", `${ZONE}/shop/status`);
    expect(result).toMatchObject({ seiriken: { calls_per_second: most } });
  }),
);

test("[API-10] while nobody can say how long it takes, the longest wait is 0", () =>
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
  ["GET", `${ZONE}/shop/events/1/rules`],
  ["GET", "/user"],
])("[API-12] %s %s is not offered, in the envelope", (method, path) =>
  withApi("later", async ({ call }) => {
    const answer = await call(method, path);
    expect(answer).toMatchObject({ status: 404, success: false, errors: [{ code: 7003 }] });
  }),
);

const BYPASS = { search_engine_crawler_bypass: true };
const NO_BYPASS = { search_engine_crawler_bypass: false };

test("[API-26] the zone's settings are read, replaced and changed, and outlive a restart", () =>
  withRegistry("zone settings", async (bench) => {
    let registry = bench.registry;
    const env = { ...envOn(bench), REGISTRY: { getByName: () => registry } } as unknown as Env;
    const ask = async (method: string, body?: object) => {
      const init = { method, headers: { Authorization: ADMIN }, body: JSON.stringify(body) };
      const answer = await mounted(managementApp).request(`${ZONE}/settings`, init, env);
      return { status: answer.status, ...((await answer.json()) as Envelope) };
    };
    expect(await ask("GET")).toMatchObject({ status: 200, result: NO_BYPASS });
    const before = (await registry.definitions(null))!.version;
    expect(await ask("PUT", BYPASS)).toMatchObject({
      result: BYPASS,
      messages: [{ code: 48102, source: { pointer: "/search_engine_crawler_bypass" } }],
    });
    registry = bench.restart();
    expect((await registry.definitions(before))?.settings).toEqual({ crawlersPass: true });
    expect(await ask("PATCH", {})).toMatchObject({ result: BYPASS });
    expect(await ask("GET")).toMatchObject({ result: BYPASS });
    expect(await ask("PUT", {})).toMatchObject({ result: NO_BYPASS, messages: [] });
    expect(await ask("PATCH", { ...BYPASS, typo: 1 })).toMatchObject({
      status: 400,
      errors: [{ code: 48003, source: { pointer: "/typo" } }],
    });
    expect(await ask("GET")).toMatchObject({ result: NO_BYPASS });
  }));

test("[API-26] where the edge tells of bots there is nothing to add", () =>
  withApi("edge", async ({ env }) => {
    const init = {
      method: "PUT",
      headers: { Authorization: ADMIN },
      body: JSON.stringify(BYPASS),
      cf: { verifiedBotCategory: "" },
    };
    const answer = await mounted(managementApp).request(`${ZONE}/settings`, init, env);
    expect(await answer.json()).toMatchObject({ result: BYPASS, messages: [] });
  }));

test("[API-13] what is kept but does nothing is said", () =>
  withApi("kept", async ({ call }) => {
    const kept = {
      custom_page_html: "<p>{{waitTime}}",
      turnstile_mode: "invisible",
      turnstile_action: "infinite_queue",
      default_template_language: "tl-PH",
      json_response_enabled: false,
      cookie_attributes: { samesite: "lax", secure: "always" },
      enabled_origin_commands: ["revoke"],
    };
    const answer = await call("POST", ZONE, room("shop", kept));
    expect(answer.success).toBe(true);
    expect(answer.messages.map(({ source }) => source?.pointer)).toEqual([
      "/turnstile_mode",
      "/turnstile_action",
    ]);
  }));

test("[TURNSTILE-8] what settings about strangers can't do is said, and whom they keep out", () =>
  withApi("strangers", async ({ call, env }) => {
    const held = { turnstile_mode: "invisible", turnstile_action: "infinite_queue" };
    const told = async (body: object) => {
      const answer = await call("POST", ZONE, body);
      return answer.messages.map(({ message, source }) => `${source?.pointer}: ${message}`);
    };
    expect((await told(room("nokeys", held))).join()).toContain("lacks TURNSTILE_SITE_KEY");
    const reject = { queueing_method: "reject", seiriken: { proof_of_work: {} } };
    expect((await told(room("reject", reject))).join()).toContain("/seiriken/proof_of_work");
    expect(await told(room("off", { turnstile_action: "infinite_queue" }))).toHaveLength(1);
    Object.assign(env, { TURNSTILE_SITE_KEY: "a", TURNSTILE_SECRET_KEY: "b" });
    expect((await told(room("keys", held))).join()).toMatch(
      /^.turnstile_action: .*wait.* for ever/,
    );
    expect(await told(room("work", { ...held, seiriken: { proof_of_work: {} } }))).toEqual([]);
    expect(await told(room("log", { ...held, turnstile_action: "log" }))).toEqual([]);
  }));

const keys = async (env: Env, method: string, path: string, token = ADMIN_TOKEN) => {
  const headers = { Authorization: `Bearer ${token}` };
  const response = await mounted(keysApp).request(path, { method, headers }, env);
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

test("[KEY-8] a key is revoked by its name, and only by one that is there", () =>
  withApi("revoke", async ({ env }) => {
    const first = (await keys(env, "GET", "/")).body.keys[0]!;
    const [fresh] = (await keys(env, "POST", "/rotate")).body.keys;
    expect(await keys(env, "DELETE", `/${first}`)).toMatchObject({
      status: 200,
      body: { source: "registry", keys: [fresh] },
    });
    const again = await keys(env, "DELETE", `/${first}`);
    expect(again).toMatchObject({ status: 404, body: { code: "key-not-found" } });
    const given = { ...env, SIGNING_KEYS: "k2:s3cret, k1:older" };
    const fixed = await keys(given, "DELETE", "/k1");
    expect(fixed).toMatchObject({ status: 409, body: { code: "keys-from-secret" } });
  }));

test("[KEY-7] a rotation too many is a conflict that names the key to revoke", () =>
  withApi("rotated too often", async ({ env }) => {
    const first = (await keys(env, "GET", "/")).body.keys[0]!;
    for (let n = 1; n < 40; n += 1) await keys(env, "POST", "/rotate");
    const refused = await keys(env, "POST", "/rotate");
    expect(refused).toMatchObject({ status: 409, body: { code: "too-many-keys" } });
    // The first one signs still: the oldest of those that don't is another.
    const detail = (refused.body as unknown as { detail: string }).detail;
    const listed = (await keys(env, "GET", "/")).body.keys;
    expect(listed[0]).toBe(first);
    expect(detail).toContain(`${listed.at(-1)} is the oldest`);
  }));

test("[KEY-5] errors are problems", () =>
  withApi("key problems", async ({ env }) => {
    const problem = { type: "application/problem+json" };
    expect(await keys(env, "GET", "/", "wrong")).toMatchObject({ status: 401, ...problem });
    expect(await keys(env, "GET", "/nothing")).toMatchObject({ status: 405, ...problem });
    expect(await keys(env, "GET", "/not/hing")).toMatchObject({ status: 404, ...problem });
  }));
