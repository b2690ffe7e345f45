/** Waits that thousands of pages must not share: everything here is spread by chance. */

export const SECOND = 1_000;

/** 85 to 115 % of a span, and never exactly 5 s: proxies drop connections that come back so. */
export const jittered = (spanMs: number): number => {
  const ms = Math.round(spanMs * (0.85 + 0.3 * Math.random()));
  return ms === 5 * SECOND ? ms + 37 : ms;
};

const BACKOFF_MAX = 60 * SECOND;

/** The later half of a window that doubles with each further try, from `firstMs` up to a minute. */
export const backoff = (tries: number, firstMs: number): number => {
  const window = Math.max(firstMs, Math.min(BACKOFF_MAX, firstMs * 2 ** tries));
  return (0.5 + Math.random() / 2) * window;
};

/** Pages that are due at the same time come within this. */
export const RETURN_SPREAD = 2 * SECOND;

/**
 * When a page that has lost its socket opens another. Its lobby has told how long after: pages come back in
 * the order of the line, since whoever is not there when its turn comes is passed over.
 */
export const returnsIn = (tries: number, afterMs: number): number =>
  tries === 0 ? afterMs + Math.random() * RETURN_SPREAD : backoff(tries, afterMs + RETURN_SPREAD);

/** Every page of a room loads itself again within this window. */
export const reloadSpread = (waiting: number | null | undefined): number =>
  Math.max(2 * SECOND, ((waiting || 0) / 40_000) * SECOND);

/** Sets the one pending act, in place of the one before; without any, nothing is pending. */
export type Timer = (ms?: number, act?: () => void) => void;

let lateMs = 0;
/** How late the browser ran the last timer of this page: about 1 s in a hidden tab, or much more. */
export const lateness = (): number => lateMs;

/**
 * Runs `act` in a task of its own. Chromium wakes a hidden page's timers once a minute where each was
 * set by another one, and once a second where each was set by a message.
 */
const soon = (act: () => void): void => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = act;
  port2.postMessage(0);
};

export const createTimer = (): Timer => {
  let id: number | undefined;
  let pending = 0;
  return (ms = 0, act) => {
    const mine = ++pending;
    const dueAt = Date.now() + ms;
    clearTimeout(id);
    if (!act) return;
    id = window.setTimeout(() => {
      lateMs = Math.max(0, Date.now() - dueAt);
      soon(() => {
        if (mine === pending) act();
      });
    }, ms);
  };
};
