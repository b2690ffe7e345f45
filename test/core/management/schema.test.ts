import { describe, expect, test } from "vitest";
import { routeHostOf, routePathOf } from "../../../src/api/fields.ts";
import { parseRoom } from "../../../src/api/rooms/schema.ts";
import { jsonPath, pointer } from "../../../src/core/json/pointer.ts";

const least = {
  name: "shop",
  host: "shop.example.com",
  total_active_users: 1,
  new_users_per_minute: 1,
};

const problemsOf = (room: unknown): string[] => {
  const parsed = parseRoom(room);
  return parsed.ok ? [] : parsed.problems.map(({ keys }) => jsonPath(keys));
};
const withOwn = (seiriken: Record<string, unknown>) => ({ ...least, seiriken });

test("[ROOM-1] what is neither Cloudflare's nor ours is a problem, each of them", () => {
  expect(problemsOf({ ...least, colour: 1, size: 2, seiriken: { holdSeconds: 3 } })).toEqual([
    "seiriken.holdSeconds",
    "colour",
    "size",
  ]);
});

test("[ROOM-1] what the API adds to its answers may be sent back", () => {
  const readOnly = { id: "x", created_on: "y", modified_on: "z", next_event_start_time: null };
  expect(problemsOf({ ...least, ...readOnly })).toEqual([]);
});

test("[ROOM-2] four settings make a room; the others have their defaults", () => {
  const parsed = parseRoom(least);
  expect(parsed.ok && parsed.room).toMatchObject({
    path: "/",
    additional_routes: [],
    session_duration: 5,
    disable_session_renewal: false,
    queue_all: false,
    suspended: false,
    queueing_method: "fifo",
    queueing_status_code: 503,
    json_response_enabled: true,
    default_template_language: "en-US",
  });
  expect(parsed.ok && parsed.room.seiriken).toEqual({
    permit: "visit",
    adaptive: false,
    least_permits: null,
    sold_out: null,
    claim_within_seconds: 60,
    return_window_seconds: 3600,
    max_visit_seconds: null,
    starts_per_second: null,
    origin_requests_per_second: null,
    ring: "calendar",
    ring_guard_ms: 100,
    hold_seconds: 20,
    joins_per_address_per_minute: null,
    trusted_proxies: null,
    strict: false,
    line_max: 5_000_000,
    lobbies: 1,
    regions: [],
    room_region: null,
    jurisdiction: null,
    cors_origins: [],
    exempt: [],
    cookie_domain: null,
    on_failure: "closed",
    message: null,
    closed: null,
    origin: null,
    rewrite: true,
    keep_host: false,
    close_sockets: false,
    origin_timeout_seconds: 60,
    client_key: null,
    origin_silence_seconds: null,
    proof_of_work: null,
    appearance: { name: null, accent: null, logo: null },
    alerts: { wait_minutes: 30, origin_error_percent: 20, no_show_percent: 50 },
  });
});

test("[ROOM-3] every problem is reported at once, with its path", () => {
  const room = {
    name: "Shop!",
    host: "https://shop.example.com",
    total_active_users: 0,
    queueing_method: "lifo",
    additional_routes: [{ path: "/a" }, { path: "b" }],
    seiriken: { exempt: [{ rate: 1 }], appearance: { accent: "red" }, claim_within_seconds: "60" },
  };
  expect(problemsOf(room)).toEqual([
    "name",
    "host",
    "additional_routes[1].path",
    "total_active_users",
    "new_users_per_minute",
    "queueing_method",
    "seiriken.claim_within_seconds",
    "seiriken.exempt[0]",
    "seiriken.appearance.accent",
  ]);
});

test.each([[null], [[]], ["shop"], [7], [undefined]])("[ROOM-3] %j is no room", (json) => {
  expect(parseRoom(json)).toEqual({
    ok: false,
    problems: [{ keys: [], message: "must be an object" }],
  });
});

test("[ROOM-3] a list where an object belongs is a problem, also when it is empty", () => {
  expect(problemsOf({ ...least, seiriken: [] })).toEqual(["seiriken"]);
});

test("[API-6] a pointer escapes ~ and /", () => {
  expect(pointer(["seiriken", "exempt", 0, "a/b~c"])).toBe("/seiriken/exempt/0/a~1b~0c");
});

test.each([
  ["a", true],
  ["a".repeat(64), true],
  ["a".repeat(65), false],
  ["", false],
  ["Shop_1", true],
  ["shop 1", false],
  ["settings", false],
  ["Preview", false],
  ["0123456789abcdef0123456789ABCDEF", false],
  ["0123456789abcdef0123456789abcde", true],
])("[ROOM-5] the name %j: %j", (name, valid) => {
  expect(problemsOf({ ...least, name })).toEqual(valid ? [] : ["name"]);
});

