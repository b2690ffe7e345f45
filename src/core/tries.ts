import type { InstantMs } from "./time.ts";
import { instant } from "./time.ts";

/** A shorter token can be guessed, and turns off what it was to guard. */
export const TOKEN_LENGTH_MIN = 16;
/** So many wrong tries may come at once; after them one in `TRY_EVERY_MS`. */
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

/** Never more than the whole allowance is owed: who is let try all the same is not held up for longer. */
export const afterWrongTry = (forgivenAt: ForgivenAt | undefined, now: InstantMs): ForgivenAt => {
  const isKept = forgivenAt !== undefined && forgivenAt > now && forgivenAt - now <= ALLOWANCE_MS;
  return instant(Math.min((isKept ? forgivenAt : now) + TRY_EVERY_MS, now + ALLOWANCE_MS));
};
