/**
 * The shape of a room in the management API and in rooms.json: Cloudflare's Waiting Room object
 * (https://developers.cloudflare.com/api/resources/waiting_rooms/) plus `seiriken`. Runs in the
 * Worker and in the command line alike.
 */
import * as v from "valibot";
import { isTrustedProxies, TRUSTED_WANTED } from "../../core/address/trusted-proxies.ts";
import type { TrustedProxies } from "../../core/address/trusted-proxies.ts";
import { ALERT_BOUNDS } from "../../core/alerts/bounds.ts";
import type { FieldProblem } from "../../core/field-problem.ts";
import {
  routeHostOf,
  routePathOf,
  corsOriginField,
  documentBy,
  domainField,
  field,
  flag,
  hostField,
  isRecord,
  HTTP_TOKEN,
  listOf,
  matching,
  oneInAnyCase,
  oneOf,
  orNone,
  originField,
  exemptPathField,
  pathField,
  settings,
  text,
  whole,
  within,
} from "../fields.ts";
import { JURISDICTIONS, REGIONS } from "../../core/regions/region.ts";
import { pageTemplateField } from "./page-template.ts";
import { problemsWithRegions } from "./region-problems.ts";
import {
  ALERTS_WORDS,
  APPEARANCE_WORDS,
  CLIENT_KEY_WORDS,
  COOKIE_WORDS,
  EXEMPT_HEADER_WORDS,
  EXEMPT_WORDS,
  PROOF_OF_WORK_WORDS,
  ROOM_WORDS,
  ROUTE_WORDS,
  SEIRIKEN_WORDS,
} from "./words.ts";

export const COUNT_MAX = 2 ** 31 - 1;
const DAY_SECONDS = 86_400;
/** Of a logo, as the text of its `data:` URL: 16 KB of image are 22 KB of base64. */
const LOGO_LENGTH_MAX = 22_000;
/** Three seconds: fractions exist for tests and demonstrations. */
export const SESSION_MINUTES_MIN = 0.05;
export const SESSION_MINUTES_MAX = 1_440;

/** Words that the API's own paths use in the place of a room. */
const RESERVED_NAMES = /^(?!(settings|preview)$)(?![0-9a-f]{32}$)/i;

export const QUEUEING_METHODS = ["fifo", "random", "passthrough", "reject"] as const;
export const TURNSTILE_MODES = [
  "off",
  "invisible",
  "visible_non_interactive",
  "visible_managed",
] as const;
export const TURNSTILE_ACTIONS = ["log", "infinite_queue"] as const;

/** Cloudflare's. */
export const LANGUAGES = (
  "en-US es-ES de-DE fr-FR it-IT ja-JP ko-KR pt-BR zh-CN zh-TW nl-NL pl-PL id-ID tr-TR ar-EG ru-RU " +
  "fa-IR bg-BG hr-HR cs-CZ da-DK fi-FI lt-LT lv-LV ms-MY nb-NO ro-RO el-GR he-IL hi-IN hu-HU sr-BA " +
  "sk-SK sl-SI sv-SE tl-PH th-TH uk-UA vi-VN"
).split(" ");

const token = matching(HTTP_TOKEN, "must be an HTTP header name");

export const exemptSchema = v.pipe(
  settings(EXEMPT_WORDS, {
    host: v.optional(hostField),
    path: v.optional(exemptPathField),
    methods: v.optional(listOf(matching(/^[A-Z]{1,20}$/, 'must be a method such as "POST"'), 16)),
    header: v.optional(
      settings(EXEMPT_HEADER_WORDS, { name: token, value: v.optional(text(1_024)) }),
    ),
    rate: v.optional(whole(1, 1_000_000)),
    if: v.optional(oneOf(["ended-pass"])),
  }),
  v.check(
    (rule) => Object.keys(rule).some((condition) => condition !== "rate"),
    "would let every request through: give it a host, path, methods, header or if",
  ),
);

const logo = v.pipe(
  text(LOGO_LENGTH_MAX),
  v.regex(
    /^data:image\/(png|jpeg|gif|webp|avif|svg\+xml)(;charset=[\w-]+)?;base64,[A-Za-z0-9+/]+={0,2}$/,
    'must be a "data:image/…;base64,…" URL of at most 16 KB',
  ),
);

