import type { Brand } from "../brand.ts";
import type { RoomDefinition } from "../definition.ts";
import type { PromisedValue } from "../draw/record.ts";
import type { InstantMs } from "../time.ts";

/** 32 hex digits. */
export type EventId = Brand<string, "EventId">;

/** What an event changes while it is on; null: as the room has it. */
export interface EventOverrides {
  /** Both limits, or neither of them. */
  readonly permitsMax: number | null;
  readonly startsPerMinuteMax: number | null;
  readonly leaseMs: number | null;
  readonly leaseRenews: boolean | null;
  readonly queueingMethod: RoomDefinition["queueingMethod"] | null;
  readonly customPageHtml: string | null;
  readonly turnstileMode: string | null;
  readonly turnstileAction: string | null;
}

/** Made with an event that shuffles: the secret stays ours until the draw, the rest is public at once. */
export interface EventDraw {
  /** Hex, as the commitment: core/draw/seed.ts. */
  readonly secret: string;
  readonly commitment: string;
  readonly announcedAt: InstantMs;
  readonly promised: PromisedValue;
}

/** A planned change of a room, from its prequeue or its start until its end. */
export interface RoomEvent {
  readonly id: EventId;
  readonly name: string;
  readonly description: string;
  readonly createdAt: InstantMs;
  readonly modifiedAt: InstantMs;
  readonly prequeueAt: InstantMs | null;
  readonly startsAt: InstantMs;
  readonly endsAt: InstantMs;
  /** As if it were not there. */
  readonly suspended: boolean;
  /** The numbers of the prequeue are drawn at the start. Only with a prequeue. */
  readonly shuffle: boolean;
  readonly overrides: EventOverrides;
  /** The times as they were given: they are given back byte for byte. */
  readonly given: {
    readonly prequeue: string | null;
    readonly start: string;
    readonly end: string;
  };
  /** Null unless it shuffles. */
  readonly draw: EventDraw | null;
}

/** The events of one room, past ones among them. */
export interface RoomEvents {
  /** Strictly rises with every change. */
  readonly changedAt: InstantMs;
  readonly list: readonly RoomEvent[];
}

/** Of one room. No two that are not suspended overlap. */
export const EVENTS_MAX = 100;

/**
 * prequeue: tickets are taken, nobody is called · drawing: it has started, and the order is not drawn
 * yet; nobody is called · running: its overrides hold, and turns come
 */
export type EventPhase = "prequeue" | "drawing" | "running";

/** What is going on, as snapshots, lobbies and pages are told. */
export interface CurrentEvent {
  readonly id: EventId;
  readonly name: string;
  readonly phase: EventPhase;
  readonly startsAt: InstantMs;
  readonly endsAt: InstantMs;
  readonly shuffle: boolean;
}
