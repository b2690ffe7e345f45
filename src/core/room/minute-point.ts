/** A minute of a room as a point of time series databases that take a key, words and numbers. */
import { LogHistogram } from "../collections/log-histogram.ts";
import type { HistoryRow } from "./history.ts";
import type { StoredRoomChange } from "./stored.ts";

/** As Workers Analytics Engine takes it: one index, at most 20 words and 20 numbers. */
export interface MinutePoint {
  readonly indexes: readonly [room: string];
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
}

/** What each number says, in their order: it never changes, as what is written stays. */
const DOUBLES: readonly ((row: HistoryRow) => number)[] = [
  ({ minute }) => minute / 1_000,
  ({ joined }) => joined ?? 0,
  ({ issued }) => issued,
  ({ entriesByUsher }) => entriesByUsher,
  ({ entriesByBaton }) => entriesByBaton,
  ({ entriesByDoor }) => entriesByDoor,
  ({ calls }) => calls,
  ({ missed }) => missed,
  ({ left }) => left ?? 0,
  ({ finished }) => finished,
  ({ expired }) => expired,
  ({ revoked }) => revoked,
  ({ refused }) => refused,
  ({ arrivals }) => arrivals ?? 0,
  ({ bypassed }) => bypassed ?? 0,
  ({ originAnswers }) => originAnswers ?? 0,
  ({ originErrors }) => originErrors ?? 0,
  ({ waitingMax }) => waitingMax,
  ({ outMax }) => outMax,
  ({ waits }) => (LogHistogram.from(waits?.counts ?? []).quantile(0.9) ?? 0) / 1_000,
];

/** The minutes that are over by these changes: one at most, whatever is done in a step. */
export const minutePoints = (
  room: string,
  changes: readonly StoredRoomChange[],
): readonly MinutePoint[] =>
  changes.flatMap((change) =>
    "put" in change && change.put === "history"
      ? [
          {
            indexes: [room],
            blobs: ["minute", room],
            doubles: DOUBLES.map((value) => value(change.row)),
          } as const,
        ]
      : [],
  );
