/**
 * May a stranger have a ticket? The one decision, from what the room asks and what the stranger brings.
 * The Worker finds the facts, and does what is decided.
 */

/** What a room asks of those who have no ticket yet. */
export interface RoomAsks {
  /** Null: Turnstile is off here. */
  readonly turnstile: "log" | "infinite_queue" | null;
  readonly work: boolean;
}

/**
 * What became of a Turnstile token. none: there was none · unreachable: nobody could say · overload: too
 * many are being verified here
 */
export type TurnstileVerdict = "none" | "passed" | "failed" | "unreachable" | "overload";

export interface StrangerFacts {
  readonly turnstile: TurnstileVerdict;
  /** A puzzle of this visitor's, solved in time and hard enough. */
  readonly isSolved: boolean;
  /** Came back after the wait that stands for a puzzle, from a quiet network. */
  readonly hasWaited: boolean;
}

/** puzzle: no ticket before one is solved · wait: no ticket, however long · again: ask again soon */
export type Entitlement = "ticket" | "puzzle" | "wait" | "again";

/** One thing that the room asks for is enough. A verdict that is only logged neither helps nor harms. */
export const entitle = (asks: RoomAsks, facts: StrangerFacts): Entitlement => {
  const isHeld = asks.turnstile === "infinite_queue";
  if (!isHeld && !asks.work) return "ticket";
  if (asks.work && (facts.isSolved || facts.hasWaited)) return "ticket";
  if (isHeld && facts.turnstile === "passed") return "ticket";
  if (isHeld && facts.turnstile === "overload") return "again";
  if (asks.work) return "puzzle";
  return facts.turnstile === "unreachable" ? "ticket" : "wait";
};
