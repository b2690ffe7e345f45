/** What lowers a room's limits, as the API takes and shows it. */
import type * as v from "valibot";
import type { FieldProblem } from "../../core/field-problem.ts";
import {
  REASON_LENGTH_MAX,
  SIGNAL_COUNT_MAX,
  TTL_SECONDS_MAX,
  type PaceAsk,
  type PaceSignal,
} from "../../core/pace/signal.ts";
import { limitsResource, type LimitsResource } from "../../core/pace/resource.ts";
import type { PaceSource } from "../../core/pace/pace.ts";
import type { PaceView } from "../../core/room/pace.ts";
import { rfc3339 } from "../../core/time.ts";
import { documentBy, matching, orNone, settings, whole } from "../fields.ts";
import { PACE_WORDS } from "./words.ts";

const limit = orNone(whole(1, SIGNAL_COUNT_MAX));
/** One line: it stands in lists. */
const reason = new RegExp(`^(?=.*\\S)[^\\p{Cc}\\u2028\\u2029]{1,${REASON_LENGTH_MAX}}$`, "u");

export const paceSchema = settings(PACE_WORDS, {
  permits: limit,
  starts_per_second: limit,
  new_users_per_minute: limit,
  stock_left: orNone(whole(0, SIGNAL_COUNT_MAX)),
  ttl_seconds: whole(1, TTL_SECONDS_MAX),
  reason: matching(reason, `must be a line of 1 to ${REASON_LENGTH_MAX} characters`),
});

type PaceInput = v.InferOutput<typeof paceSchema>;

export type ParsedPace =
  | { readonly ok: true; readonly ask: PaceAsk }
  | { readonly ok: false; readonly problems: readonly FieldProblem[] };

export const parsePace = (json: unknown): ParsedPace => {
  const read = documentBy(paceSchema, json, saysSomething);
  if (!read.ok) return read;
  const { output } = read;
  return {
    ok: true,
    ask: {
      permits: output.permits,
      startsPerSecond: output.starts_per_second,
      startsPerMinute: output.new_users_per_minute,
      stockLeft: output.stock_left,
      ttlSeconds: output.ttl_seconds,
      reason: output.reason.trim(),
    },
  };
};

const LIMITS = ["permits", "starts_per_second", "new_users_per_minute", "stock_left"] as const;

const saysSomething = (output: PaceInput): readonly FieldProblem[] =>
  LIMITS.some((name) => output[name] !== null)
    ? []
    : [{ keys: [], message: `must name at least one of ${LIMITS.join(", ")}` }];

interface SignalResource {
  readonly permits: number | null;
  readonly starts_per_second: number | null;
  readonly new_users_per_minute: number | null;
  readonly stock_left: number | null;
  readonly said_on: string;
  readonly until: string;
  readonly reason: string;
}

/** `GET …/rooms/{room}/pace`. */
export interface PaceResource {
  readonly room: string;
  readonly at: string;
  readonly in_effect: LimitsResource;
  /** The room's own, or those of the event that is on. */
  readonly operator: LimitsResource;
  readonly signals: { readonly api: SignalResource | null; readonly origin: SignalResource | null };
  readonly adaptive: {
    readonly on: boolean;
    readonly permits: number | null;
    /** How long an answer takes in quiet times, in milliseconds; null until it is known. */
    readonly quiet_ms: number | null;
  };
  readonly closed_by: "api" | "origin" | null;
  /** The latest first. */
  readonly changes: readonly (LimitsResource & {
    readonly at: string;
    readonly source: PaceSource;
    readonly reason: string;
    readonly closed: boolean;
  })[];
}

const signalResource = (signal: PaceSignal | null): SignalResource | null =>
  signal === null
    ? null
    : {
        permits: signal.permits,
        starts_per_second: signal.startsPerSecond,
        new_users_per_minute: signal.startsPerMinute,
        stock_left: signal.stockLeft,
        said_on: rfc3339(signal.saidAt),
        until: rfc3339(signal.until),
        reason: signal.reason,
      };

export const paceResource = (room: string, view: PaceView): PaceResource => ({
  room,
  at: rfc3339(view.now),
  in_effect: limitsResource(view.inEffect),
  operator: limitsResource(view.operator),
  signals: { api: signalResource(view.signals.api), origin: signalResource(view.signals.origin) },
  adaptive: { on: view.settings.adaptive, permits: view.adaptiveMax, quiet_ms: view.quietMs },
  closed_by: view.closedBy,
  changes: view.changes.toReversed().map((change) => ({
    at: rfc3339(change.at),
    source: change.source,
    reason: change.reason,
    ...limitsResource(change),
    closed: change.isClosed,
  })),
});
