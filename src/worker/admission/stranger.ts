/**
 * One who wants a ticket and has none, at any door that gives tickets. No object is asked here: what does
 * not pass costs the room nothing.
 */
import { entitle } from "../../core/strangers/entitle.ts";
import type { Entitlement, TurnstileVerdict } from "../../core/strangers/entitle.ts";
import { QUIET_PER_MINUTE } from "../../core/strangers/network-load.ts";
import { after, isOver, SECOND_MS } from "../../core/time.ts";
import type { Asks } from "../strangers/asks.ts";
import { newPuzzle, solvedPuzzle } from "../strangers/proof.ts";
import type { Proof, PuzzleResource } from "../strangers/proof.ts";
import { verdictOn } from "../strangers/turnstile.ts";
import type { Identity } from "../tokens/presented.ts";
import type { GateContext } from "./context.ts";

/** What stands for a puzzle where no script can solve one: a visitor id of this age. */
export const SCRIPTLESS_WAIT_SECONDS = 30;
/** How often those come back who get no ticket. */
export const WAITING_SECONDS = 30;
/** Too many tokens are being verified: soon there is room. */
const AGAIN_SECONDS = 2;

export type StrangerReply =
  | { readonly kind: "ticket"; readonly who: Identity }
  | { readonly kind: "puzzle"; readonly puzzle: PuzzleResource }
  | { readonly kind: "wait" | "again"; readonly retryAfterSeconds: number };

/** By `POST tickets`, with a proof or none. `who` is asked for where neither cookie nor puzzle says it. */
export const strangerAsks = async (
  context: GateContext,
  asks: Asks,
  proof: Proof | null,
  newcomer: () => Promise<Identity | null>,
): Promise<StrangerReply | null> => {
  const known = context.presented.identity;
  const solved = proof?.kind === "work" ? await solvedBy(context, asks, proof) : null;
  const isOwn = solved !== null && (known === null || known.visitor === solved.visitor);
  // A page whose browser keeps no cookies would take a new place each time, with one solution.
  const isNamed = isOwn && context.issued.shows("ticket");
  const who = known ?? (isNamed ? solved : await newcomer());
  if (who === null) return null;
  const turnstile = await turnstileOf(context, asks, proof);
  const entitlement = entitle(asks, { turnstile, isSolved: isOwn, hasWaited: false });
  return replyTo(context, asks, who, entitlement);
};

/** By a page that is loaded again, or by an app that asks the site again: with no proof. */
export const strangerComesBack = (context: GateContext, asks: Asks): Entitlement => {
  if (asks.turnstile !== null) tellVerdict(context, "none");
  const hasWaited = asks.work && waited(context);
  return entitle(asks, { turnstile: "none", isSolved: false, hasWaited });
};

const askingOf = ({ isolate, arrival, room, deployment, view }: GateContext) => ({
  isolate,
  arrival,
  room,
  keys: deployment.keys,
  now: view.now,
});

const solvedBy = (
  context: GateContext,
  { puzzles }: Asks,
  proof: Extract<Proof, { kind: "work" }>,
): Promise<Identity | null> | null =>
  puzzles === null ? null : solvedPuzzle(askingOf(context), puzzles, proof);

/** Where the verdict is only logged, nobody waits for it. */
const turnstileOf = async (
  context: GateContext,
  { turnstile, keys }: Asks,
  proof: Proof | null,
): Promise<TurnstileVerdict> => {
  const { isolate, arrival, room } = context;
  if (turnstile === null || keys === null) return "none";
  const verdict =
    proof?.kind === "turnstile"
      ? verdictOn(isolate, arrival, room, keys, proof.token)
      : Promise.resolve("none" as const);
  const told = verdict.then((known) => tellVerdict(context, known));
  if (turnstile === "infinite_queue") return told;
  arrival.waitUntil(told);
  return "none";
};

const tellVerdict = (
  { isolate, arrival, room }: GateContext,
  outcome: TurnstileVerdict,
): TurnstileVerdict => {
  const { reference } = arrival;
  if (outcome !== "passed")
    isolate.ports.log({ level: "info", event: "turnstile", reference, room: room.name, outcome });
  return outcome;
};

const replyTo = async (
  context: GateContext,
  { puzzles }: Asks,
  who: Identity,
  entitlement: Entitlement,
): Promise<StrangerReply> => {
  switch (entitlement) {
    case "ticket":
      return { kind: "ticket", who };
    case "puzzle":
      if (puzzles === null) return { kind: "wait", retryAfterSeconds: WAITING_SECONDS };
      return { kind: "puzzle", puzzle: await newPuzzle(askingOf(context), puzzles, who) };
    case "wait":
      return { kind: "wait", retryAfterSeconds: WAITING_SECONDS };
    case "again":
      return { kind: "again", retryAfterSeconds: AGAIN_SECONDS };
    default:
      return entitlement satisfies never;
  }
};

/** Counts as a puzzle of its network, so that waiting is no way around a busy one. */
const waited = ({ isolate, arrival, room, presented, view }: GateContext): boolean => {
  const { metAt } = presented;
  if (metAt === null || !isOver(after(metAt, SCRIPTLESS_WAIT_SECONDS * SECOND_MS), view.now))
    return false;
  const { address } = arrival.clientOf(room);
  if (isolate.networkLoads.of(room, address) >= QUIET_PER_MINUTE) return false;
  isolate.networkLoads.add(room, address);
  return true;
};
