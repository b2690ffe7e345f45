import type { Eta, EtaUnknown } from "../../../src/core/estimate/eta.ts";
import { span } from "./format.ts";

const WHY: Readonly<Record<EtaUnknown, string>> = {
  paused: "paused",
  closed: "closed",
  prequeue: "before the start",
  drawing: "being drawn",
  "no-ends": "no visit has ended yet",
  long: "more than a day",
  random: "turns are drawn",
  unheard: "not heard",
};

export const waitText = (eta: Eta): string => (eta.known ? span(eta.seconds) : "–");

/** The range, or why nobody can say. */
export const waitNote = (eta: Eta): string => {
  if (!eta.known) return WHY[eta.reason];
  return eta.low === eta.high ? "" : `${span(eta.low)} to ${span(eta.high)}`;
};
