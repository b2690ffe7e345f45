/** What monitoring reads of a room at a moment: what stands now, and what has been counted so far. */
import { etaOf, type Eta } from "../estimate/eta.ts";
import type { EventPhase } from "../events/event.ts";
import { regionMeters, type RegionMeter } from "../regions/meter.ts";
import type { RoomMode } from "../snapshot.ts";
import type { InstantMs } from "../time.ts";
import { eventOf } from "./events.ts";
import { modeOf } from "./mode.ts";
import type { RoomState } from "./state.ts";
import type { HistoryTotals } from "./totals.ts";
import { waitTableOf } from "./view.ts";

/** Limits of a room that can be measured against. */
export interface MeteredLimits {
  readonly permitsMax: number;
  readonly startsPerMinuteMax: number;
  readonly startsPerSecondMax: number | null;
}

export interface RoomMeter {
  readonly mode: RoomMode;
  /** Null while no event is on. */
  readonly phase: EventPhase | null;
  readonly waiting: number;
  readonly called: number;
  readonly visiting: number;
  /** The operator's. */
  readonly own: MeteredLimits;
  /** Those in effect: an event's, or lower ones. */
  readonly inEffect: MeteredLimits;
  /** The highest number issued. */
  readonly issued: number;
  /** How long a visitor who joins now would wait. */
  readonly newcomer: Eta;
  readonly totals: HistoryTotals;
  /** Absent in a room without regions, and from a Room of an earlier version. */
  readonly regions?: readonly RegionMeter[];
}

/**
 * What it tells is written before it is told, so that no sum is ever lower than one that was told,
 * whatever dies: at most one row, and none where nothing was counted.
 */
export const meterOf = (state: RoomState, now: InstantMs): RoomMeter => {
  if (state.history.isUnwritten) state.unsaved.head = true;
  return {
    mode: modeOf(state, now),
    phase: eventOf(state)?.phase ?? null,
    waiting: state.line.standing,
    called: state.permits.called,
    visiting: state.permits.held,
    own: limitsOf(state.own),
    inEffect: limitsOf(state.limits),
    issued: state.line.issued,
    newcomer: etaOf(waitTableOf(state, now), state.line.waiting, now),
    totals: state.history.totals,
    ...metersOfRegions(state, now),
  };
};

const metersOfRegions = (
  { limits: { regions }, line, lobbies }: RoomState,
  now: InstantMs,
): Pick<RoomMeter, "regions"> => {
  if (regions === undefined) return {};
  const metered = [...line.lobbies()].map((index) => ({
    index,
    waiting: line.presentOf(index),
    heardAt: lobbies.get(index)?.heardAt ?? null,
  }));
  return { regions: regionMeters(regions, metered, now) };
};

const limitsOf = ({
  permitsMax,
  startsPerMinuteMax,
  startsPerSecondMax,
}: MeteredLimits): MeteredLimits => ({ permitsMax, startsPerMinuteMax, startsPerSecondMax });
