import type { Eta } from "./estimate/eta.ts";
import type { CurrentEvent } from "./events/event.ts";
import type { LobbyIndex, TicketNumber, VisitId } from "./ids.ts";
import type { InstantMs } from "./time.ts";

/**
 * What a first request meets.
 * open: ask a lobby to enter · queues: the page, nobody is asked · paused: the page (`queue_all`)
 * closed: the page with the closing text · suspended: straight to the origin
 */
export type RoomMode = "open" | "queues" | "paused" | "closed" | "suspended";

/** Where in the Room's life a snapshot was taken; another `boot` voids every version. */
export interface SnapshotVersion {
  readonly boot: string;
  /** Rises with every visit that ends before its pass does. */
  readonly ended: number;
}

/** A visit that ended while a pass for it may still be unexpired. */
export interface EndedVisit {
  readonly visit: VisitId;
  /** Rises by one with each; says from where a delta goes on. */
  readonly version: number;
  /** No pass for it is alive at or after this instant. */
  readonly passesUntil: InstantMs;
}

/** P and R: per second, null where there is none, and per minute. */
export interface PaceLimits {
  readonly permitsMax: number;
  readonly startsPerSecondMax: number | null;
  readonly startsPerMinuteMax: number;
}

/** Limits in effect below the operator's, and why. */
export interface LoweredLimits {
  readonly operator: PaceLimits;
  readonly inEffect: PaceLimits;
  readonly closedBy: "api" | "origin" | null;
  /** Of each source that holds, the reason. */
  readonly because: readonly string[];
}

/** What an isolate knows of a room: at most 2 s old by `at`, the Room's own clock. */
export interface RoomSnapshot {
  readonly version: SnapshotVersion;
  readonly at: InstantMs;
  readonly mode: RoomMode;
  /** Passes of an earlier epoch are dead (`revoke all`). */
  readonly epoch: number;
  /** When the epoch began, by ending every visit. Null for the first. */
  readonly epochAt?: InstantMs | null;
  readonly message: string | null;
  readonly closed: string | null;
  /** Only while there is one. */
  readonly event?: CurrentEvent;
  /** Lobbies that take joins, never empty. */
  readonly lobbiesOpen: readonly LobbyIndex[];
  readonly waiting: number;
  readonly called: number;
  readonly visiting: number;
  readonly permitsMax: number;
  /** Only while anything but the operator lowers the limits, or has closed the room. */
  readonly lowered?: LoweredLimits;
  /** The highest number issued, 0 before the first. */
  readonly issued: TicketNumber | 0;
  /** Smoothed, in visits a minute; 0 while unknown. */
  readonly entriesPerMinute: number;
  /** How long a visitor who joins now would wait. */
  readonly newcomer: Eta;
  /** Starts in each of the last sixty seconds, oldest first, the running one last. */
  readonly startsLastMinute?: readonly number[];
  /** Ended visits: all of them, or those since the version asked for. */
  readonly endedSince: number | null;
  readonly ended: readonly EndedVisit[];
}

/** Room snapshots go stale at this age; isolates refresh beforehand. */
export const SNAPSHOT_FRESH_MS = 2_000;
/** How long live passes go on when no snapshot can be had. */
export const SNAPSHOT_GRACE_MS = 30_000;
