import type { PageTicket, PageProblem } from "../../../src/page/state.ts";
import type { ApiAnswer, Body } from "./api.ts";

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
export type StepOutcome =
  | { readonly kind: "stand"; readonly ticket: Partial<PageTicket> }
  | { readonly kind: "enter" | "ended" | "given-up" | "cookies" | "reload" | "unreachable" }
  /** The ticket is gone, perhaps because another tab went in: look for a visit. */
  | { readonly kind: "look" }
  | { readonly kind: "closed"; readonly text: string | null }
  /** The turn stands, the second is full. */
  | {
      readonly kind: "not-yet";
      readonly retryMs: number;
      readonly ticket: Partial<PageTicket>;
    }
  | { readonly kind: "refused"; readonly problem: PageProblem; readonly retryMs: number };

const refusedBy = (body: Body, retryMs: number): StepOutcome => {
  switch (body.code) {
    case "cookies-needed":
      return { kind: "cookies" };
    case "room-closed":
      return { kind: "closed", text: body.closed || null };
    case "room-suspended":
      return { kind: "enter" };
    case "line-full":
    case "lobby-full":
      return { kind: "refused", problem: "line-full", retryMs };
    case "too-many-joins":
      return { kind: "refused", problem: "too-many-joins", retryMs };
    default:
      return { kind: "refused", problem: "busy", retryMs };
  }
};

const goneBy = (step: Step, body: Body): StepOutcome => {
  if (step === "take" || body.code === "room-not-found") return { kind: "reload" };
  if (step === "giveUp") return { kind: "given-up" };
  return { kind: step === "look" ? "ended" : "look" };
};

export const outcomeOf = (step: Step, answer: ApiAnswer): StepOutcome => {
  if (answer.kind === "page") return { kind: "reload" };
  if (answer.kind === "down") return { kind: "unreachable" };
  const { status, body, retryMs } = answer;
  if (status === 404 || status === 410) return goneBy(step, body);
  if (status >= 400) return refusedBy(body, retryMs);
  switch (step) {
    case "giveUp":
      return { kind: "given-up" };
    case "look":
      return { kind: "enter" };
    case "claim":
      if (status !== 202) return { kind: "enter" };
      return body.state === undefined || body.state === "called"
        ? { kind: "not-yet", retryMs, ticket: body }
        : { kind: "stand", ticket: body };
    case "take":
    case "ask":
      return { kind: "stand", ticket: body };
    default:
      return step satisfies never;
  }
};
