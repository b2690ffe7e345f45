/**
 * A room as its operator defines it: what the core and the Worker work by. How the API shows it is
 * api/rooms/resource.ts; what is checked before is api/rooms/schema.ts.
 */
import type { AlertBounds } from "./alerts/bounds.ts";
import type { TrustedProxies } from "./address/trusted-proxies.ts";
import type { RoomEvents } from "./events/event.ts";
import type { RoomId } from "./ids.ts";
import type { PaceSettings } from "./pace/pace.ts";
import type { RegionList, RoomHome } from "./regions/region.ts";
import type { BypassRules } from "./rules/bypass-rule.ts";
import type { ProofOfWork } from "./strangers/network-load.ts";
import { instant, type InstantMs } from "./time.ts";

/** A host (`*` for every host; lower case, no port) and a path that matches whole segments. */
export interface Route {
  readonly host: string;
  readonly path: string;
}

/** Requests that need no pass. Every condition that is given must hold. */
export interface ExemptRule {
  readonly host?: string;
  readonly path?: string;
  readonly methods?: readonly string[];
  /** A header that must be there, and its exact value where one is given. */
  readonly header?: { readonly name: string; readonly value?: string };
  /** At most this many a second from one isolate; beyond it the rule does not apply. */
  readonly requestsPerSecondMax?: number;
  /** Only for a pass that ended under 60 minutes ago, at most 20 requests each. */
  readonly if?: "ended-pass";
}

/** What the operator may put on the page. All of it is data: it is escaped, never run. */
export interface Appearance {
  readonly name: string | null;
  /** `#rrggbb` */
  readonly accent: string | null;
  /** A `data:` URL of an image, at most 16 KB. */
  readonly logo: string | null;
}

/**
 * The limits that the Room itself enforces. They may change at any step.
 * Spans are whole milliseconds; every maximum is whole and at least 1.
 */
export interface RoomLimits {
  readonly permit: "visit" | "request";
  /** Whom a free permit is offered to: the lowest present number, or one drawn evenly among the present. */
  readonly order?: "fifo" | "random";
  /** P: called + held never rises above it. */
  readonly permitsMax: number;
  /** Visits that may start in any 60 consecutive seconds of the Room's clock. */
  readonly startsPerMinuteMax: number;
  readonly startsPerSecondMax: number | null;
  readonly ring: "calendar" | "sliding";
  readonly ringGuardMs: number;
  /** How long a held permit lives without a sign of its visitor. */
  readonly leaseMs: number;
  /** False: a lease is never renewed (Cloudflare's `disable_session_renewal`). */
  readonly leaseRenews: boolean;
  readonly claimWithinMs: number;
  readonly returnWindowMs: number;
  /** Overtime begins here, whatever the activity. */
  readonly visitMaxMs: number | null;
  readonly lineMax: number;
  readonly lobbiesMin: number;
  /** Where its lobbies live, each index in one of them. Fixed; absent in a room that names none. */
  readonly regions?: RegionList;
  readonly joinsPerAddressPerMinuteMax: number | null;
  /** Nobody is called and nobody enters (`queue_all`). */
  readonly paused: boolean;
  /** The room takes no tickets and calls nobody: sold out. The text goes to the page. */
  readonly closed: string | null;
  /** The Worker lets everybody through; the Room calls nobody. */
  readonly suspended: boolean;
  readonly message: string | null;
  /** Requests of all admitted visitors together that may begin in one second; none by default. */
  readonly requestsPerSecondMax?: number | null;
  /** A request that is sent away is told when its turn can be, judged by how long visits last. */
  readonly tellsTurns?: boolean;
  /** From where on its operators are told; the defaults in rooms that were stored before there were any. */
  readonly alerts?: AlertBounds;
}

/** What a request room knows its clients by, beside their tickets. */
export type ClientKey =
  | { readonly from: "address" }
  | { readonly from: "header"; readonly name: string };

/** Cloudflare's fields by their API names, as the operator gave them. Those with a type here are acted on. */
export interface CloudflareFields {
  readonly cookie_attributes?: CookieAttributes;
  /** Empty or null: the room's cookies are named after the room. */
  readonly cookie_suffix?: string | null;
  /** A Mustache template in place of the queue page. Empty: the queue page. */
  readonly custom_page_html?: string;
  readonly default_template_language?: string;
  /** `off`, or how the check of strangers shows itself, and what follows from it. */
  readonly turnstile_mode?: string;
  readonly turnstile_action?: string;
  /** What of the origin's commands is heeded, in Cloudflare's words. */
  readonly enabled_origin_commands?: readonly string[];
  /** Fields whose words came in another case, as they came. Acted on are those above. */
  readonly spelled?: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

export interface CookieAttributes {
  readonly samesite?: "auto" | "lax" | "none" | "strict";
  readonly secure?: "auto" | "always" | "never";
}

/** Everything that is known of a room. The Registry stores it; isolates keep it for 5 s. */
export interface RoomDefinition {
  readonly id: RoomId;
  readonly name: string;
  readonly description: string;
  readonly createdAt: InstantMs;
  readonly modifiedAt: InstantMs;
  readonly routes: readonly Route[];
  readonly queueingMethod: "fifo" | "random" | "passthrough" | "reject";
  readonly queueingStatusCode: 200 | 202 | 429 | 503;
  readonly jsonResponseEnabled: boolean;
  /** Names this room's cookies; the room's name when the operator gave none. */
  readonly cookieSuffix: string;
  readonly cookieDomain: string | null;
  readonly limits: RoomLimits;
  readonly originRequestsPerSecondMax: number | null;
  readonly holdMs: number;
  readonly originTimeoutMs: number;
  /** Absent in rooms that were stored before there was one. */
  readonly clientKey?: ClientKey | null;
  /** The longest silence within an answer that has begun; none by default, nor in older rooms. */
  readonly originSilenceMs?: number | null;
  /** Every request asks the Room itself whether its visit lives. */
  readonly strict: boolean;
  /** Where the Room itself lives. Fixed; absent in a room that does not say. */
  readonly home?: RoomHome;
  readonly corsOrigins: readonly string[];
  readonly exempt: readonly ExemptRule[];
  /** Which requests pass the room by. Absent until there is one. */
  readonly rules?: BypassRules;
  /** What is planned, was planned, and is on. Absent until there is one. */
  readonly events?: RoomEvents;
  readonly onFailure: "closed" | "open";
  /** A URL, `service:NAME` for a binding, or null for the deployment's own. */
  readonly origin: string | null;
  readonly rewrite: boolean;
  /** The origin hears the visitor's `Host`, where the platform allows it. Absent in older rooms. */
  readonly keepHost?: boolean;
  /** Null, and absent in rooms that an older version stored: the deployment's. */
  readonly trustedProxies?: TrustedProxies | null;
  /**
   * True: answers that stream and sockets end with their visit. Absent in rooms of an older
   * version.
   */
  readonly closeSockets?: boolean;
  /** What those pay with work who want a ticket; nothing by default, nor in older rooms. */
  readonly proofOfWork?: ProofOfWork | null;
  /** What may lower its limits; in older rooms nothing but a signal. */
  readonly pace?: PaceSettings;
  readonly appearance: Appearance;
  /** None of them in the counter that is embedded. */
  readonly kept: CloudflareFields;
}

/** When what a Room is told of it was changed: its settings, or its events. */
export const changedAt = ({ modifiedAt, events }: RoomDefinition): InstantMs =>
  instant(Math.max(modifiedAt, events?.changedAt ?? 0));