test("[ROOM-24] SameSite=None is for Secure cookies", () => {
  const withCookies = (samesite: string, secure: string) =>
    problemsOf({ ...least, cookie_attributes: { samesite, secure } });
  expect(withCookies("none", "never")).toEqual(["cookie_attributes.secure"]);
  expect(withCookies("none", "auto")).toEqual([]);
  expect(withCookies("strict", "never")).toEqual([]);
});

describe("[ROOM-6] routes have one spelling", () => {
  test.each([
    ["Shop.Example.COM", "shop.example.com"],
    ["shop.example.com:8787", "shop.example.com"],
    ["shop.example.com.", "shop.example.com"],
    ["Bücher.example", "xn--bcher-kva.example"],
    ["127.0.0.1:80", "127.0.0.1"],
    ["[::1]:80", "[::1]"],
    ["*", "*"],
    ["*.example.com", null],
    ["http://shop.example.com", null],
    ["user@shop.example.com", null],
    ["shop.example.com/path", null],
    ["", null],
    [".", null],
  ])("host %j: %j", (host, canonical) => {
    expect(routeHostOf(host)).toBe(canonical);
  });

  test.each([
    ["/", "/"],
    ["/tickets/", "/tickets"],
    ["/Tickets", "/tickets"],
    ["/t%69ckets", "/tickets"],
    ["/%e5%88%b8", "/券"],
    ["/券", "/券"],
    ["/a.b/~c", "/a.b/~c"],
  ])("path %j: %j", (path, canonical) => {
    expect(routePathOf(path)).toBe(canonical);
    expect(routePathOf(canonical)).toBe(canonical);
  });
});

test.each([
  ["tickets"],
  ["//tickets"],
  ["/a//b"],
  ["/a/../b"],
  ["/a/."],
  ["/a%2fb"],
  ["/a%2Eb"],
  ["/a%5cb"],
  ["/a\\b"],
  ["/a%"],
  ["/a%zz"],
  ["/100%25"],
  ["/a%2541"],
  ["/a%3Fb"],
  ["/a%00"],
  ["/a?b"],
  ["/a#b"],
  ["/a*"],
  ["/a b"],
  [`/${"a".repeat(1_024)}`],
])("[ROOM-7] the path %j has no single spelling, or is none", (path) => {
  expect(routePathOf(path)).toBeNull();
  expect(problemsOf({ ...least, path })).toEqual(["path"]);
});

test("[ROOM-8] a random line is for visits; with requests it is refused, and why is said", () => {
  const random = { ...least, queueing_method: "random" };
  expect(problemsOf(random)).toEqual([]);
  const parsed = parseRoom({ ...random, seiriken: { permit: "request" } });
  expect(!parsed.ok && parsed.problems[0]).toMatchObject({
    keys: ["queueing_method"],
    message: expect.stringMatching(/is told its turn/) as string,
  });
});

test.each([
  ["total_active_users", 1, 2 ** 31 - 1],
  ["new_users_per_minute", 1, 2 ** 31 - 1],
] as const)("[ROOM-9] %s is whole, from %i to %i", (setting, low, high) => {
  for (const good of [low, high]) expect(problemsOf({ ...least, [setting]: good })).toEqual([]);
  for (const bad of [low - 1, high + 1, 1.5, "1", Number.NaN]) {
    expect(problemsOf({ ...least, [setting]: bad })).toEqual([setting]);
  }
});

test.each([
  ["claim_within_seconds", 5, 3_600],
  ["return_window_seconds", 1, 604_800],
  ["max_visit_seconds", 1, 604_800],
  ["starts_per_second", 1, 1_000_000],
  ["origin_requests_per_second", 1, 1_000_000],
  ["ring_guard_ms", 0, 500],
  ["hold_seconds", 0, 300],
  ["joins_per_address_per_minute", 1, 1_000_000],
  ["line_max", 1, 10_000_000],
  ["lobbies", 1, 1_000],
  ["origin_timeout_seconds", 1, 3_600],
  ["origin_silence_seconds", 1, 3_600],
] as const)("[ROOM-9] seiriken.%s is whole, from %i to %i", (setting, low, high) => {
  for (const good of [low, high]) expect(problemsOf(withOwn({ [setting]: good }))).toEqual([]);
  for (const bad of [low - 1, high + 1, low + 0.5, `${low}`]) {
    expect(problemsOf(withOwn({ [setting]: bad }))).toEqual([`seiriken.${setting}`]);
  }
});

test.each([
  [0, true],
  [32, true],
  [33, false],
  ["1", false],
  [[], true],
  [["10.0.0.0/8", "2001:db8::/32", "192.0.2.1"], true],
  [["10.0.0.1/8"], false],
  [["proxy.example"], false],
  [Array.from({ length: 65 }, () => "192.0.2.1"), false],
])("[TRUST-1] trusted_proxies %j: %j", (trusted_proxies, valid) => {
  expect(problemsOf(withOwn({ trusted_proxies }))).toEqual(
    valid ? [] : ["seiriken.trusted_proxies"],
  );
});

