/** What becomes of a visitor, in words of the help desk. */
import type { VisitorResource } from "../../../src/api/rooms/visitor.ts";

export const STATE_WORDS: Readonly<Record<VisitorResource["state"], string>> = {
  waiting: "Waits",
  away: "Away",
  called: "Called",
  visiting: "On the site",
  ended: "Over",
};

const HAPPENED: Readonly<Record<string, string>> = {
  joined: "took its number",
  called: "was called",
  missed: "missed its call",
  left: "gave its place up",
  late: "came back after the return window",
  entered: "entered",
  "visit-finished": "finished its visit",
  "visit-inactive": "was not heard from any more, and its visit ended",
  "visit-time-up": "had been inside as long as a visit may last",
  "visit-revoked": "lost its visit when an operator ended all",
  "visit-unconfirmed": "lost its visit: the pass never came back",
  "more-time": "got more time from an operator",
  "called-again": "had its missed calls forgotten by an operator",
  removed: "was taken out of the line by an operator",
  "visit-stopped": "had its visit ended by an operator",
};

/** A word that this page does not know yet is shown as it is. */
export const happenedWords = (what: string): string => HAPPENED[what] ?? what;
