import { APIError } from "cloudflare/error";
import { Tokens } from "cloudflare/resources/user/tokens";
import { WaitingRooms } from "cloudflare/resources/waiting-rooms";
import { createClient } from "cloudflare/tree-shakable";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { EVENT, Provider, RULES } from "../support/terraform-provider.ts";

/** Cloudflare's own client against the running server: only its base URL is ours. */
const ZONE = { zone_id: "023e105f4ecef8ad9ca31a8372d0c353" };
const ACCOUNT = { account_id: "699d98642c564d2e855e9661899b7252" };

let seiriken: Seiriken;
beforeAll(async () => {
  seiriken = await startSeiriken();
});
afterAll(() => seiriken.stop());

const signedIn = {
  token: () => ({ apiToken: seiriken.adminToken }),
  key: () => ({ apiKey: seiriken.adminToken, apiEmail: "admin@example.com" }),
} as const;
type Way = keyof typeof signedIn;

/** Every request that a client sent, as `GET /zones/…`. */
const clientBy = (way: Way, more: { readonly apiToken?: string } = {}) => {
  const sent: string[] = [];
  const baseURL = `${seiriken.url}/.seiriken/client/v4`;
  const client = createClient({
    resources: [WaitingRooms, Tokens],
    baseURL,
    // Nothing of the machine that runs this.
    apiToken: null,
    apiKey: null,
    apiEmail: null,
    ...signedIn[way](),
    ...more,
    fetch: (input, init) => {
      const request = new Request(input, init);
      sent.push(`${request.method} ${request.url.slice(baseURL.length)}`);
      return fetch(request);
    },
  });
  return { client, sent };
};

const roomAt = (name: string) => ({
  ...ZONE,
  name,
  host: "sdk.example.com",
  path: `/${name}`,
  new_users_per_minute: 200,
  total_active_users: 200,
});

const refusalOf = async (asked: PromiseLike<unknown>): Promise<APIError> => {
  const thrown: unknown = await Promise.resolve(asked).then(
    () => null,
    (error: unknown) => error,
  );
  if (thrown instanceof APIError) return thrown;
  throw new Error("it was not refused", { cause: thrown });
};

describe.each(["token", "key"] as const)("signed in by %s", (way) => {
  test("[API-20] [API-21] the token is verified", async () => {
    const { client } = clientBy(way);
    expect(await client.user.tokens.verify()).toMatchObject({ status: "active" });
  });

  test("[API-24] [PREVIEW-1] a page is previewed on a link that anybody can open", async () => {
    const { client } = clientBy(way);
    const custom_html = "{{#waitTimeKnown}}{{waitTime}} mins{{/waitTimeKnown}}";
    const made = await client.waitingRooms.page.preview({ ...ZONE, custom_html });
    const page = await fetch(`${made?.preview_url ?? ""}?waitTime=50`);
    expect(await page.text()).toBe("50 mins");
    const broken = client.waitingRooms.page.preview({ ...ZONE, custom_html: "{{#a}}" });
    expect(await refusalOf(broken)).toMatchObject({ status: 400 });
  });

  test("[API-24] a room is made, listed, read, changed, replaced, watched and deleted", async () => {
    const { client } = clientBy(way);
    const name = `Made_by_${way}`;
    const made = await client.waitingRooms.create({ ...roomAt(name), description: "first" });
    const id = made?.id ?? "";
    expect(made).toMatchObject({ name, description: "first", queueing_method: "fifo" });

    for (const owner of [ZONE, ACCOUNT]) {
      const listed: (string | undefined)[] = [];
      for await (const room of client.waitingRooms.list({ ...owner, per_page: 5 }))
        listed.push(room.id);
      expect(listed).toContain(id);
    }
    expect(await client.waitingRooms.get(id, ZONE)).toEqual(made);
    const edited = await client.waitingRooms.edit(id, { ...roomAt(name), queue_all: true });
    expect(edited).toMatchObject({ id, queue_all: true, description: "first" });
    expect(await client.waitingRooms.statuses.get(id, ZONE)).toMatchObject({
      status: "queueing",
      estimated_queued_users: 0,
    });
    const updated = await client.waitingRooms.update(id, {
      ...roomAt(name),
      additional_routes: [{ host: "other.sdk.example.com" }],
      cookie_attributes: { samesite: "strict", secure: "always" },
      cookie_suffix: "sdk",
      default_template_language: "ja-JP",
      enabled_origin_commands: ["revoke"],
      json_response_enabled: false,
      queueing_status_code: 202,
    });
    expect(updated).toMatchObject({ id, queue_all: false, description: "", cookie_suffix: "sdk" });
    expect(await client.waitingRooms.delete(id, ZONE)).toEqual({ id });
    expect((await refusalOf(client.waitingRooms.get(id, ZONE))).status).toBe(404);
  });
});