test.each([
  [0.05, true],
  [0.049, false],
  [1, true],
  [1_440, true],
  [1_441, false],
])("[ROOM-9] a session of %d minutes: %j", (session_duration, valid) => {
  expect(problemsOf({ ...least, session_duration })).toEqual(valid ? [] : ["session_duration"]);
});

test("[ROOM-10] null is none, or the default", () => {
  const nulls = {
    message: null,
    starts_per_second: null,
    claim_within_seconds: null,
    exempt: null,
  };
  const parsed = parseRoom({ ...least, description: null, seiriken: nulls });
  expect(parsed.ok && parsed.room).toMatchObject({
    description: "",
    seiriken: { message: null, starts_per_second: null, claim_within_seconds: 60, exempt: [] },
  });
});

test("[ROOM-11] every host lies inside the cookie_domain", () => {
  const routes = [{ host: "tickets.example.com" }, { host: "notexample.com" }, { host: "*" }];
  const room = { ...least, additional_routes: routes, seiriken: { cookie_domain: "example.com" } };
  expect(problemsOf(room)).toEqual(["additional_routes[1]"]);
  expect(problemsOf(withOwn({ cookie_domain: "com" }))).toEqual(["seiriken.cookie_domain"]);
});

test("[ROOM-6] a room names a route once, however it is spelled", () => {
  const routes = [{ host: "SHOP.example.com:80", path: "/" }, {}];
  expect(problemsOf({ ...least, additional_routes: routes })).toEqual([
    "additional_routes[0]",
    "additional_routes[1]",
  ]);
});

test.each([
  [{}, false],
  [{ rate: 5 }, false],
  [{ path: "/health" }, true],
  [{ header: { name: "X-Probe" }, rate: 5 }, true],
  [{ header: { name: "X Probe" } }, false],
  [{ methods: ["post"] }, false],
  [{ methods: ["POST"] }, true],
  [{ if: "ended-pass" }, true],
  [{ if: "always" }, false],
  [{ path: "/assets/*" }, true],
  [{ path: "/*" }, false],
  [{ path: "/a*b" }, false],
])("[ROOM-12] the exemption %j: %j", (rule, valid) => {
  expect(problemsOf(withOwn({ exempt: [rule] })).length === 0).toBe(valid);
});

test.each([
  ["https://origin.example.com", true],
  ["http://127.0.0.1:3000", true],
  ["http://127.0.0.1:3000/", true],
  ["service:SHOP", true],
  ["service:", false],
  ["https://origin.example.com/base", false],
  ["https://user:pass@origin.example.com", false],
  ["ftp://origin.example.com", false],
  ["javascript:alert(1)", false],
])("[ROOM-13] the origin %j: %j", (origin, valid) => {
  expect(problemsOf(withOwn({ origin }))).toEqual(valid ? [] : ["seiriken.origin"]);
});

test.each([
  ["https://app.example.com", true],
  ["https://app.example.com/", false],
  ["*", false],
  ["null", false],
])("[ROOM-13] the CORS origin %j: %j", (origin, valid) => {
  expect(problemsOf(withOwn({ cors_origins: [origin] })).length === 0).toBe(valid);
});

test.each([
  [{ from: "address" }, "request", []],
  [{ from: "header", name: "X-Api-Key" }, "request", []],
  [null, "visit", []],
  [{ from: "address", name: "X-Api-Key" }, "request", ["seiriken.client_key"]],
  [{ from: "header" }, "request", ["seiriken.client_key"]],
  [{ from: "header", name: "no header" }, "request", ["seiriken.client_key.name"]],
  [{ from: "cookie", name: "sid" }, "request", ["seiriken.client_key.from"]],
  [{ from: "address" }, "visit", ["seiriken.client_key"]],
])("[ROOM-21] the client key %j in a room of kind %s", (client_key, permit, problems) => {
  expect(problemsOf(withOwn({ client_key, permit }))).toEqual(problems);
});

test.each([
  ["data:image/png;base64,iVBORw0KGgo=", true],
  ["data:text/html;base64,PGI+", false],
  ["https://example.com/logo.png", false],
  [`data:image/png;base64,${"A".repeat(22_000)}`, false],
])("[ROOM-14] the logo %.40j: %j", (logo, valid) => {
  const problems = problemsOf(withOwn({ appearance: { logo } }));
  expect(problems.length === 0).toBe(valid);
});

test("[WORK-3] proof_of_work has its bounds, and is for rooms of visits", () => {
  const work = (proof_of_work: unknown, more = {}) => withOwn({ proof_of_work, ...more });
  expect(problemsOf(work({}))).toEqual([]);
  expect(problemsOf(work({ bits: 8, bits_max: 26 }))).toEqual([]);
  expect(problemsOf(work({ bits: 7, bits_max: 27 }))).toHaveLength(2);
  expect(problemsOf(work({ bits: 23 }))).toEqual(["seiriken.proof_of_work.bits_max"]);
  expect(problemsOf(work({}, { permit: "request" }))).toEqual(["seiriken.proof_of_work"]);
});
