/** When what a receiver did not take is sent again. All by a clock and a chance that are passed in. */
import { after, isOver, MINUTE_MS, SECOND_MS, type InstantMs } from "../time.ts";

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A receiver that says nothing for so long has failed. */
export const ANSWER_WITHIN_MS = 10 * SECOND_MS;
/** A delivery is given up a day after its alert. */
export const GIVEN_UP_AFTER_MS = DAY_MS;
/** A receiver that has taken nothing for so long is told nothing more. */
export const FAILING_MAX_MS = 5 * DAY_MS;
/** For so long a secret that was replaced signs too. */
export const FORMER_SECRET_MS = DAY_MS;

const FIRST_MS = 5 * SECOND_MS;
const FACTOR = 3;
const LONGEST_MS = 4 * HOUR_MS;
/** What a receiver asks for with Retry-After is heeded up to here. */
const ASKED_MAX_MS = 4 * HOUR_MS;
/** The whole receiver rests after a failure, so that a thousand deliveries are not a thousand tries. */
const REST_MAX_MS = 5 * MINUTE_MS;
/** A fifth of the span either way, so that what failed together does not come back together. */
const JITTER = 0.2;

export interface FailedTry {
  /** With this one. */
  readonly tries: number;
  /** When the delivery came into the outbox. */
  readonly firstAt: InstantMs;
  readonly retryAfterMs: number | null;
}

const grown = (firstMs: number, factor: number, steps: number, mostMs: number): number =>
  Math.min(firstMs * factor ** Math.min(steps, 30), mostMs);

/** `chance`: from 0, below 1. */
const jittered = (spanMs: number, chance: number): number =>
  spanMs * (1 - JITTER + 2 * JITTER * chance);

const heeded = (retryAfterMs: number | null): number => Math.min(retryAfterMs ?? 0, ASKED_MAX_MS);

/** Null: it is given up. */
export const nextTryAt = (
  { tries, firstAt, retryAfterMs }: FailedTry,
  chance: number,
  now: InstantMs,
): InstantMs | null => {
  const spanMs = jittered(grown(FIRST_MS, FACTOR, tries - 1, LONGEST_MS), chance);
  const at = after(now, Math.max(spanMs, heeded(retryAfterMs)));
  return isGivenUp(firstAt, at) ? null : at;
};

export const isGivenUp = (firstAt: InstantMs, now: InstantMs): boolean =>
  isOver(after(firstAt, GIVEN_UP_AFTER_MS), now);

/** Until when nothing at all is sent to a receiver that failed `inARow` times. */
export const restsUntil = (
  inARow: number,
  retryAfterMs: number | null,
  chance: number,
  now: InstantMs,
): InstantMs => {
  const spanMs = jittered(grown(FIRST_MS, 2, inARow - 1, REST_MAX_MS), chance);
  return after(now, Math.max(spanMs, heeded(retryAfterMs)));
};
