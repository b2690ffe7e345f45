/**
 * Watches a room's figures from step to step and says what began and what ended. What it knows goes along
 * with the room's head row, so that a restart tells nothing twice.
 */
import type { EventId, EventPhase } from "../events/event.ts";
import { earliest, instant, MINUTE_MS, rfc3339, SECOND_MS } from "../time.ts";
import type { InstantMs } from "../time.ts";
import type { Alert, AlertData, RoomAlertType } from "./alert.ts";
import type { AlertBounds } from "./bounds.ts";
import { endsAt, observe, type ConditionState, type ConditionTimes } from "./condition.ts";
import { noShowPercent, OriginAnswers, withMinute, type CallsMinute } from "./shares.ts";

type ConditionName = "line" | "wait" | "limit" | "noShows" | "origin" | "pace";

const TIMES: Readonly<Record<ConditionName, ConditionTimes>> = {
  line: { beginsAfterMs: 10 * SECOND_MS, endsAfterMs: MINUTE_MS },
  wait: { beginsAfterMs: 30 * SECOND_MS, endsAfterMs: MINUTE_MS },
  limit: { beginsAfterMs: MINUTE_MS, endsAfterMs: MINUTE_MS },
  // Judged over spans that are long themselves.
  noShows: { beginsAfterMs: 0, endsAfterMs: 0 },
  origin: { beginsAfterMs: 0, endsAfterMs: MINUTE_MS },
  pace: { beginsAfterMs: 10 * SECOND_MS, endsAfterMs: MINUTE_MS },
};

const NAMES = Object.keys(TIMES) as readonly ConditionName[];

/** What began at a bound ends below this share of it. */
const EASED_SHARE = { wait: 0.8, noShows: 0.6, origin: 0.5 } as const;

/** An event as far as it has been told. */
export interface EventSeen {
  readonly id: EventId;
  readonly name: string;
  readonly phase: EventPhase;
}

/** Who or what keeps the limits below the operator's, and why. */
export interface PaceSeen {
  readonly source: string;
  readonly reason: string;
}

/** What a step shows of its room. */
export interface Sight {
  /** How many wait; null while nobody knows, after a start. */
  readonly waiting: number | null;
  /** What those who wait are waiting for. */
  readonly heldBy: "total_active_users" | "starts" | null;
  readonly limits: { readonly total_active_users: number; readonly new_users_per_minute: number };
  /** Until a newcomer's turn, in seconds; null where nobody can say. Not asked for where no bound is set. */
  readonly waitSeconds: () => number | null;
  readonly event: EventSeen | null;
  /** Null: the operator's limits hold. */
  readonly pace: PaceSeen | null;
  /** Which signal has closed the room; null: none has. */
  readonly closedBy: string | null;
}

/** All that has to survive a restart. */
export interface WatchState {
  readonly conditions: Readonly<Partial<Record<ConditionName, ConditionState>>>;
  readonly waitingMax: number;
  readonly calls: readonly CallsMinute[];
  readonly event: EventSeen | null;
  /** It was told that a signal has closed the room. Absent in rooms that were stored before. */
  readonly isClosed?: boolean;
}

export class Watch {
  readonly origin = new OriginAnswers();
  readonly #conditions: Partial<Record<ConditionName, ConditionState>>;
  /** Those that are on and did not hold when last looked at: they end by themselves. */
  readonly #fading = new Set<ConditionName>();
  #waitingMax: number;
  #calls: readonly CallsMinute[];
  #event: EventSeen | null;
  #isClosed: boolean;
  #waitSeconds: number | null = null;

  constructor(state: WatchState) {
    this.#conditions = { ...state.conditions };
    this.#waitingMax = state.waitingMax;
    this.#calls = state.calls;
    this.#event = state.event;
    this.#isClosed = state.isClosed === true;
  }

  /** `event`: what is on already in a room that was stored before there was a watch; it is not told. */
  static restore(state: WatchState | null, event: EventSeen | null): Watch {
    return new Watch(state ?? { conditions: {}, waitingMax: 0, calls: [], event });
  }

