import { expect, test } from "vitest";
import type { PlannedEventResource } from "../../src/api/events/resource.ts";
import { QUICKNET } from "../../src/core/draw/drand-chain.ts";
import type { RoomDefinition } from "../../src/core/definition.ts";
import type { EventDraw } from "../../src/core/events/event.ts";
import { ROOMS, withApi as withBench, type Answer } from "../durable/management-bench.ts";
import { room } from "../durable/registry-harness.ts";
import { NO_EVENT_LIMITS } from "../support/event-defaults.ts";

const EVENTS = `${ROOMS}/shop/events`;
/** Another way to say a time is given back as it was said. */
const SALE = {
  name: "Night_Sale-1",
  event_start_time: "2126-11-28T20:00:00.5+09:00",
  event_end_time: "2126-11-28t13:00:00.123456789z",
};
const SHUFFLED = {
  ...SALE,
  prequeue_start_time: "2126-11-28T10:00:00Z",
  shuffle_at_event_start: true,
};
const withApi = (...[name, ...rest]: Parameters<typeof withBench>) =>
  withBench(`events ${name}`, ...rest);

const resultOf = (answer: Answer): PlannedEventResource => {
  expect(answer, JSON.stringify(answer.errors)).toMatchObject({ status: 200, success: true });
  return answer.result as PlannedEventResource;
};
const pointersIn = ({ errors }: Answer) => errors.map(({ source }) => source?.pointer);

test("[EVAPI-1] [EVAPI-2] events are made, listed, read, replaced, changed and deleted", () =>
  withApi("all", async ({ call }) => {
    const made = resultOf(await call("POST", EVENTS, SALE));
    expect(made).toEqual({
      ...SALE,
      ...NO_EVENT_LIMITS,
      id: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
      created_on: made.modified_on,
      modified_on: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      description: "",
      prequeue_start_time: null,
      suspended: false,
      shuffle_at_event_start: false,
      seiriken: { draw: null },
    });
    const path = `${EVENTS}/${made.id}`;
    expect(resultOf(await call("GET", path))).toEqual(made);
    expect(
      resultOf(await call("GET", path.toUpperCase().replace(EVENTS.toUpperCase(), EVENTS))),
    ).toEqual(made);
    const changes = { disable_session_renewal: true, description: "d", suspended: true };
    const changed = resultOf(await call("PATCH", path, changes));
    expect(changed).toEqual({ ...made, ...changes, modified_on: changed.modified_on });
    expect(resultOf(await call("PUT", path, changed))).toEqual(changed);
    const put = resultOf(await call("PUT", path, { ...SALE, session_duration: 0.5 }));
    expect(put).toEqual({ ...made, session_duration: 0.5, modified_on: put.modified_on });
    const listed = await call("GET", EVENTS);
    expect(listed.result).toEqual([put]);
    expect((await call("DELETE", path)).result).toEqual({ id: made.id });
    expect((await call("GET", EVENTS)).result).toEqual([]);
  }));

test("[EVAPI-1] lists come in pages, in the order of making", () =>
  withApi("pages", async ({ call }) => {
    for (const n of [1, 2, 3])
      await call("POST", EVENTS, { ...SALE, name: `e${n}`, suspended: true });
    const second = await call("GET", `${EVENTS}?page=2&per_page=2`);
    expect(second.result).toMatchObject([{ name: "e3" }]);
    const info = { page: 2, per_page: 2, count: 1, total_count: 3, total_pages: 2 };
    expect(second.result_info).toEqual(info);
    const refused = await call("GET", `${EVENTS}?page=0&per_page=x`);
    expect(refused.status).toBe(400);
  }));

