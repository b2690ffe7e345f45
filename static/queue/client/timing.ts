/** Waits that thousands of pages must not share: everything here is spread by chance. */

export const SECOND = 1_000;

/** 85 to 115 % of a span, and never exactly 5 s: proxies drop connections that come back so. */
export const jittered = (spanMs: number): number => {
  const ms = Math.round(spanMs * (0.85 + 0.3 * Math.random()));
  return ms === 5 * SECOND ? ms + 37 : ms;
};

const BACKOFF_MAX = 60 * SECOND;

/** A point in a window that doubles with each attempt, from `firstMs` up to a minute. */
export const backoff = (attempt: number, firstMs: number): number => {
  const window = Math.max(firstMs, Math.min(BACKOFF_MAX, firstMs * 2 ** Math.min(attempt, 10)));
  return Math.round(attempt === 0 ? Math.random() * window : (0.5 + Math.random() / 2) * window);
};

/** After a restart every page of a room comes back within this window. */
export const reconnectSpread = (waiting: number | null): number =>
  Math.max(2 * SECOND, ((waiting || 0) / 40_000) * SECOND);

export interface Timer {
  set(ms: number, act: () => void): void;
  disarm(): void;
}

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

/** One pending act at a time: setting it again replaces it. */
export const createTimer = (): Timer => {
  let id: number | undefined;
  let pending = 0;
  const disarm = (): void => {
    pending++;
    window.clearTimeout(id);
  };
  return {
    disarm,
    set(ms, act) {
      disarm();
      const mine = pending;
      const dueAt = Date.now() + ms;
      id = window.setTimeout(() => {
        lateMs = Math.max(0, Date.now() - dueAt);
        soon(() => {
          if (mine === pending) act();
        });
      }, ms);
    },
  };
};
