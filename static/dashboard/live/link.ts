/** The state of the socket to one room, and when it is tried again. */

export type LinkState =
  | { readonly kind: "connecting" }
  | { readonly kind: "live" }
  /** Nothing came for a while, though nothing has closed. */
  | { readonly kind: "stale"; readonly sinceAt: number }
  | { readonly kind: "lost"; readonly sinceAt: number }
  /** It will not come back by itself. */
  | { readonly kind: "gone" | "forbidden" };

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/** How long before another try: twice as long each time, spread by `chance` (0 to 1) so that all do not come at once. */
export const waitBefore = (tries: number, chance: number): number => {
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** tries);
  return Math.round(most * (0.5 + chance / 2));
};

export type CloseMeaning = "again" | "token" | "gone" | "forbidden" | "later";

/** What follows from how the socket was closed: src/core/live/closing.ts has the codes. */
export const meaningOf = (code: number): CloseMeaning => {
  switch (code) {
    case 4401:
      return "token";
    case 4403:
      return "forbidden";
    case 4404:
    case 4410:
      return "gone";
    case 4429:
      return "later";
    default:
      return "again";
  }
};
