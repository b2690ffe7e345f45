/** Shows the watch what the room looks like after a step, and notes the alerts that come of it. */
import { ALERT_BOUNDS } from "../alerts/bounds.ts";
import type { Alert } from "../alerts/alert.ts";
import type { PaceSeen, Sight } from "../alerts/watch.ts";
import type { OriginReport } from "../edge-report.ts";
import { etaOf } from "../estimate/eta.ts";
import { limitsInEffect } from "../events/planned.ts";
import { after, isOver, MINUTE_MS, type InstantMs } from "../time.ts";
import { eventSeen } from "./event-state.ts";
import type { HistoryRow } from "./history.ts";
import type { RoomState } from "./state.ts";
import { mayCall } from "./usher.ts";

/** More than a day: nobody says by how much. */
const LONG_SECONDS = 86_400;

/** An older table says nothing of now. */
const TABLE_KEPT_MS = MINUTE_MS;

/** At the end of each step, when it is known who waits and what for. */
export const watchRoom = (state: RoomState, now: InstantMs): void => {
  const bounds = state.limits.alerts ?? ALERT_BOUNDS;
  for (const alert of state.watch.look(sightOf(state, now), bounds, now)) note(state, alert);
};

export const watchMinute = ({ watch }: RoomState, row: HistoryRow): void =>
  watch.minute({
    minute: row.minute,
    missed: row.missed,
    came: row.entriesByUsher + row.entriesByBaton,
  });

export const watchOrigin = (
  { watch }: RoomState,
  { answers, errors }: OriginReport,
  now: InstantMs,
): void => watch.origin.add(answers + errors, errors, now);

/** The Registry has them: their rows go. */
export const alertsHeard = (state: RoomState, upTo: number): void => {
  if (state.alerts.acknowledged(upTo)) state.unsaved.rest.push({ drop: "alert", upTo });
};

const note = (state: RoomState, alert: Alert): void => {
  const { noted, dropUpTo } = state.alerts.note(alert);
  state.unsaved.rest.push({ put: "alert", alert: noted });
  if (dropUpTo !== null) state.unsaved.rest.push({ drop: "alert", upTo: dropUpTo });
};

const sightOf = (state: RoomState, now: InstantMs): Sight => {
  const { line, limits } = state;
  const isSure = line.unconfirmed === 0 && state.settlesUntil === null;
  const waiting = isSure ? line.waiting : null;
  return {
    waiting,
    heldBy: waiting === null || waiting === 0 ? null : heldBy(state),
    limits: {
      total_active_users: limits.permitsMax,
      new_users_per_minute: limits.startsPerMinuteMax,
    },
    waitSeconds: () => waitSeconds(state, now),
    event: eventSeen(state.plan),
    pace: paceSeen(state),
    closedBy: state.pace.closedBy,
  };
};

/** Limits are compared only while something could have lowered them. */
const paceSeen = ({ pace, limits, own, plan }: RoomState): PaceSeen | null => {
  const { api, origin } = pace.signals;
  if (api === null && origin === null && (pace.adaptive?.ceiling ?? null) === null) return null;
  const operators = limitsInEffect(own, plan.list, plan.current);
  const isLowered =
    limits.permitsMax < operators.permitsMax ||
    limits.startsPerMinuteMax < operators.startsPerMinuteMax ||
    (limits.startsPerSecondMax ?? Infinity) < (operators.startsPerSecondMax ?? Infinity);
  if (!isLowered) return null;
  const { source, reason } = pace.changes.at(-1) ?? { source: "", reason: "" };
  return { source, reason };
};

/** After the usher: where a permit lies free beside somebody who waits, no start is left. */
const heldBy = (state: RoomState): Sight["heldBy"] => {
  if (!mayCall(state)) return null;
  return state.permits.free > 0 ? "starts" : "total_active_users";
};

/**
 * Until a newcomer's turn, by the table that was made for those who wait: none is made for the watch. Null
 * too before an event starts, as that wait is planned.
 */
const waitSeconds = ({ estimator, line }: RoomState, now: InstantMs): number | null => {
  const { latest } = estimator;
  if (latest === null || isOver(after(latest.at, TABLE_KEPT_MS), now)) return null;
  const eta = etaOf(latest, line.waiting, now);
  if (eta.known) return eta.seconds;
  return eta.reason === "long" ? LONG_SECONDS : null;
};
