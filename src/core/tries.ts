import type { InstantMs } from "./time.ts";
import { instant } from "./time.ts";

/** A shorter token can be guessed: what it should guard stays off. */
export const TOKEN_LENGTH_MIN = 16;
/** How many wrong tries may come at once; after them one in each `TRY_EVERY_MS`. */
export const TRIES_AT_ONCE = 10;
export const TRY_EVERY_MS = 6_000;

const ALLOWANCE_MS = TRIES_AT_ONCE * TRY_EVERY_MS;

/**
 * What is remembered of one network's wrong tries: when all of them are forgiven. Each costs one
 * `TRY_EVERY_MS` of an allowance (the generic cell rate algorithm, ITU-T I.371).
 */
export type ForgivenAt = InstantMs;

/** How long the next try has to wait; 0: it may come now. A clock that ran back forgives. */
export const triesWaitMs = (forgivenAt: ForgivenAt, now: InstantMs): number => {
  const owedMs = forgivenAt - now;
  if (owedMs > ALLOWANCE_MS) return 0;
  return Math.max(0, owedMs - (ALLOWANCE_MS - TRY_EVERY_MS));
};

/** Counts a wrong try. Never more than the whole allowance is owed, however many there were. */
export const afterWrongTry = (forgivenAt: ForgivenAt | undefined, now: InstantMs): ForgivenAt => {
  const isKept = forgivenAt !== undefined && forgivenAt > now && forgivenAt - now <= ALLOWANCE_MS;
  return instant(Math.min((isKept ? forgivenAt : now) + TRY_EVERY_MS, now + ALLOWANCE_MS));
};