test.each(["token", "key"] as const)("[API-24] the zone's settings, by %s", async (way) => {
  const { settings } = clientBy(way).client.waitingRooms;
  const on = { search_engine_crawler_bypass: true };
  const off = { search_engine_crawler_bypass: false };
  expect(await settings.update({ ...ZONE, ...on })).toEqual(on);
  expect(await settings.get(ZONE)).toEqual(on);
  expect(await settings.edit({ ...ZONE, ...off })).toEqual(off);
  expect(await settings.get(ZONE)).toEqual(off);
});
test.each(["token", "key"] as const)(
  "[RULES-1] signed in by %s, rules are added, listed, moved, replaced and deleted",
  async (way) => {
    const { client } = clientBy(way);
    const id = (await client.waitingRooms.create(roomAt(`ruled-${way}`)))?.id ?? "";
    const { rules } = client.waitingRooms;
    const action = "bypass_waiting_room" as const;
    const [ssl, notSsl] = [
      { action, expression: "ssl" },
      { action, expression: "not ssl", description: "d", enabled: false },
    ];
    await rules.create(id, { ...ZONE, rules: ssl });
    const made = (await rules.create(id, { ...ZONE, rules: notSsl })).result;
    expect(made).toMatchObject([{ ...ssl, enabled: true, version: "1" }, notSsl]);
    const listed: unknown[] = [];
    for await (const rule of rules.get(id, ZONE)) listed.push(rule);
    expect(listed).toEqual(made);
    const last = made[1]?.id ?? "";
    const there = { ...ZONE, waiting_room_id: id };
    const moved = await rules.edit(last, { ...there, ...ssl, position: { index: 1 } });
    expect(moved.result.map((rule) => rule.id)).toEqual([last, made[0]?.id]);
    expect((await rules.delete(last, there)).result).toEqual([made[0]]);
    const replaced = await rules.update(id, { ...ZONE, rules: [notSsl, ssl] });
    expect(replaced.result).toMatchObject([notSsl, { id: made[0]?.id }]);
    expect((await rules.update(id, { ...ZONE, rules: [] })).result).toEqual([]);
    await client.waitingRooms.delete(id, ZONE);
  },
);

const SALE = {
  name: "Night_Sale",
  event_start_time: "2126-11-28T20:00:00+09:00",
  event_end_time: "2126-11-28T13:00:00Z",
};

