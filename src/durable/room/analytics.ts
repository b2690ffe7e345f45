import { minutePoints, type MinutePoint } from "../../core/room/minute-point.ts";
import type { StoredRoomChange } from "../../core/room/stored.ts";
import { logFailure } from "../log.ts";

/** The part of a Workers Analytics Engine dataset that we use. */
export interface AnalyticsEnv {
  /** Absent: nothing is written. */
  readonly ANALYTICS?: { writeDataPoint(point: MinutePoint): void };
}

/** A point for each minute that has just been written down. What is lost here is lost: the history has it. */
export const tellAnalytics = (
  { ANALYTICS }: AnalyticsEnv,
  room: string,
  changes: readonly StoredRoomChange[],
): void => {
  if (ANALYTICS === undefined) return;
  try {
    for (const point of minutePoints(room, changes)) ANALYTICS.writeDataPoint(point);
  } catch (error) {
    logFailure("analytics-lost", error);
  }
};