test("[EVAPI-4] every problem is told at once, with its pointer, and nothing changes", () =>
  withApi("problems", async ({ call }) => {
    const made = resultOf(await call("POST", EVENTS, SALE));
    const wrong = {
      ...SALE,
      description: 7,
      prequeue_start_time: "2126-02-30T00:00:00Z",
      new_users_per_minute: 5,
      seiriken: { draw: "dice" },
      typo: 1,
    };
    const refused = await call("POST", EVENTS, wrong);
    expect(refused.status).toBe(400);
    expect(new Set(pointersIn(refused))).toEqual(
      new Set([
        ...["/description", "/name", "/new_users_per_minute", "/prequeue_start_time"],
        ...["/seiriken/draw", "/typo"],
      ]),
    );
    expect(refused.headers.get("X-Should-Retry")).toBe("false");
    expect(pointersIn(await call("POST", EVENTS, { name: "a b" }))).toEqual([
      "/name",
      "/event_start_time",
      "/event_end_time",
    ]);
    const patch = { event_end_time: SALE.event_start_time, suspended: "no" };
    const patched = await call("PATCH", `${EVENTS}/${made.id}`, patch);
    expect(pointersIn(patched)).toEqual(["/suspended", "/event_start_time"]);
    const again = await call("POST", EVENTS, { ...SALE, name: "other" });
    expect(again.errors).toMatchObject([
      { message: expect.stringContaining("the event Night_Sale-1") as string },
    ]);
    for (const body of [7, null, []])
      expect(pointersIn(await call("POST", EVENTS, body))).toEqual([""]);
    expect((await call("GET", EVENTS)).result).toEqual([made]);
  }));

test("[EVAPI-3] a room, event or call that is not there says so", () =>
  withApi("missing", async ({ call }) => {
    const nowhere = `${EVENTS}/${"0".repeat(32)}`;
    for (const answer of [
      await call("GET", `${ROOMS}/nobody/events`),
      await call("POST", `${ROOMS}/nobody/events`, SALE),
      await call("GET", nowhere),
      await call("GET", `${nowhere}/details`),
      await call("PUT", nowhere, SALE),
      await call("PATCH", nowhere, { suspended: 7 }),
      await call("PATCH", nowhere, {}),
      await call("DELETE", `${EVENTS}/Night_Sale-1`),
    ])
      expect(answer).toMatchObject({ status: 404, errors: [{ code: 48001 }] });
    for (const [method, path, allow] of [
      ["PUT", EVENTS, "GET, POST"],
      ["POST", nowhere, "GET, PUT, PATCH, DELETE"],
      ["PATCH", `${nowhere}/details`, "GET"],
    ] as const) {
      const wrong = await call(method, path, {});
      expect([wrong.status, wrong.headers.get("Allow")]).toEqual([405, allow]);
    }
  }));

test("[EVAPI-6] If-Match refuses what was changed since, and If-None-Match saves reading", () =>
  withApi("etag", async ({ call }) => {
    const none = (await call("GET", EVENTS)).headers.get("ETag") ?? "";
    const made = await call("POST", EVENTS, SALE, { "If-Match": none });
    const path = `${EVENTS}/${resultOf(made).id}`;
    const other = { ...SALE, name: "other", suspended: true };
    const late = await call("POST", EVENTS, other, { "If-Match": none });
    expect(late).toMatchObject({ status: 412, errors: [{ code: 48008 }] });
    expect(late.errors[0]?.message).toContain("changed the events");
    const standing = made.headers.get("ETag") ?? "";
    expect((await call("GET", path, undefined, { "If-None-Match": standing })).status).toBe(304);
    const list = (await call("GET", EVENTS)).headers.get("ETag") ?? "";
    expect((await call("GET", EVENTS, undefined, { "If-None-Match": list })).status).toBe(304);
    const edited = await call("PATCH", path, { suspended: true }, { "If-Match": standing });
    expect(edited.status).toBe(200);
    const outdated = await call("PATCH", path, { suspended: false }, { "If-Match": standing });
    expect(outdated.status).toBe(412);
    expect(outdated.errors[0]?.message).toContain("changed the event.");
    const either = `${standing}, ${edited.headers.get("ETag")}`;
    expect((await call("PUT", path, SALE, { "If-Match": either })).status).toBe(200);
    expect((await call("DELETE", path, undefined, { "If-Match": standing })).status).toBe(412);
    expect((await call("DELETE", path, undefined, { "If-Match": "*" })).status).toBe(200);
  }));

