/**
 * When the page claims a turn: at once where its visitor sees it, and never where nobody looks, unless
 * the visitor wished to be taken in all the same. Instants are milliseconds of the visitor's clock.
 */
export interface Turn {
  /** The visitor can see the page. */
  readonly isShown: boolean;
  /** The visitor wished to be taken in, seen or not. */
  readonly takesIn: boolean;
  /** When the claim time ends; null while the page has not heard it. */
  readonly claimBy: number | null | undefined;
  readonly claimWithinMs: number;
  /** A claim was refused for the moment, and may be repeated from then on. */
  readonly askAgainAt: number | null;
  /** How late the browser runs the timers of this page. */
  readonly lateMs: number;
}

/**
 * How long before the claim time ends a page that nobody sees claims. A hidden page's timers come up to
 * 1 s late and its idea of the server's clock is 1 s off; the rest is for one request that gets no
 * answer (15 s) and the next one.
 */
const MARGIN_MS = 20_000;

/** Null: not before the visitor looks at the page. */
export const claimAt = (turn: Turn, now: number): number | null => {
  const { isShown, takesIn, claimBy, claimWithinMs, askAgainAt, lateMs } = turn;
  if (!isShown && !takesIn) return null;
  // A page that has claimed once goes on: to wait again would keep the permit from others.
  if (isShown || askAgainAt !== null || !claimBy) return Math.max(now, askAgainAt || 0);
  const margin = Math.min(MARGIN_MS, claimWithinMs / 2) + lateMs;
  return Math.max(now, claimBy - margin);
};
