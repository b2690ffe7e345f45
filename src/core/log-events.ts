/**
 * Every word that a line of the log can have as its `event`, and what it says; docs/logs.md is made
 * of it (npm run docs). The type sees to it that no other word is logged.
 */
import { OBJECT_LOG_EVENTS } from "./object-log-events.ts";

export interface LogEventWords {
  readonly level: "info" | "warn" | "error";
  /** Beside `level`, `event`, `reference` and `unsaid`. */
  readonly fields: readonly string[];
  readonly says: string;
  /** What the operator does about it. */
  readonly do: string;
}

const EDGE_LOG_EVENTS = {
  request: {
    level: "info",
    fields: ["room", "number", "waited_ms", "ran_ms", "outcome"],
    says: "A request of a room of requests is over: how long it waited and ran, and what became of it.",
    do: "Nothing; `outcome` other than `answered` in numbers says where requests are lost.",
  },
  "ticket-taken": {
    level: "info",
    fields: ["room", "number"],
    says: "A visitor took a ticket.",
    do: "Nothing. With the number the rest of the way is found.",
  },
  "place-left": {
    level: "info",
    fields: ["room", "number"],
    says: "A visitor gave its place up.",
    do: "Nothing.",
  },
  "visit-began": {
    level: "info",
    fields: ["room", "number"],
    says: "A visit began.",
    do: "Nothing.",
  },
  "visit-finished": {
    level: "info",
    fields: ["room", "number"],
    says: "A visitor or its server ended the visit.",
    do: "Nothing.",
  },
  "visit-released": {
    level: "info",
    fields: ["room", "number"],
    says: "The origin released the visit with its answer.",
    do: "Nothing.",
  },
  "visit-over": {
    level: "info",
    fields: ["room", "visit", "why"],
    says: "A visitor came back with the pass of a visit that was over, and why it was.",
    do: "Nothing for one; many `time-up` or `inactive`: `session_duration` may be too short.",
  },
  "visit-outlived": {
    level: "info",
    fields: ["room", "what"],
    says: "A visit ended while an answer or a socket of it was still running.",
    do: "Nothing; `close_sockets` ends sockets with their visits.",
  },
  turnstile: {
    level: "info",
    fields: ["room", "outcome"],
    says: "Turnstile did not pass a visitor.",
    do: "Nothing for one; most of them: check the widget's keys and hostnames.",
  },
  "operator-change": {
    level: "info",
    fields: ["at", "by", "network", "action", "room", "target", "changes", "more", "unsaid"],
    says: "Somebody changed something through the management: what, from what to what, by which token, from which network.",
    do: "Look whether you know of it. The audit log has it in full.",
  },
  "operator-changes-unsaid": {
    level: "info",
    fields: ["unsaid"],
    says: "More changes came in a second than the log tells; the audit log has them all.",
    do: "Look what changes so much.",
  },
  "origin-unreachable": {
    level: "error",
    fields: ["room", "reason"],
    says: "The origin did not answer a request that may be repeated; the visitor was told to try again.",
    do: "Look after the origin, its address and its certificate.",
  },
  "origin-lost": {
    level: "error",
    fields: ["room", "reason"],
    says: "The origin did not answer a request that may have been carried out.",
    do: "The same; whoever sent it was told to look before repeating.",
  },
  "origin-loop": {
    level: "error",
    fields: ["room", "reason"],
    says: "A request came round to us again and again: what we ask as the origin leads back here, perhaps by other proxies.",
    do: "Name the site's own servers in `ORIGIN` or in the room's `origin`, not the address under which visitors come.",
  },
  "origin-timeout": {
    level: "error",
    fields: ["room"],
    says: "A request of a room of requests took longer than `origin_timeout_seconds`.",
    do: "Find out what the origin is slow with, or raise the setting.",
  },
  "origin-asked-again": {
    level: "warn",
    fields: ["room", "reason"],
    says: "The origin closed a kept connection; a request that may be repeated went again over a new one.",
    do: "Nothing; often: the origin's keep-alive is shorter than 5 s.",
  },
  "answer-broken-off": {
    level: "warn",
    fields: ["reason"],
    says: "The origin broke an answer off in the middle, and so did we.",
    do: "Look at the origin's errors at that time.",
  },
  "room-unreachable": {
    level: "error",
    fields: ["room", "on_failure", "reason"],
    says: "A room's object did not answer: `on_failure` decided, or the visitor was told to come back.",
    do: "If it goes on: look at the platform's status, and at `room-tick` and `lobby-batch`.",
  },
  "region-silent": {
    level: "error",
    fields: ["room", "region"],
    says: "No lobby of a region has answered an isolate for 5 s: the next region of the room is asked in its place.",
    do: "Look at the platform's status; visitors keep their places (docs/regions.md). Many isolates say so: the region; one: its way there.",
  },
  "region-answers": {
    level: "info",
    fields: ["room", "region", "silent_ms"],
    says: "A region that was silent answers an isolate again, which asks it as before.",
    do: "Nothing.",
  },
  "snapshot-old": {
    level: "error",
    fields: ["room", "age_ms", "reason"],
    says: "An isolate could not refresh what it knows of a room; live passes go on for 30 s.",
    do: "The same.",
  },
  "snapshot-lost": {
    level: "error",
    fields: ["room", "age_ms", "reason"],
    says: "It is more than 30 s old: `on_failure` decides for everybody.",
    do: "The same.",
  },
  "definitions-old": {
    level: "error",
    fields: ["age_ms", "reason"],
    says: "The Registry is silent; isolates go on with the rooms that they know, for a day at most.",
    do: "Look at the platform's status; changes of rooms do not arrive meanwhile.",
  },
  "definitions-missing": {
    level: "error",
    fields: ["age_ms", "reason"],
    says: "An isolate knows no rooms at all, and lets nobody through.",
    do: "The same, at once.",
  },
  "end-lost": {
    level: "warn",
    fields: ["room", "reason"],
    says: "The end of a visit could not be told; its permit comes back when the lease runs out.",
    do: "Nothing for one.",
  },
  "socket-lost": {
    level: "error",
    fields: ["room", "reason"],
    says: "A visitor's socket could not be opened; the page polls and tries again.",
    do: "As for `room-unreachable`.",
  },
  "own-page-unusable": {
    level: "error",
    fields: ["room", "reason"],
    says: "A page of one's own could not be made; visitors get the built-in one.",
    do: "Mend `custom_page_html`; the preview shows it.",
  },
  "rule-unreadable": {
    level: "error",
    fields: ["room", "rule"],
    says: "A bypass rule of a room cannot be read by this version, and lets nobody by.",
    do: "Write the rule anew.",
  },
  "rules-out-of-steps": {
    level: "warn",
    fields: ["room"],
    says: "The bypass rules of a room took too many steps for a request, which then waited like any other.",
    do: "Simplify the rules.",
  },
  "turnstile-unreachable": {
    level: "error",
    fields: ["room", "reason"],
    says: "Turnstile did not verify within 3 s; the visitor counts as passed.",
    do: "Look at Cloudflare's status.",
  },
  "trusted-proxies-unreadable": {
    level: "error",
    fields: [],
    says: "`TRUSTED_PROXIES` cannot be read: no proxy is trusted, and every visitor has the proxy's address.",
    do: "Correct the variable.",
  },
  "wrong-tokens": {
    level: "error",
    fields: [],
    says: "Somebody tries tokens: one network has had ten wrong ones, and is slowed.",
    do: "Look where it comes from; your tokens are long enough not to be guessed.",
  },
  "access-keys-unreachable": {
    level: "error",
    fields: ["age_ms", "reason"],
    says: "The keys of Cloudflare Access could not be fetched; those fetched before are used as long as they may be.",
    do: "Look at its URL and at Cloudflare's status; tokens still sign in.",
  },
  "internal-error": {
    level: "error",
    fields: ["reason"],
    says: "A request failed for a reason of ours; it was answered with 500.",
    do: "Report it, with the line.",
  },
  "management-error": {
    level: "error",
    fields: ["reason"],
    says: "A call of the management could not reach what it needed.",
    do: "Try again; if it goes on, as for `room-unreachable`.",
  },
  "deleted-rooms-error": {
    level: "error",
    fields: ["reason"],
    says: "Restoring or listing deleted rooms failed.",
    do: "Try again.",
  },
  "keys-error": {
    level: "error",
    fields: ["reason"],
    says: "A call about signing keys failed.",
    do: "Try again.",
  },
  "tokens-error": {
    level: "error",
    fields: ["reason"],
    says: "A call about tokens failed.",
    do: "Try again.",
  },
  "audit-error": {
    level: "error",
    fields: ["reason"],
    says: "The audit log could not be read.",
    do: "Try again.",
  },
  "audit-failed": {
    level: "error",
    fields: ["reason"],
    says: "A change could not be entered in the audit log, and so was not made.",
    do: "Try again; if it goes on, look at the Registry's storage.",
  },
  "rooms-silent": {
    level: "warn",
    fields: ["rooms", "asked"],
    says: "A scrape of the metrics had rooms that did not answer; they are told as down.",
    do: "As for `room-unreachable`; with hundreds of rooms give each scraper a token for some of them.",
  },
  "webhooks-error": {
    level: "error",
    fields: ["reason"],
    says: "A call about webhooks failed.",
    do: "Try again.",
  },
  "locks-unreachable": {
    level: "error",
    fields: ["rule", "reason"],
    says: "A lock's shard did not answer; the request was refused with 503 and nothing was done.",
    do: "If it goes on: look at the platform's status.",
  },
  "lock-rules-unreachable": {
    level: "error",
    fields: ["reason"],
    says: "A call about lock rules failed.",
    do: "Try again.",
  },
  "lock-rules-old": {
    level: "error",
    fields: ["age_ms", "reason"],
    says: "An isolate could not refresh the lock rules, and goes on with those it knows.",
    do: "As for `locks-unreachable`.",
  },
  "lock-not-freed": {
    level: "warn",
    fields: ["rule", "reason"],
    says: "A lock could not be given back; it comes free when its lease runs out.",
    do: "Nothing for one.",
  },
  "lock-not-renewed": {
    level: "warn",
    fields: ["rule", "reason"],
    says: "A lock could not be renewed while its request ran.",
    do: "Often: raise `lease_seconds` above what the origin takes.",
  },
} as const satisfies Record<string, LogEventWords>;

export const LOG_EVENTS = { ...EDGE_LOG_EVENTS, ...OBJECT_LOG_EVENTS } as const;

export type LogEvent = keyof typeof LOG_EVENTS;
