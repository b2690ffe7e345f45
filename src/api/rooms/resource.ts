/** A room as the API shows it, and as the core knows it: both ways, without loss. */
import { ALERT_BOUNDS, type AlertBounds } from "../../core/alerts/bounds.ts";
import type { ClientKey, ExemptRule, RoomDefinition } from "../../core/definition.ts";
import { nextEventOf } from "../../core/events/next-event.ts";
import type { RoomId } from "../../core/ids.ts";
import type { RegionList, RoomHome } from "../../core/regions/region.ts";
import type { ProofOfWork } from "../../core/strangers/network-load.ts";
import { rfc3339, type InstantMs } from "../../core/time.ts";
import { routeHostOf, routePathOf } from "../fields.ts";
import type { RegionsInput } from "./region-problems.ts";
import { routesOf, type RoomInput } from "./schema.ts";

const MINUTE = 60_000;
const SECOND = 1_000;

/** Fields that are given back exactly as they came. */
type EchoedFields = Pick<
  RoomInput,
  | "host"
  | "path"
  | "additional_routes"
  | "cookie_suffix"
  | "cookie_attributes"
  | "custom_page_html"
  | "default_template_language"
  | "enabled_origin_commands"
  | "turnstile_mode"
  | "turnstile_action"
>;

export interface RoomIdentity {
  readonly id: RoomId;
  readonly createdAt: InstantMs;
  readonly modifiedAt: InstantMs;
  /** Names the cookies when the operator gave no `cookie_suffix`. */
  readonly cookieSuffix: string;
}

/** A room as the API answers it. */
export type RoomResource = RoomInput & {
  readonly id: RoomId;
  readonly created_on: string;
  readonly modified_on: string;
  readonly next_event_prequeue_start_time: string | null;
  readonly next_event_start_time: string | null;
};

/** A room as it stood when it was deleted, and until when it can be restored. */
export type DeletedRoomResource = RoomResource & {
  readonly deleted_on: string;
  readonly restorable_until: string;
};

const inMs = (seconds: number | null): number | null =>
  seconds === null ? null : seconds * SECOND;
const inSeconds = (ms: number | null): number | null => (ms === null ? null : ms / SECOND);
/** An empty text on the page says nothing, so it is none. */
const textOrNone = (text: string | null): string | null => (text?.trim() ? text : null);

export const definitionOf = (room: RoomInput, identity: RoomIdentity): RoomDefinition => {
  const own = room.seiriken;
  return {
    id: identity.id,
    name: room.name,
    description: room.description,
    createdAt: identity.createdAt,
    modifiedAt: identity.modifiedAt,
    routes: routesOf(room),
    queueingMethod: room.queueing_method,
    queueingStatusCode: room.queueing_status_code,
    jsonResponseEnabled: room.json_response_enabled,
    cookieSuffix: room.cookie_suffix || identity.cookieSuffix,
    cookieDomain: own.cookie_domain,
    limits: limitsOf(room),
    originRequestsPerSecondMax: own.origin_requests_per_second,
    holdMs: own.hold_seconds * SECOND,
    originTimeoutMs: own.origin_timeout_seconds * SECOND,
    clientKey: clientKeyOf(own.client_key),
    originSilenceMs: inMs(own.origin_silence_seconds),
    strict: own.strict,
    ...homeOf(own),
    corsOrigins: own.cors_origins.map((origin) => origin.toLowerCase()),
    exempt: own.exempt.map(exemptRuleOf),
    onFailure: own.on_failure,
    origin: own.origin,
    rewrite: own.rewrite,
    keepHost: own.keep_host,
    closeSockets: own.close_sockets,
    trustedProxies: own.trusted_proxies,
    proofOfWork: proofOfWorkOf(own.proof_of_work),
    pace: {
      adaptive: own.adaptive,
      leastPermits: own.least_permits,
      soldOut: textOrNone(own.sold_out),
    },
    appearance: own.appearance,
    kept: {
      ...echoedFieldsOf(room),
      ...(room.spelled === undefined ? {} : { spelled: room.spelled }),
    },
  };
};

