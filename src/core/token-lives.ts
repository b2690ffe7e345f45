import { after, type InstantMs, MINUTE_MS } from "./time.ts";

/** No pass lives longer than this, so that ended visits are forgotten soon. */
export const PASS_MAX_MS = 300_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/**
 * How much longer than its return window a ticket is accepted. Its token is signed anew every quarter of
 * the window, so the Room, which knows when the visitor was heard last, judges it, and not the edge.
 */
export const TICKET_LIFE_FACTOR = 1.25;

/** How long a visitor id is accepted after it was signed. No token of ours lives longer. */
export const VISITOR_LIFE_MS = 30 * DAY_MS;
/**
 * How far a Room's clock may be ahead of what an isolate makes of it: a snapshot is seconds old, and
 * the machine's clock may have been set right in between.
 */
const CLOCK_SLACK_MS = 60 * MINUTE_MS;
/**
 * The same for passes: less, because the Room is asked about a pass beyond it, which is not
 * refused.
 */
const PASS_SLACK_MS = MINUTE_MS;

/** Can a token that lives so long, signed at any time until now, be accepted until then? */
export const canLastUntil = (until: InstantMs, lifeMs: number, now: InstantMs): boolean =>
  until <= after(now, lifeMs + CLOCK_SLACK_MS);

/** Can a pass that was minted by now be good until then? */
export const canPassLastUntil = (until: InstantMs, now: InstantMs): boolean =>
  until <= after(now, PASS_MAX_MS + PASS_SLACK_MS);

/** How long an isolate goes on with rooms, keys and lock rules that it cannot refresh. */
export const DEFINITIONS_UNHEARD_MAX_MS = DAY_MS;
/** After a key has ceased to sign, all that it signed is over by then. */
export const KEY_KEPT_MS = VISITOR_LIFE_MS + DEFINITIONS_UNHEARD_MAX_MS;
