import { expect, test } from "vitest";
import { parseRoomId, type RoomId } from "../../../src/core/ids.ts";
import { instant } from "../../../src/core/time.ts";
import { definitionOf, resourceOf } from "../../../src/api/rooms/resource.ts";
import { parseRoom, type RoomInput } from "../../../src/api/rooms/schema.ts";

const identity = {
  id: parseRoomId("a".repeat(32)) as RoomId,
  createdAt: instant(1_000),
  modifiedAt: instant(2_000),
  cookieSuffix: "shop",
};

/** No setting has its default. */
const full = {
  name: "shop",
  description: "The shop",
  host: "Shop.example.com:8443",
  path: "/tickets/",
  additional_routes: [
    { host: "a.example.com", path: null },
    { host: null, path: "/b/" },
  ],
  total_active_users: 7,
  new_users_per_minute: 90,
  session_duration: 0.1,
  disable_session_renewal: true,
  queue_all: true,
  suspended: true,
  queueing_method: "reject",
  queueing_status_code: 202,
  json_response_enabled: false,
  cookie_attributes: { samesite: "lax", secure: "always" },
  cookie_suffix: "q1",
  custom_page_html: "<p>{{waitTime}}</p>",
  default_template_language: "ja-JP",
  enabled_origin_commands: ["revoke"],
  turnstile_mode: "invisible",
  turnstile_action: "infinite_queue",
  seiriken: {
    permit: "request",
    claim_within_seconds: 5,
    return_window_seconds: 7,
    max_visit_seconds: 8,
    starts_per_second: 9,
    origin_requests_per_second: 10,
    ring: "sliding",
    ring_guard_ms: 11,
    hold_seconds: 12,
    joins_per_address_per_minute: 13,
    trusted_proxies: ["10.0.0.0/8"],
    strict: true,
    line_max: 14,
    lobbies: 15,
    regions: ["eeur", "weur"],
    room_region: "weur",
    jurisdiction: "eu",
    cors_origins: ["https://app.example.com"],
    exempt: [
      {
        host: "shop.example.com",
        path: "/health",
        methods: ["GET"],
        header: { name: "X-Probe", value: "1" },
        rate: 16,
        if: "ended-pass",
      },
      { header: { name: "X-Probe" } },
    ],
    cookie_domain: "example.com",
    on_failure: "open",
    message: "Doors at ten",
    closed: "Sold out",
    origin: "https://origin.example.com",
    rewrite: false,
    keep_host: true,
    close_sockets: true,
    origin_timeout_seconds: 17,
    client_key: { from: "header", name: "X-Api-Key" },
    origin_silence_seconds: 18,
    adaptive: true,
    least_permits: 20,
    sold_out: "All gone",
    proof_of_work: null,
    appearance: { name: "Shop", accent: "#0b5fff", logo: "data:image/png;base64,iVBORw0KGgo=" },
    alerts: { wait_minutes: 0, origin_error_percent: 18, no_show_percent: 19 },
  },
};

const parsed = (json: unknown): RoomInput => {
  const result = parseRoom(json);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.room;
};

test("[ROOM-4] a room comes back as it was given, to the letter", () => {
  expect(resourceOf(definitionOf(parsed(full), identity))).toEqual({
    ...full,
    id: identity.id,
    created_on: "1970-01-01T00:00:01.000Z",
    modified_on: "1970-01-01T00:00:02.000Z",
    next_event_prequeue_start_time: null,
    next_event_start_time: null,
  });
});

test.each([
  ["the full room", full],
  ["the least room", { ...full, seiriken: {} }],
  ["a room that asks for work", { ...full, seiriken: { proof_of_work: { bits: 9 } } }],
])("[ROOM-4] what was read can be sent back: %s", (_, room) => {
  const definition = definitionOf(parsed(room), identity);
  expect(definitionOf(parsed(resourceOf(definition)), identity)).toEqual(definition);
});

test("[ROOM-4] the core gets milliseconds, canonical routes and its own words", () => {
  expect(definitionOf(parsed(full), identity)).toMatchObject({
    routes: [
      { host: "shop.example.com", path: "/tickets" },
      { host: "a.example.com", path: "/" },
      { host: "shop.example.com", path: "/b" },
    ],
    cookieSuffix: "q1",
    holdMs: 12_000,
    originTimeoutMs: 17_000,
    limits: {
      permitsMax: 7,
      startsPerMinuteMax: 90,
      leaseMs: 6_000,
      leaseRenews: false,
      claimWithinMs: 5_000,
      returnWindowMs: 7_000,
      visitMaxMs: 8_000,
      paused: true,
      closed: "Sold out",
    },
  });
});

test("[ROOM-15] an empty text on the page is no text", () => {
  const room = parsed({ ...full, seiriken: { message: " ", closed: "" } });
  expect(definitionOf(room, identity).limits).toMatchObject({ message: null, closed: null });
});

test("[API-27] words of a list are taken in any case, acted on in ours, and given back as they came", () => {
  const { seiriken: _left, ...settings } = full;
  const sent = {
    ...settings,
    queueing_method: "FIFO",
    cookie_attributes: { samesite: "Lax", secure: "Auto" },
    default_template_language: "ja-jp",
    enabled_origin_commands: ["Revoke"],
  };
  const definition = definitionOf(parsed(sent), identity);
  expect(definition).toMatchObject({
    queueingMethod: "fifo",
    kept: {
      cookie_attributes: { samesite: "lax", secure: "auto" },
      default_template_language: "ja-JP",
      enabled_origin_commands: ["revoke"],
    },
  });
  const resource = resourceOf(definition);
  expect(resource).toMatchObject(sent);
  expect(resource).not.toHaveProperty("spelled");
  expect(definitionOf(parsed(resource), identity)).toEqual(definition);
  const lower = { ...resource, cookie_attributes: { samesite: "lax" } };
  const changed = resourceOf(definitionOf(parsed(lower), identity));
  expect(changed.cookie_attributes).toEqual({ samesite: "lax", secure: "auto" });
  expect(parseRoom({ ...sent, queueing_method: "FIFO " }).ok).toBe(false);
});