test.each(["token", "key"] as const)(
  "[API-24] [EVAPI-1] signed in by %s, events are made, listed, read, changed and deleted",
  async (way) => {
    const { client } = clientBy(way);
    const id = (await client.waitingRooms.create(roomAt(`eventful-${way}`)))?.id ?? "";
    const { events } = client.waitingRooms;
    const there = { ...ZONE, waiting_room_id: id };
    const made = await events.create(id, {
      ...ZONE,
      ...SALE,
      prequeue_start_time: "2126-11-28T10:55:00Z",
      shuffle_at_event_start: true,
      total_active_users: 300,
      new_users_per_minute: 250,
    });
    expect(made).toMatchObject({ ...SALE, session_duration: null, suspended: false });
    const event = made?.id ?? "";
    const past = {
      event_start_time: "2021-09-28T15:30:00Z",
      event_end_time: "2021-09-28T17:00:00Z",
    };
    await events.create(id, { ...ZONE, ...past, name: "webinar" });
    const listed: unknown[] = [];
    for await (const one of events.list(id, { ...ZONE, per_page: 1 })) listed.push(one.name);
    expect(listed).toEqual([SALE.name, "webinar"]);
    expect(await events.get(event, there)).toEqual(made);
    expect(await client.waitingRooms.get(id, ZONE)).toMatchObject({
      next_event_start_time: SALE.event_start_time,
      next_event_prequeue_start_time: "2126-11-28T10:55:00Z",
    });
    expect(await events.details.get(event, there)).toMatchObject({
      total_active_users: 300,
      session_duration: 5,
      queueing_method: "fifo",
    });
    const edited = await events.edit(event, { ...there, ...SALE, session_duration: 9 });
    expect(edited).toMatchObject({ session_duration: 9, shuffle_at_event_start: true });
    const replaced = await events.update(event, { ...there, ...SALE, suspended: true });
    expect(replaced).toMatchObject({ suspended: true, session_duration: null });
    expect(await events.delete(event, there)).toEqual({ id: event });
    expect((await refusalOf(events.get(event, there))).status).toBe(404);
    await client.waitingRooms.delete(id, ZONE);
  },
);

test("[API-23] [API-24] what it can't mend by asking again it asks once", async () => {
  const { client, sent } = clientBy("token");
  const made = await client.waitingRooms.create(roomAt("twice"));
  sent.length = 0;
  const taken = { ...roomAt("twice"), path: "/elsewhere" };
  expect((await refusalOf(client.waitingRooms.create(taken))).status).toBe(409);
  expect(sent).toEqual([`POST /zones/${ZONE.zone_id}/waiting_rooms`]);
  const wrong = clientBy("token", { apiToken: "a-token-of-somebody-else" });
  expect((await refusalOf(wrong.client.waitingRooms.get("twice", ZONE))).status).toBe(401);
  expect(wrong.sent).toHaveLength(1);
  await client.waitingRooms.delete(made?.id ?? "", ZONE);
});

/** What stands in a Terraform file, beside what every room needs. */
const MADE_THEN_CHANGED: readonly (readonly [string, object, object])[] = [
  ["nothing more", {}, { description: "now described" }],
  ["values that are defaults here or there", { session_duration: 5 }, { session_duration: 30 }],
  ["a suffix, and then none", { cookie_suffix: "queue1" }, {}],
  [
    "routes without host or path",
    { additional_routes: [{ host: "shop2.example.com" }, { path: "/b" }] },
    { additional_routes: [{ host: "Shop3.example.com", path: "/b" }] },
  ],
  ["routes, and then none", { additional_routes: [{ path: "/c" }] }, { additional_routes: [] }],
  [
    "cookies",
    { cookie_attributes: { samesite: "none" } },
    { cookie_attributes: { secure: "never" } },
  ],
  [
    "a page of one's own",
    { custom_page_html: "{{#waitTimeKnown}}{{waitTime}}{{/waitTimeKnown}}" },
    { default_template_language: "tl-PH", queueing_method: "passthrough" },
  ],
  [
    "commands, and then none",
    { enabled_origin_commands: ["revoke"] },
    { enabled_origin_commands: [] },
  ],
  [
    "words in another case",
    { cookie_attributes: { samesite: "Lax" }, queueing_method: "Random" },
    { default_template_language: "de-de", turnstile_mode: "OFF" },
  ],
  ["every switch", { suspended: true, queue_all: true }, { disable_session_renewal: true }],
  [
    "turnstile",
    { turnstile_mode: "invisible", turnstile_action: "log" },
    { turnstile_mode: "off", turnstile_action: "infinite_queue" },
  ],
];

