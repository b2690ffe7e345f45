/** What the page remembers between loads. Browsers may refuse; then it remembers nothing. */
import { boot } from "./page.ts";

const recall = <T>(storage: "localStorage" | "sessionStorage", key: string): T | null => {
  try {
    return JSON.parse(window[storage].getItem(key) || "null") as T | null;
  } catch (_refused) {
    return null;
  }
};

const keep = (storage: "localStorage" | "sessionStorage", key: string, value: unknown): boolean => {
  try {
    window[storage].setItem(key, JSON.stringify(value));
    return true;
  } catch (_refused) {
    return false;
  }
};

/** What belongs to one number, and is nobody's in another wait. */
interface Wait {
  readonly number?: number | null;
  /** Where the number's way through the line began, and when. */
  readonly startAhead?: number;
  readonly takenAt?: number;
  /** The visitor wished to be taken in, seen or not. */
  readonly takesIn?: boolean;
  /** The visitor wished for notifications. */
  readonly notifies?: boolean;
  /** Until when its last call could be claimed. */
  readonly claimBy?: number | undefined;
}

/** Loads that follow a going in this closely mean that the pass did not come back. */
const BOUNCE_WITHIN_MS = 5_000;
const BOUNCES_MAX = 3;
const RELOAD_FIRST_MS = 8_000;
const RELOAD_MAX_MS = 300_000;

interface Bounces {
  readonly at: number;
  readonly count: number;
}

const BOUNCES = `seiriken:${boot.roomId}:in`;
const RELOADS = `seiriken:${boot.roomId}:reloads`;
const WAIT = `seiriken:${boot.roomId}:wait`;

export const waitOf = (number: number | null): Wait => {
  const known = recall<Wait>("localStorage", WAIT);
  return known && known.number === number ? known : {};
};

export const noteWait = (number: number | null, noted: Wait): Wait => {
  const known = Object.assign(waitOf(number), noted, { number });
  keep("localStorage", WAIT, known);
  return known;
};

/** A way begins where the number was first seen: further back if it was put back. */
export const noteWay = (number: number, ahead: number, claimBy: number | null): Wait => {
  const known = waitOf(number);
  return noteWait(number, {
    startAhead: Math.max(known.startAhead || 0, ahead),
    takenAt: known.takenAt || Date.now(),
    claimBy: claimBy || known.claimBy,
  });
};

export const noteGoingIn = (): void => {
  const before = recall<Bounces>("sessionStorage", BOUNCES);
  keep("sessionStorage", BOUNCES, { at: Date.now(), count: before ? before.count : 0 });
};

/** True when going in has led straight back here, again and again. */
export const isBouncing = (): boolean => {
  const before = recall<Bounces>("sessionStorage", BOUNCES);
  if (!before) return false;
  const count = Date.now() - before.at < BOUNCE_WITHIN_MS ? before.count + 1 : 0;
  keep("sessionStorage", BOUNCES, { at: 0, count: count % BOUNCES_MAX });
  return count >= BOUNCES_MAX;
};

/** How long to wait before the next reload: twice as long each time, until an answer came. */
export const reloadDelay = (): number => {
  const count = recall<number>("sessionStorage", RELOADS) || 0;
  if (!keep("sessionStorage", RELOADS, count + 1)) return RELOAD_MAX_MS / 5;
  return Math.min(RELOAD_MAX_MS, RELOAD_FIRST_MS * 2 ** count);
};

export const forgetReloads = (): void => {
  keep("sessionStorage", RELOADS, 0);
};