const limitsOf = (room: RoomInput): RoomDefinition["limits"] => ({
  permit: room.seiriken.permit,
  ...(room.queueing_method === "random" ? { order: "random" } : {}),
  permitsMax: room.total_active_users,
  startsPerMinuteMax: room.new_users_per_minute,
  startsPerSecondMax: room.seiriken.starts_per_second,
  ring: room.seiriken.ring,
  ringGuardMs: room.seiriken.ring_guard_ms,
  leaseMs: Math.round(room.session_duration * MINUTE),
  leaseRenews: !room.disable_session_renewal,
  claimWithinMs: room.seiriken.claim_within_seconds * SECOND,
  returnWindowMs: room.seiriken.return_window_seconds * SECOND,
  visitMaxMs: inMs(room.seiriken.max_visit_seconds),
  lineMax: room.seiriken.line_max,
  lobbiesMin: room.seiriken.lobbies,
  ...lobbyRegionsOf(room.seiriken),
  joinsPerAddressPerMinuteMax: room.seiriken.joins_per_address_per_minute,
  paused: room.queue_all,
  closed: textOrNone(room.seiriken.closed),
  suspended: room.suspended,
  message: textOrNone(room.seiriken.message),
  alerts: alertBoundsOf(room.seiriken.alerts),
});

/** A room that says nothing of it is stored as it was before there were regions. */
const lobbyRegionsOf = ({ regions }: RegionsInput): { readonly regions?: RegionList } => {
  const [first, ...others] = regions;
  return first === undefined ? {} : { regions: [first, ...others] };
};

const homeOf = (own: RegionsInput): { readonly home?: RoomHome } => {
  const { room_region: region, jurisdiction } = own;
  return region === null && jurisdiction === null ? {} : { home: { region, jurisdiction } };
};

type AlertsInput = RoomInput["seiriken"]["alerts"];

/** 0 is never. */
const alertBoundsOf = (alerts: AlertsInput): AlertBounds => ({
  waitMinutes: alerts.wait_minutes || null,
  originErrorPercent: alerts.origin_error_percent || null,
  noShowPercent: alerts.no_show_percent || null,
});

const alertsInputOf = (bounds: AlertBounds): AlertsInput => ({
  wait_minutes: bounds.waitMinutes ?? 0,
  origin_error_percent: bounds.originErrorPercent ?? 0,
  no_show_percent: bounds.noShowPercent ?? 0,
});

type ClientKeyInput = RoomInput["seiriken"]["client_key"];

const clientKeyOf = (key: ClientKeyInput): ClientKey | null => {
  if (key === null) return null;
  if (key.from === "address" || key.name === undefined) return { from: "address" };
  return { from: "header", name: key.name };
};

type ProofOfWorkInput = RoomInput["seiriken"]["proof_of_work"];

const proofOfWorkOf = (work: ProofOfWorkInput): ProofOfWork | null =>
  work === null ? null : { bits: work.bits, bitsMax: work.bits_max };

const proofOfWorkInputOf = (work: ProofOfWork | null): ProofOfWorkInput =>
  work === null ? null : { bits: work.bits, bits_max: work.bitsMax };

const echoedFieldsOf = (room: RoomInput): EchoedFields => ({
  host: room.host,
  path: room.path,
  additional_routes: room.additional_routes,
  cookie_suffix: room.cookie_suffix,
  cookie_attributes: room.cookie_attributes,
  custom_page_html: room.custom_page_html,
  default_template_language: room.default_template_language,
  enabled_origin_commands: room.enabled_origin_commands,
  turnstile_mode: room.turnstile_mode,
  turnstile_action: room.turnstile_action,
});

type ExemptInput = RoomInput["seiriken"]["exempt"][number];

const exemptRuleOf = (rule: ExemptInput): ExemptRule => ({
  ...(rule.host === undefined ? {} : { host: routeHostOf(rule.host) ?? rule.host }),
  ...(rule.path === undefined ? {} : { path: routePathOf(rule.path) ?? rule.path }),
  ...(rule.methods === undefined ? {} : { methods: rule.methods }),
  ...(rule.header === undefined ? {} : { header: headerOf(rule.header) }),
  ...(rule.rate === undefined ? {} : { requestsPerSecondMax: rule.rate }),
  ...(rule.if === undefined ? {} : { if: rule.if }),
});