test.each(MADE_THEN_CHANGED)(
  "[API-25] Terraform has 0 to change after %s",
  async (_, made, next) => {
    const { client } = clientBy("token");
    const provider = new Provider({
      create: (body) => client.post(`/zones/${ZONE.zone_id}/waiting_rooms`, { body }),
      update: (id, body) => client.put(`/zones/${ZONE.zone_id}/waiting_rooms/${id}`, { body }),
      read: (id) => client.get(`/zones/${ZONE.zone_id}/waiting_rooms/${id}`),
    });
    const { zone_id: _zone, ...least } = roomAt("Terraformed");
    for (const config of [made, next, { ...next, new_users_per_minute: 201 }, made]) {
      const wanted = { ...least, ...config };
      await provider.apply(wanted);
      expect(await provider.changesFor(wanted)).toEqual([]);
    }
    await client.waitingRooms.delete(provider.id, ZONE);
  },
);

const EVENT_MADE_THEN_CHANGED: readonly (readonly [string, object, object])[] = [
  ["the least", {}, { description: "now described" }],
  [
    "a prequeue and a draw, and then none",
    { prequeue_start_time: "2126-11-28T10:00:00.000Z", shuffle_at_event_start: true },
    {},
  ],
  [
    "limits, and then none",
    { total_active_users: 300, new_users_per_minute: 250 },
    { session_duration: 1.5 },
  ],
  [
    "other times",
    { event_start_time: "2126-11-28t20:30:00.25+09:00" },
    { event_end_time: "2126-11-28T12:59:59.999999Z" },
  ],
  [
    "every override",
    {
      custom_page_html: "<p>{{waitTime}}</p>",
      disable_session_renewal: true,
      queueing_method: "random",
      turnstile_mode: "off",
      turnstile_action: "log",
    },
    { disable_session_renewal: false, custom_page_html: "", suspended: true },
  ],
];

test("[API-25] Terraform has 0 to change after each event", async () => {
  const { client } = clientBy("token");
  const room = (await client.waitingRooms.create(roomAt("Terraformed-events")))?.id ?? "";
  const path = `/zones/${ZONE.zone_id}/waiting_rooms/${room}/events`;
  for (const [what, made, next] of EVENT_MADE_THEN_CHANGED) {
    const provider = new Provider(
      {
        create: (body) => client.post(path, { body }),
        update: (id, body) => client.put(`${path}/${id}`, { body }),
        read: (id) => client.get(`${path}/${id}`),
      },
      EVENT,
    );
    for (const config of [made, next, { ...next, name: "Renamed" }, made]) {
      const wanted = { ...SALE, ...config };
      await provider.apply(wanted);
      expect([what, await provider.changesFor(wanted)]).toEqual([what, []]);
    }
    await client.delete(`${path}/${provider.id}`);
  }
  await client.waitingRooms.delete(room, ZONE);
});

test("[API-25] Terraform has 0 to change after each list of rules", async () => {
  const { client } = clientBy("token");
  const room = (await client.waitingRooms.create(roomAt("Terraformed-rules")))?.id ?? "";
  const path = `/zones/${ZONE.zone_id}/waiting_rooms/${room}/rules`;
  const listed = async (asked: PromiseLike<unknown>) => {
    const { result } = (await asked) as { readonly result: unknown };
    return { result: { id: room, rules: result } };
  };
  const put = ({ rules }: Readonly<Record<string, unknown>>) =>
    listed(client.put(path, { body: rules as object }));
  const provider = new Provider(
    { create: put, update: (_, body) => put(body), read: () => listed(client.get(path)) },
    RULES,
  );
  const action = "bypass_waiting_room";
  const [ssl, post] = [
    { action, expression: "ssl" },
    { action, expression: 'http.request.method eq "POST"', description: "pay", enabled: false },
  ];
  for (const rules of [[ssl], [post, ssl], [{ ...ssl, description: "s" }, post], []]) {
    await provider.apply({ rules });
    expect(await provider.changesFor({ rules })).toEqual([]);
  }
  await client.waitingRooms.delete(room, ZONE);
});
