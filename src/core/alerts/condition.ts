/**
 * Something that begins and ends, told once each however often it flickers in between: it has begun when
 * it held for a while, and has ended when it did not hold for a while.
 */
import { after, isOver, type InstantMs } from "../time.ts";

export interface ConditionTimes {
  /** It has to hold for so long. A gap as long as this begins the count anew. */
  readonly beginsAfterMs: number;
  /** It has to be away for so long. */
  readonly endsAfterMs: number;
}

export interface ConditionState {
  /** It was told that it began, and not yet that it ended. */
  readonly isOn: boolean;
  /** When it began to hold. */
  readonly since: InstantMs;
  /** When it held last. */
  readonly heldAt: InstantMs;
}

type ConditionTurn = "began" | "ended" | null;

export interface Observed {
  /** Null: it does not hold, and was not told. */
  readonly state: ConditionState | null;
  readonly turn: ConditionTurn;
}

/** `holds` null: nobody can say, and nothing turns. */
export const observe = (
  before: ConditionState | null,
  holds: boolean | null,
  times: ConditionTimes,
  now: InstantMs,
): Observed => {
  if (holds === null) {
    return { state: before?.isOn === true ? { ...before, heldAt: now } : null, turn: null };
  }
  if (before?.isOn === true) {
    if (holds) return { state: { ...before, heldAt: now }, turn: null };
    const hasEnded = isOver(after(before.heldAt, times.endsAfterMs), now);
    return hasEnded ? { state: null, turn: "ended" } : { state: before, turn: null };
  }
  const isBroken = before !== null && isOver(after(before.heldAt, times.beginsAfterMs + 1), now);
  if (!holds) return { state: isBroken ? null : before, turn: null };
  const since = before === null || isBroken ? now : before.since;
  const isOn = isOver(after(since, times.beginsAfterMs), now);
  return { state: { isOn, since, heldAt: now }, turn: isOn ? "began" : null };
};

/** When one that is on, and does not hold at the moment, will have ended. */
export const endsAt = (state: ConditionState, times: ConditionTimes): InstantMs =>
  after(state.heldAt, times.endsAfterMs);
