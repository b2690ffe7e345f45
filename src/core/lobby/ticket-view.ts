import type { TicketNumber } from "../ids.ts";
import { aheadFrom } from "../line/positions.ts";
import type { Place, TicketState, Tidings } from "../room/commands.ts";
import { etaOf, type Eta, type Pace } from "../room/estimate.ts";
import type { InstantMs } from "../time.ts";

const POLL_LEAST_SECONDS = 2;
const POLL_MOST_SECONDS = 15;
/** While nobody knows how long it takes. */
const POLL_UNKNOWN_SECONDS = 6;

/** A tenth of the shortest wait: often near the head, seldom far back. */
export const pollAfterSeconds = (state: TicketState, eta: Eta): number => {
  if (state === "called") return POLL_LEAST_SECONDS;
  if (!eta.known) return POLL_UNKNOWN_SECONDS;
  return Math.min(POLL_MOST_SECONDS, Math.max(POLL_LEAST_SECONDS, Math.round(eta.low / 10)));
};

const NO_ETA: Eta = { known: false };

/** Where a number stands by the last tidings, without asking the Room. */
export const placeFrom = (tidings: Tidings, number: TicketNumber): Place => ({
  number,
  state: "waiting",
  ahead: aheadFrom(tidings.positions, number),
  claimBy: null,
});

export const etaFor = (pace: Pace | null, place: Place, now: InstantMs): Eta =>
  pace === null || place.state === "called" || place.state === "visiting"
    ? NO_ETA
    : etaOf(pace, place.ahead, now);

/** How long a socket's visitor waits for its next position: each tick near the head, seldom far back. */
export const nextPositionMs = (number: TicketNumber, ahead: number): number => {
  if (ahead < 50) return 0;
  const base = ahead < 1_000 ? 5_000 : ahead < 10_000 ? 9_000 : 12_000;
  // Spread by number, so that neighbours do not fall into one tick.
  return base + ((number * 7_919) % 3_000);
};