const headerOf = (header: NonNullable<ExemptInput["header"]>): { name: string; value?: string } =>
  header.value === undefined ? { name: header.name } : { name: header.name, value: header.value };

const exemptInputOf = (rule: ExemptRule): ExemptInput => ({
  ...(rule.host === undefined ? {} : { host: rule.host }),
  ...(rule.path === undefined ? {} : { path: rule.path }),
  ...(rule.methods === undefined ? {} : { methods: [...rule.methods] }),
  ...(rule.header === undefined ? {} : { header: headerOf(rule.header) }),
  ...(rule.requestsPerSecondMax === undefined ? {} : { rate: rule.requestsPerSecondMax }),
  ...(rule.if === undefined ? {} : { if: rule.if }),
});

/** The settings alone: what `parseRoom` takes back. */
const inputOf = (definition: RoomDefinition): RoomInput => {
  const { limits } = definition;
  const { spelled = {}, ...echoed } = definition.kept;
  const kept = echoed as unknown as EchoedFields;
  return {
    ...kept,
    name: definition.name,
    description: definition.description,
    total_active_users: limits.permitsMax,
    new_users_per_minute: limits.startsPerMinuteMax,
    session_duration: limits.leaseMs / MINUTE,
    disable_session_renewal: !limits.leaseRenews,
    queue_all: limits.paused,
    suspended: limits.suspended,
    queueing_method: definition.queueingMethod,
    queueing_status_code: definition.queueingStatusCode,
    json_response_enabled: definition.jsonResponseEnabled,
    seiriken: seirikenOf(definition),
    ...spelled,
  };
};

const seirikenOf = ({ limits, ...definition }: RoomDefinition): RoomInput["seiriken"] => ({
  permit: limits.permit,
  claim_within_seconds: limits.claimWithinMs / SECOND,
  return_window_seconds: limits.returnWindowMs / SECOND,
  max_visit_seconds: inSeconds(limits.visitMaxMs),
  starts_per_second: limits.startsPerSecondMax,
  origin_requests_per_second: definition.originRequestsPerSecondMax,
  ring: limits.ring,
  ring_guard_ms: limits.ringGuardMs,
  hold_seconds: definition.holdMs / SECOND,
  joins_per_address_per_minute: limits.joinsPerAddressPerMinuteMax,
  trusted_proxies: definition.trustedProxies ?? null,
  strict: definition.strict,
  line_max: limits.lineMax,
  lobbies: limits.lobbiesMin,
  regions: [...(limits.regions ?? [])],
  room_region: definition.home?.region ?? null,
  jurisdiction: definition.home?.jurisdiction ?? null,
  cors_origins: [...definition.corsOrigins],
  exempt: definition.exempt.map(exemptInputOf),
  cookie_domain: definition.cookieDomain,
  on_failure: definition.onFailure,
  message: limits.message,
  closed: limits.closed,
  origin: definition.origin,
  rewrite: definition.rewrite,
  keep_host: definition.keepHost ?? false,
  close_sockets: definition.closeSockets ?? false,
  origin_timeout_seconds: definition.originTimeoutMs / SECOND,
  client_key: definition.clientKey ?? null,
  origin_silence_seconds: inSeconds(definition.originSilenceMs ?? null),
  proof_of_work: proofOfWorkInputOf(definition.proofOfWork ?? null),
  adaptive: definition.pace?.adaptive ?? false,
  least_permits: definition.pace?.leastPermits ?? null,
  sold_out: definition.pace?.soldOut ?? null,
  appearance: { ...definition.appearance },
  alerts: alertsInputOf(limits.alerts ?? ALERT_BOUNDS),
});

/** `now` is what the next event is told by; without it none is. */
export const resourceOf = (definition: RoomDefinition, now?: InstantMs): RoomResource => {
  const next = now === undefined ? null : nextEventOf(definition, now);
  return {
    id: definition.id,
    created_on: rfc3339(definition.createdAt),
    modified_on: rfc3339(definition.modifiedAt),
    next_event_prequeue_start_time: next?.given.prequeue ?? null,
    next_event_start_time: next?.given.start ?? null,
    ...inputOf(definition),
  };
};
