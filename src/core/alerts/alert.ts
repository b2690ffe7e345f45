/** What operators are told of, each thing once. docs/alerts.md says when each begins and ends. */
import type { InstantMs } from "../time.ts";

/** What a Room tells of itself. */
export const ROOM_ALERT_TYPES = [
  "line.began",
  "line.ended",
  "wait.high",
  "wait.normal",
  "limit.reached",
  "limit.eased",
  "no_shows.high",
  "no_shows.normal",
  "origin.failing",
  "origin.recovered",
  "pace.lowered",
  "pace.restored",
  "room.closed",
  "room.opened",
  "event.prequeue",
  "event.drawing",
  "event.running",
  "event.ended",
] as const;

/** What the Registry tells, and what a test button sends. */
export const ALERT_TYPES = [...ROOM_ALERT_TYPES, "settings.changed", "webhook.test"] as const;

export type RoomAlertType = (typeof ROOM_ALERT_TYPES)[number];
export type AlertType = (typeof ALERT_TYPES)[number];

/** As receivers read it: flat, small, without anything of a visitor. */
export type AlertData = Readonly<Record<string, string | number | boolean | null>>;

export interface Alert {
  readonly type: AlertType;
  /** By the clock of the object that tells it. */
  readonly at: InstantMs;
  readonly data: AlertData;
}

/** An alert that a Room has written down. `sequence` rises by one with each of the room's life. */
export interface NotedAlert extends Alert {
  readonly sequence: number;
}

/** At most so many wait in a Room for the Registry; with one more the oldest goes. */
export const NOTED_ALERTS_MAX = 100;