const appearanceSchema = settings(APPEARANCE_WORDS, {
  name: orNone(text(80)),
  accent: orNone(matching(/^#[0-9a-fA-F]{6}$/, 'must be a colour such as "#0b5fff"')),
  logo: orNone(logo),
});

/** By what a room of requests knows a client that brings no ticket back. */
const clientKeySchema = v.pipe(
  settings(CLIENT_KEY_WORDS, { from: oneOf(["address", "header"]), name: v.optional(token) }),
  v.check(
    ({ from, name }) => (from === "header") === (name !== undefined),
    'must be {"from": "header", "name": …} or {"from": "address"}',
  ),
);

/** The easiest puzzle is for tests; the hardest takes an old phone some minutes. */
const BITS_MIN = 8;
const BITS_MAX = 26;

const proofOfWorkSchema = settings(PROOF_OF_WORK_WORDS, {
  bits: v.nullish(whole(BITS_MIN, BITS_MAX), 18),
  bits_max: v.nullish(whole(BITS_MIN, BITS_MAX), 22),
});

const alertsSchema = settings(ALERTS_WORDS, {
  wait_minutes: v.nullish(whole(0, 1_440), ALERT_BOUNDS.waitMinutes ?? 0),
  origin_error_percent: v.nullish(whole(0, 100), ALERT_BOUNDS.originErrorPercent ?? 0),
  no_show_percent: v.nullish(whole(0, 100), ALERT_BOUNDS.noShowPercent ?? 0),
});

/** What Cloudflare's API lacks. Every default of the contract stands here and nowhere else. */
const seirikenSchema = settings(SEIRIKEN_WORDS, {
  permit: v.nullish(oneOf(["visit", "request"]), "visit"),
  claim_within_seconds: v.nullish(whole(5, 3_600), 60),
  return_window_seconds: v.nullish(whole(1, 7 * DAY_SECONDS), 3_600),
  max_visit_seconds: orNone(whole(1, 7 * DAY_SECONDS)),
  starts_per_second: orNone(whole(1, 1_000_000)),
  origin_requests_per_second: orNone(whole(1, 1_000_000)),
  ring: v.nullish(oneOf(["calendar", "sliding"]), "calendar"),
  ring_guard_ms: v.nullish(whole(0, 500), 100),
  hold_seconds: v.nullish(whole(0, 300), 20),
  joins_per_address_per_minute: orNone(whole(1, 1_000_000)),
  trusted_proxies: orNone(
    field<TrustedProxies>(isTrustedProxies, TRUSTED_WANTED, {
      anyOf: [{ type: "integer" }, { type: "array", items: { type: "string" } }],
    }),
  ),
  strict: v.nullish(flag, false),
  line_max: v.nullish(whole(1, 10_000_000), 5_000_000),
  lobbies: v.nullish(whole(1, 1_000), 1),
  regions: v.nullish(listOf(oneOf(REGIONS), REGIONS.length), []),
  room_region: orNone(oneOf(REGIONS)),
  jurisdiction: orNone(oneOf(JURISDICTIONS)),
  cors_origins: v.nullish(listOf(corsOriginField, 100), []),
  exempt: v.nullish(listOf(exemptSchema, 100), []),
  cookie_domain: orNone(domainField),
  on_failure: v.nullish(oneOf(["closed", "open"]), "closed"),
  message: orNone(text(1_000)),
  closed: orNone(text(1_000)),
  origin: orNone(originField),
  rewrite: v.nullish(flag, true),
  keep_host: v.nullish(flag, false),
  close_sockets: v.nullish(flag, false),
  origin_timeout_seconds: v.nullish(whole(1, 3_600), 60),
  client_key: orNone(clientKeySchema),
  origin_silence_seconds: orNone(whole(1, 3_600)),
  proof_of_work: orNone(proofOfWorkSchema),
  adaptive: v.nullish(flag, false),
  least_permits: orNone(whole(1, COUNT_MAX)),
  sold_out: orNone(text(1_000)),
  appearance: v.nullish(appearanceSchema, {}),
  alerts: v.nullish(alertsSchema, {}),
});

const cookieAttributesSchema = settings(COOKIE_WORDS, {
  samesite: v.nullish(oneInAnyCase(["auto", "lax", "none", "strict"]), "auto"),
  secure: v.nullish(oneInAnyCase(["auto", "always", "never"]), "auto"),
});

export const roomSchema = settings(ROOM_WORDS, {
  name: v.pipe(
    matching(/^[\w-]{1,64}$/, "must be 1 to 64 of A-Z, a-z, 0-9, - and _"),
    v.regex(RESERVED_NAMES, "is taken by the API's own paths; choose another"),
  ),
  description: v.nullish(text(1_024), ""),
  host: hostField,
  path: v.nullish(pathField, "/"),
  additional_routes: v.nullish(
    listOf(settings(ROUTE_WORDS, { host: v.nullish(hostField), path: v.nullish(pathField) }), 100),
    [],
  ),
  total_active_users: whole(1, COUNT_MAX),
  new_users_per_minute: whole(1, COUNT_MAX),
  session_duration: v.nullish(within(SESSION_MINUTES_MIN, SESSION_MINUTES_MAX), 5),
  disable_session_renewal: v.nullish(flag, false),
  queue_all: v.nullish(flag, false),
  suspended: v.nullish(flag, false),
  queueing_method: v.nullish(oneInAnyCase(QUEUEING_METHODS), "fifo"),
  queueing_status_code: v.nullish(oneOf([200, 202, 429, 503]), 503),
  json_response_enabled: v.nullish(flag, true),
  cookie_attributes: v.nullish(cookieAttributesSchema, {}),
  // Terraform plans null where it was not given, and wants that back.
  cookie_suffix: orNone(matching(/^[\w-]{0,64}$/, "must be at most 64 of A-Z, a-z, 0-9, - and _")),
  custom_page_html: v.nullish(pageTemplateField, ""),
  default_template_language: v.nullish(oneInAnyCase(LANGUAGES), "en-US"),
  enabled_origin_commands: v.nullish(listOf(oneInAnyCase(["revoke"]), 1), []),
  turnstile_mode: v.nullish(oneInAnyCase(TURNSTILE_MODES), "off"),
  turnstile_action: v.nullish(oneInAnyCase(TURNSTILE_ACTIONS), "log"),
  seiriken: v.nullish(seirikenSchema, {}),
  // Read-only in the API: taken and dropped, so that what was read can be sent back.
  id: v.optional(v.unknown()),
  created_on: v.optional(v.unknown()),
  modified_on: v.optional(v.unknown()),
  next_event_prequeue_start_time: v.optional(v.unknown()),
  next_event_start_time: v.optional(v.unknown()),
});

/** A valid room with every default filled in. */
export type RoomInput = Omit<v.InferOutput<typeof roomSchema>, ReadOnlyField> & {
  /** Words that were spelled in another case, as they came. */
  readonly spelled?: Readonly<Record<string, unknown>>;
};

type ReadOnlyField =
  | "id"
  | "created_on"
  | "modified_on"
  | "next_event_prequeue_start_time"
  | "next_event_start_time";

export type ParsedRoom =
  | { readonly ok: true; readonly room: RoomInput }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

/** Reads one room and reports every problem at once. */
export const parseRoom = (json: unknown): ParsedRoom => {
  const read = documentBy(roomSchema, json, problemsBetweenFields);
  if (!read.ok) return read;
  const spelled = spelledOtherwise(json as Readonly<Record<string, unknown>>, read.output);
  return {
    ok: true,
    room: Object.keys(spelled).length === 0 ? read.output : { ...read.output, spelled },
  };
};

/** The fields whose words are taken in any case. They are given back as they came. */
const IN_ANY_CASE = [
  ...(["queueing_method", "default_template_language", "turnstile_mode"] as const),
  ...(["turnstile_action", "cookie_attributes", "enabled_origin_commands"] as const),
] as const;

const spelledOtherwise = (
  json: Readonly<Record<string, unknown>>,
  room: Pick<RoomInput, (typeof IN_ANY_CASE)[number]>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    IN_ANY_CASE.flatMap((name) => {
      const came = json[name];
      const taken = room[name];
      const spelled = isRecord(came) && isRecord(taken) ? { ...taken, ...present(came) } : came;
      const isSame = came === null || JSON.stringify(spelled) === JSON.stringify(taken);
      return came === undefined || isSame ? [] : [[name, spelled]];
    }),
  );

const present = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));

