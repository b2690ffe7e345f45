import type { TicketNumber } from "../ids.ts";
import { LineOrder } from "../line/order.ts";
import { aheadFrom, mayHold } from "../line/positions.ts";
import type { Place, TicketState, PositionsTable } from "../room/commands.ts";
import { etaOf, type Eta, type WaitTable } from "../estimate/eta.ts";
import { SECOND_MS, type InstantMs } from "../time.ts";

const POLL_LEAST_SECONDS = 2;
const POLL_MOST_SECONDS = 15;
/** While nobody knows how long it takes. */
const POLL_UNKNOWN_SECONDS = 6;

/**
 * A tenth of the shortest wait: often near the head, seldom far back, but at least four times in a
 * return window, which each poll begins anew.
 *
 * @param aroundStart in place of that, around the start of an event; null where there is none
 */
export const pollAfterSeconds = (
  state: TicketState,
  eta: Eta,
  returnWindowMs = Infinity,
  aroundStart: number | null = null,
): number => {
  if (state === "called") return POLL_LEAST_SECONDS;
  const seconds = aroundStart ?? (eta.known ? Math.round(eta.low / 10) : POLL_UNKNOWN_SECONDS);
  const most = Math.min(
    aroundStart ?? POLL_MOST_SECONDS,
    Math.floor(returnWindowMs / 4 / SECOND_MS),
  );
  return Math.max(POLL_LEAST_SECONDS, Math.min(most, seconds));
};

const NO_ETA: Eta = { known: false, reason: "unheard" };
const DRAWN_ETA: Eta = { known: false, reason: "random" };

/** Where a number stands by the last positions; null where they do not say it and the Room has to be asked. */
export const placeFrom = (
  { positions, among }: PositionsTable,
  number: TicketNumber,
  order = LineOrder.plain,
): Place | null => {
  const spot = order.spotOf(number);
  if (!mayHold(positions, spot)) return null;
  const place = { number, state: "waiting", claimBy: null } as const;
  return among === undefined
    ? { ...place, ahead: aheadFrom(positions, spot) }
    : { ...place, ahead: null, among };
};

/** Of a number that did not come when it was called. */
export const missedPlace = (number: TicketNumber, table: PositionsTable | null): Place => {
  const among = table?.among;
  const place = { number, state: "away", claimBy: null } as const;
  return among === undefined ? { ...place, ahead: 0 } : { ...place, ahead: null, among };
};

export const etaFor = (waits: WaitTable | null, place: Place, now: InstantMs): Eta =>
  waits === null || place.state === "called" || place.state === "visiting"
    ? NO_ETA
    : place.ahead === null && waits.unknown === null
      ? DRAWN_ETA
      : etaOf(waits, place.ahead ?? 0, now);

/** How long a socket's visitor waits for its next position: each tick near the head, seldom far back. */
export const nextPositionMs = ({ number, ahead: before, among = 0 }: Place): number => {
  const ahead = before ?? among;
  if (ahead < 50) return 0;
  const base = ahead < 1_000 ? 5_000 : ahead < 10_000 ? 9_000 : 12_000;
  // Spread by number, so that neighbours do not fall into one tick.
  return base + ((number * 7_919) % 3_000);
};