test("[EVAPI-6] changes at the same moment all succeed, and the Room hears before the answer", () =>
  withApi("together", async ({ call, rooms }) => {
    const { id } = resultOf(await call("POST", EVENTS, SALE));
    expect(rooms.told.at(-1)).toMatchObject({ events: { list: [{ id }] } });
    const patches = [
      ...["description", "queueing_method", "custom_page_html", "session_duration", "suspended"],
      ...Array.from({ length: 45 }, (_, n) => `new ${n}`),
    ];
    const value = { queueing_method: "reject", session_duration: 7, suspended: true };
    const answers = await Promise.all(
      patches.map((field) =>
        field.startsWith("new ")
          ? call("POST", EVENTS, { ...SALE, name: field.replace(" ", "-"), suspended: true })
          : call("PATCH", `${EVENTS}/${id}`, {
              [field]: { ...value }[field as "suspended"] ?? "text",
            }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(patches.map(() => 200));
    expect((await call("GET", `${EVENTS}/${id}`)).result).toMatchObject({
      ...value,
      description: "text",
      custom_page_html: "text",
    });
    expect((await call("GET", `${EVENTS}?per_page=100`)).result).toHaveLength(46);
    expect(rooms.told.at(-1)).toHaveProperty("events.list.length", 46);
  }));

test("[EVAPI-7] events stay when their room is changed, renamed, deleted and restored", () =>
  withApi("room", async ({ call, registry, restart }) => {
    const tag = (await call("GET", `${ROOMS}/shop`)).headers.get("ETag");
    const made = resultOf(await call("POST", EVENTS, { ...SALE, queueing_method: "random" }));
    await call("POST", `${ROOMS}/shop/rules`, { action: "bypass_waiting_room", expression: "ssl" });
    expect((await call("GET", `${ROOMS}/shop`)).headers.get("ETag")).toBe(tag);
    const same = await call("PUT", `${ROOMS}/shop`, room("shop"));
    expect(same.headers.get("ETag")).toBe(tag);
    await call("PATCH", `${ROOMS}/shop`, { total_active_users: 7, name: "boutique" });
    const requests = await call("PATCH", `${ROOMS}/boutique`, { seiriken: { permit: "request" } });
    expect(pointersIn(requests)).toEqual(["/seiriken/permit"]);
    expect((await call("GET", `${ROOMS}/boutique/events`)).result).toEqual([made]);
    const [definition] = (await registry.definitions(null))?.rooms ?? [];
    await registry.remove(definition!.id);
    expect((await restart().restore("boutique")).ok).toBe(true);
    expect((await call("GET", `${ROOMS}/boutique/events`)).result).toEqual([made]);
  }));

test("[EVAPI-8] a room tells its next event, and that is no change of the room", () =>
  withApi("next", async ({ call }) => {
    const none = { next_event_prequeue_start_time: null, next_event_start_time: null };
    expect((await call("GET", `${ROOMS}/shop`)).result).toMatchObject(none);
    const { id } = resultOf(await call("POST", EVENTS, SHUFFLED));
    const next = {
      next_event_prequeue_start_time: SHUFFLED.prequeue_start_time,
      next_event_start_time: SHUFFLED.event_start_time,
    };
    expect((await call("GET", `${ROOMS}/shop`)).result).toMatchObject(next);
    expect((await call("GET", ROOMS)).result).toMatchObject([next]);
    await call("PATCH", `${EVENTS}/${id}`, { suspended: true });
    expect((await call("GET", `${ROOMS}/shop`)).result).toMatchObject(none);
    const past = {
      ...SALE,
      event_start_time: "2021-09-28T15:30:00Z",
      event_end_time: "2021-09-28T17:00:00Z",
    };
    resultOf(await call("POST", EVENTS, { ...past, name: "past" }));
    expect((await call("GET", `${ROOMS}/shop`)).result).toMatchObject(none);
  }));

test("[EVAPI-11] its details are what holds while it is on, the room's where it sets nothing", () =>
  withApi("details", async ({ call }) => {
    await call("PATCH", `${ROOMS}/shop`, { session_duration: 9, disable_session_renewal: true });
    const limits = { total_active_users: 3, new_users_per_minute: 4 };
    const made = resultOf(await call("POST", EVENTS, { ...SHUFFLED, ...limits }));
    expect((await call("GET", `${EVENTS}/${made.id}/details`)).result).toEqual({
      ...made,
      session_duration: 9,
      disable_session_renewal: true,
      queueing_method: "fifo",
      custom_page_html: "",
      turnstile_mode: "off",
      turnstile_action: "log",
    });
    await call("PATCH", `${ROOMS}/shop`, { session_duration: 2 });
    const { result } = await call("GET", `${EVENTS}/${made.id}/details`);
    expect(result).toMatchObject({ session_duration: 2, ...limits });
  }));

test("[EVAPI-9] nothing of a draw's secret is in an answer or the log, and the Room knows it", () =>
  withApi("secret", async ({ call, rooms, log, restart }) => {
    const made = await call("POST", EVENTS, SHUFFLED);
    const path = `${EVENTS}/${resultOf(made).id}`;
    expect(resultOf(made).seiriken).toEqual({ draw: "drand" });
    const told = rooms.told.at(-1) as RoomDefinition;
    const draw = told.events?.list[0]?.draw as EventDraw;
    expect(draw.secret).toMatch(/^[0-9a-f]{64}$/);
    expect(draw.promised).toMatchObject({ from: "drand", chain: QUICKNET });
    const answers = [
      made,
      await call("GET", EVENTS),
      await call("GET", `${path}/details`),
      await call("PATCH", path, { event_start_time: "2126-11-28T20:30:00+09:00" }),
      await call("GET", `${ROOMS}/shop`),
    ];
    expect(JSON.stringify([answers, log])).not.toContain(draw.secret);
    const [kept] = (await restart().definitions(null))?.rooms ?? [];
    expect(kept?.events?.list[0]?.draw?.secret).toBe(draw.secret);
  }));

test("[EVAPI-9] the deployment names the chain, and says when it can't be read", async () => {
  const INFO = {
    hash: QUICKNET.hash,
    schemeID: QUICKNET.scheme,
    public_key: QUICKNET.publicKey,
    period: 7,
    genesis_time: QUICKNET.genesisSeconds,
    groupHash: QUICKNET.groupHash,
    metadata: { beaconID: "ours" },
  };
  await withApi(
    "chain",
    async ({ call, rooms }) => {
      resultOf(await call("POST", EVENTS, SHUFFLED));
      const [chain] = [{ periodSeconds: 7, beaconId: "ours" }];
      expect(rooms.told.at(-1)).toMatchObject({
        events: { list: [{ draw: { promised: { chain } } }] },
      });
    },
    { DRAND_CHAIN: JSON.stringify(INFO) },
  );
  await withApi(
    "no chain",
    async ({ call }) =>
      expect(pointersIn(await call("POST", EVENTS, SHUFFLED))).toEqual(["/seiriken/draw"]),
    { DRAND_CHAIN: "{}" },
  );
});

test("[EVAPI-12] the log says which event was made, changed or deleted, and what of it", () =>
  withApi("log", async ({ call, log }) => {
    const { id } = resultOf(await call("POST", EVENTS, { ...SALE, custom_page_html: "<p>" }));
    await call("PATCH", `${EVENTS}/${id}`, { session_duration: 3 });
    await call("PATCH", `${EVENTS}/${id}`, { session_duration: 3 });
    await call("DELETE", `${EVENTS}/${id}`);
    const lines = log.filter(({ event }) => event === "operator-change").slice(1);
    const about = { room: "shop", target: SALE.name };
    expect(lines).toMatchObject([
      { ...about, action: "event-created", changes: { custom_page_html: [null, "3 characters"] } },
      { ...about, action: "event-changed", changes: { session_duration: [null, 3] } },
      { ...about, action: "event-deleted" },
    ]);
    expect(lines[0]?.changes).not.toHaveProperty("queueing_method");
    expect(Object.keys(lines[1]?.changes ?? {})).toEqual(["session_duration"]);
  }));
