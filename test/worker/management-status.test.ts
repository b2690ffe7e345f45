import { expect, test } from "vitest";
import type { RoomSnapshot } from "../../src/core/snapshot.ts";
import type { Env } from "../../src/worker/platform/env.ts";
import type { Envelope } from "../../src/api/envelope.ts";
import { managementApp } from "../../src/worker/operators/rooms-app.ts";
import { ADMIN_TOKEN, envOn, mounted, room, withRegistry } from "../durable/registry-harness.ts";
import { openSnapshot } from "./fakes.ts";
import { withApi, ZONE } from "./management-harness.ts";

const ADMIN = `Bearer ${ADMIN_TOKEN}`;

const snapshot = (more: Partial<RoomSnapshot>): RoomSnapshot =>
  openSnapshot({ mode: "queues", lobbiesOpen: [], ...more });

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
