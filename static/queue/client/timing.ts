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
  clear(): void;
}

/** One pending act at a time: setting it again replaces it. */
export const createTimer = (): Timer => {
  let id: number | undefined;
  const clear = (): void => window.clearTimeout(id);
  return {
    clear,
    set(ms, act) {
      clear();
      id = window.setTimeout(act, ms);
    },
  };
};
