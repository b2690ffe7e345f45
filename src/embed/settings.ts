/** A counter's limits, checked and made into a definition. They are documented in docs/embed.md. */
import type { RoomDefinition } from "../core/definition.ts";
import { hex } from "../core/hex.ts";
import type { RoomId } from "../core/ids.ts";
import { instant, SECOND_MS } from "../core/time.ts";

/** What a counter lets through. Spans are whole seconds, counts whole and at least 1. */
export interface CounterLimits {
  /** At most so many run at once. */
  readonly limit: number;
  /** At most so many start in one second; no such limit by default. */
  readonly startsPerSecond?: number;
  /** Seconds of the clock, or any 1,000 ms; `calendar` by default. */
  readonly ring?: "calendar" | "sliding";
  /** How long a caller waits for its turn before it is sent away with its ticket; 20 by default. */
  readonly holdSeconds?: number;
  /**
   * How long a permit outlives a Worker that died with it; 60 by default. While the work runs the
   * permit is renewed, however long that is.
   */
  readonly leaseSeconds?: number;
  /** A caller that comes back within this time keeps its place; 3,600 by default. */
  readonly returnWindowSeconds?: number;
  /** With so many waiting, new callers are refused; 5,000,000 by default. */
  readonly lineMax?: number;
  /** Objects that callers wait at; one holds some thousands. 1 by default. */
  readonly lobbies?: number;
  /** Raise it with each change of limits: an older Worker then does not undo a newer one's. */
  readonly version?: number;
}

const HOLD_SECONDS = 20;
const LEASE_SECONDS = 60;
const RETURN_WINDOW_SECONDS = 3_600;
const LINE_MAX = 5_000_000;
const NO_LIMIT = 1_000_000_000;
const GUARD_MS = 100;

const checked = (name: string, value: number, least = 1): number => {
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new RangeError(`${name} is whole and at least ${least}, not ${value}`);
};

/** A counter is a room of requests without routes. Throws a `RangeError` for what is no limit. */
export const definitionOf = (id: RoomId, name: string, given: CounterLimits): RoomDefinition => {
  const version = instant(given.version ?? 0);
  const seconds = (key: keyof CounterLimits, value: number, least = 1): number =>
    checked(key, value, least) * SECOND_MS;
  return {
    id,
    name,
    description: "",
    createdAt: version,
    modifiedAt: version,
    routes: [],
    queueingMethod: "fifo",
    queueingStatusCode: 503,
    jsonResponseEnabled: true,
    cookieSuffix: name.replace(/[^\w-]+/g, "-").replace(/^-+|-+$/g, "") || "counter",
    cookieDomain: null,
    limits: {
      permit: "request",
      permitsMax: checked("limit", given.limit),
      startsPerMinuteMax: NO_LIMIT,
      startsPerSecondMax:
        given.startsPerSecond === undefined
          ? null
          : checked("startsPerSecond", given.startsPerSecond),
      ring: given.ring ?? "calendar",
      ringGuardMs: GUARD_MS,
      leaseMs: seconds("leaseSeconds", given.leaseSeconds ?? LEASE_SECONDS),
      leaseRenews: true,
      claimWithinMs: SECOND_MS,
      returnWindowMs: seconds(
        "returnWindowSeconds",
        given.returnWindowSeconds ?? RETURN_WINDOW_SECONDS,
      ),
      visitMaxMs: null,
      lineMax: checked("lineMax", given.lineMax ?? LINE_MAX),
      lobbiesMin: checked("lobbies", given.lobbies ?? 1),
      joinsPerAddressPerMinuteMax: null,
      paused: false,
      closed: null,
      suspended: false,
      message: null,
    },
    originRequestsPerSecondMax: null,
    holdMs: seconds("holdSeconds", given.holdSeconds ?? HOLD_SECONDS, 0),
    originTimeoutMs: seconds("leaseSeconds", given.leaseSeconds ?? LEASE_SECONDS),
    strict: false,
    corsOrigins: [],
    exempt: [],
    onFailure: "closed",
    origin: null,
    rewrite: false,
    appearance: { name: null, accent: null, logo: null },
    kept: {},
  };
};

/** The same name is the same counter, wherever the code runs. */
export const counterId = async (name: string): Promise<RoomId> => {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(name));
  return hex(new Uint8Array(bytes).slice(0, 16)) as RoomId;
};