  toJSON(): WatchState {
    const calls = this.#calls;
    const conditions = { ...this.#conditions };
    return {
      conditions,
      waitingMax: this.#waitingMax,
      calls,
      event: this.#event,
      isClosed: this.#isClosed,
    };
  }

  /** A minute of the history has finished. */
  minute(row: CallsMinute): void {
    if (row.missed + row.came > 0) this.#calls = withMinute(this.#calls, row);
  }

  /** When something ends by itself if nothing happens; rounded up, so that alarms are not moved often. */
  get endsAt(): InstantMs | null {
    let soonest: InstantMs | null = null;
    for (const name of this.#fading) {
      const state = this.#conditions[name];
      if (state !== undefined) soonest = earliest(soonest, endsAt(state, TIMES[name]));
    }
    return soonest === null ? null : instant(Math.ceil(soonest / SECOND_MS) * SECOND_MS);
  }

  /** At the end of each step. */
  look(sight: Sight, bounds: AlertBounds, now: InstantMs): readonly Alert[] {
    const alerts: Alert[] = [];
    const tell = (type: RoomAlertType, data: AlertData): void => {
      alerts.push({ type, at: now, data });
    };
    this.#followEvent(sight.event, tell);
    this.#followClosing(sight.closedBy, tell);
    if (this.#conditions.line === undefined) this.#waitingMax = 0;
    this.#waitingMax = Math.max(this.#waitingMax, sight.waiting ?? 0);
    for (const name of NAMES) this.#lookAt(name, sight, bounds, now, tell);
    return alerts;
  }

  #lookAt(
    name: ConditionName,
    sight: Sight,
    bounds: AlertBounds,
    now: InstantMs,
    tell: (type: RoomAlertType, data: AlertData) => void,
  ): void {
    const before = this.#conditions[name] ?? null;
    const holds = this.#holds(name, sight, bounds, now);
    if (holds === false && before === null) return;
    const { state, turn } = observe(before, holds, TIMES[name], now);
    if (state === null) delete this.#conditions[name];
    else this.#conditions[name] = state;
    if (state?.isOn === true && holds === false) this.#fading.add(name);
    else this.#fading.delete(name);
    const about = state ?? before;
    if (turn !== null && about !== null)
      this.#tellTurn(name, turn, about, sight, bounds, now, tell);
  }

  /** Null: nobody can say. */
  #holds(name: ConditionName, sight: Sight, bounds: AlertBounds, now: InstantMs): boolean | null {
    const isOn = this.#conditions[name]?.isOn === true;
    switch (name) {
      case "line":
        return sight.waiting === null ? null : sight.waiting > 0;
      case "wait":
        if (bounds.waitMinutes === null || sight.waiting === 0) return false;
        this.#waitSeconds = sight.waiting === null ? null : sight.waitSeconds();
        return isAbove(this.#waitSeconds, bounds.waitMinutes * 60, isOn, EASED_SHARE.wait);
      case "limit":
        return sight.waiting === null ? null : sight.heldBy !== null;
      case "noShows": {
        const percent = noShowPercent(this.#calls);
        return isAbove(percent, bounds.noShowPercent, isOn, EASED_SHARE.noShows);
      }
      case "origin": {
        const percent = this.origin.errorPercent(now);
        return isAbove(percent, bounds.originErrorPercent, isOn, EASED_SHARE.origin);
      }
      case "pace":
        return sight.pace !== null;
      default:
        return name satisfies never;
    }
  }

  #tellTurn(
    name: ConditionName,
    turn: "began" | "ended",
    { since, heldAt }: ConditionState,
    sight: Sight,
    bounds: AlertBounds,
    now: InstantMs,
    tell: (type: RoomAlertType, data: AlertData) => void,
  ): void {
    const began = turn === "began";
    const times = {
      since: rfc3339(since),
      ...(began ? {} : { lasted_seconds: Math.round((heldAt - since) / SECOND_MS) }),
    };
    const waiting = sight.waiting ?? 0;
    switch (name) {
      case "line":
        tell(began ? "line.began" : "line.ended", {
          ...times,
          ...(began ? { waiting } : { waiting_max: this.#waitingMax }),
        });
        return;
      case "wait": {
        const bound = { bound_minutes: bounds.waitMinutes, waiting };
        const wait_seconds = waiting === 0 ? 0 : this.#waitSeconds;
        tell(began ? "wait.high" : "wait.normal", { ...times, wait_seconds, ...bound });
        return;
      }
      case "limit":
        tell(began ? "limit.reached" : "limit.eased", {
          ...times,
          ...(began ? { limit: sight.heldBy } : {}),
          ...sight.limits,
          waiting,
        });
        return;
      case "noShows": {
        const percent = rounded(noShowPercent(this.#calls));
        const bound = { bound_percent: bounds.noShowPercent };
        tell(began ? "no_shows.high" : "no_shows.normal", { ...times, percent, ...bound });
        return;
      }
      case "origin": {
        const percent = rounded(this.origin.errorPercent(now));
        const bound = { bound_percent: bounds.originErrorPercent };
        tell(began ? "origin.failing" : "origin.recovered", { ...times, percent, ...bound });
        return;
      }
      case "pace":
        tell(began ? "pace.lowered" : "pace.restored", {
          ...times,
          ...sight.limits,
          ...(began ? { source: sight.pace?.source ?? "", reason: sight.pace?.reason ?? "" } : {}),
        });
        return;
      default:
        name satisfies never;
    }
  }

  /** Not by the operator, who knows of it. */
  #followClosing(
    closedBy: string | null,
    tell: (type: RoomAlertType, data: AlertData) => void,
  ): void {
    const isClosed = closedBy !== null;
    if (isClosed === this.#isClosed) return;
    this.#isClosed = isClosed;
    if (isClosed) tell("room.closed", { source: closedBy });
    else tell("room.opened", {});
  }

  #followEvent(
    event: EventSeen | null,
    tell: (type: RoomAlertType, data: AlertData) => void,
  ): void {
    const told = this.#event;
    if (told?.id === event?.id && told?.phase === event?.phase) return;
    this.#event = event === null ? null : { id: event.id, name: event.name, phase: event.phase };
    if (told !== null && told.id !== event?.id) {
      tell("event.ended", { event_id: told.id, event: told.name });
    }
    if (event !== null) tell(`event.${event.phase}`, { event_id: event.id, event: event.name });
  }
}

const rounded = (percent: number | null): number | null =>
  percent === null ? null : Math.round(percent);

/** What is on stays on until it is well below. */
const isAbove = (
  value: number | null,
  bound: number | null,
  isOn: boolean,
  easedShare: number,
): boolean | null => {
  if (bound === null) return false;
  if (value === null) return null;
  return value >= (isOn ? bound * easedShare : bound);
};