/** The (host, path) pairs of a room in their one spelling; the first is its own. */
export const routesOf = (room: Pick<RoomInput, "host" | "path" | "additional_routes">) =>
  [{ host: room.host, path: room.path }, ...room.additional_routes].map((route) => ({
    host: routeHostOf(route.host ?? room.host) ?? "",
    path: routePathOf(route.path ?? "/") ?? "",
  }));

function problemsBetweenFields(room: RoomInput): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const domain = room.seiriken.cookie_domain;
  const { samesite, secure } = room.cookie_attributes;
  if (samesite === "none" && secure === "never") {
    const message = 'can\'t be "never" with samesite "none": browsers refuse such cookies';
    problems.push({ keys: ["cookie_attributes", "secure"], message });
  }
  if (room.seiriken.client_key !== null && room.seiriken.permit !== "request") {
    const message = 'is for rooms with "permit": "request"';
    problems.push({ keys: ["seiriken", "client_key"], message });
  }
  if (room.queueing_method === "random" && room.seiriken.permit === "request") {
    const message =
      'can\'t be "random" with "permit": "request": a request that was sent away is told its turn';
    problems.push({ keys: ["queueing_method"], message });
  }
  const { proof_of_work: work, permit } = room.seiriken;
  if (work !== null && permit === "request") {
    const message = 'is for rooms with "permit": "visit": a request takes no ticket beforehand';
    problems.push({ keys: ["seiriken", "proof_of_work"], message });
  }
  if (work !== null && work.bits > work.bits_max) {
    const message = `can't be below bits (${work.bits})`;
    problems.push({ keys: ["seiriken", "proof_of_work", "bits_max"], message });
  }
  problems.push(...problemsWithRegions(room.seiriken));
  const seen = new Set<string>();
  for (const [index, route] of routesOf(room).entries()) {
    const keys = index === 0 ? ["host"] : ["additional_routes", index - 1];
    const spelling = `${route.host} ${route.path}`;
    if (seen.has(spelling)) problems.push({ keys, message: "repeats a route of this room" });
    seen.add(spelling);
    const inside = route.host === "*" || domain === null || `.${route.host}`.endsWith(`.${domain}`);
    if (!inside) problems.push({ keys, message: `is not inside the cookie_domain ${domain}` });
  }
  return problems;
}
