import { expect, test } from "vitest";
import type { Envelope } from "../../src/api/envelope.ts";
import { managementApp } from "../../src/worker/operators/rooms-app.ts";
import type { RoomResource } from "../../src/api/rooms/resource.ts";
import { ADMIN_TOKEN, mounted, room, type Registry } from "../durable/registry-harness.ts";
import { withApi, ZONE } from "./management-harness.ts";

const ADMIN = `Bearer ${ADMIN_TOKEN}`;

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
