import type { PageProblem } from "../../../src/page/state.ts";
import type { ApiAnswer } from "./api.ts";

/** No answer, or an error page of somebody on the way. */
export const NOTHING = 0;
/** HTML where JSON was due: a challenge, or a log-in page. */
export const A_PAGE = 1;

/** What the page may ask, and what it has to ask for it. */
export type Step = "take" | "ask" | "claim" | "giveUp" | "look";

export const STEPS = {
  take: ["POST", "/tickets"],
  ask: ["GET", "/tickets/mine"],
  claim: ["POST", "/visits"],
  giveUp: ["DELETE", "/tickets/mine"],
  look: ["GET", "/visits/mine"],
} as const satisfies Record<Step, readonly ["GET" | "POST" | "DELETE", string]>;

/** What an answer means for the visitor. */
export type Outcome =
  | "stand"
  | "enter"
  | "ended"
  | "given-up"
  | "cookies"
  | "closed"
  | "reload"
  | "unreachable"
  /** The ticket is gone, perhaps because another tab went in: look for a visit. */
  | "look"
  /** The turn stands, the second is full. */
  | "not-yet"
  /** Refused for the moment. */
  | PageProblem;

const REFUSALS: { readonly [code: string]: Outcome | undefined } = {
  "cookies-needed": "cookies",
  "room-closed": "closed",
  "room-suspended": "enter",
  "line-full": "line-full",
  "lobby-full": "line-full",
  "too-many-joins": "too-many-joins",
};

export const outcomeOf = (step: Step, { status, body }: ApiAnswer): Outcome => {
  const { code = "", state = "called" } = body;
  if (status === A_PAGE) return "reload";
  if (status === NOTHING) return "unreachable";
  const isGone = status === 404 || status === 410;
  if (isGone && (step === "take" || code === "room-not-found")) return "reload";
  if (!isGone && status >= 400) return REFUSALS[code] || "busy";
  if (step === "giveUp") return "given-up";
  if (isGone) return step === "look" ? "ended" : "look";
  if (step === "look" || (step === "claim" && status !== 202)) return "enter";
  return step === "claim" && state === "called" ? "not-yet" : "stand";
};
