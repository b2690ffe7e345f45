/** What is published of a draw beforehand, and what can't be changed any more once that has counted. */
import { roundForStart, type DrandChain } from "../draw/drand-chain.ts";
import type { PromisedValue } from "../draw/record.ts";
import { commitmentOf } from "../draw/seed.ts";
import { bytesOfHex, hex } from "../hex.ts";
import type { FieldProblem } from "../field-problem.ts";
import { instant, isOver, type InstantMs } from "../time.ts";
import type { EventDraw, RoomEvent } from "./event.ts";
import type { EventSettings } from "./event-list.ts";

/** What a draw is made with. */
export interface DrawMaker {
  /** 32 random bytes, others each time. */
  readonly secret: () => Uint8Array;
  /** Null: the deployment names one that can't be read. */
  readonly chain: DrandChain | null;
}

type Drawn = Pick<EventSettings, "shuffle" | "startsAt" | "endsAt" | "suspended" | "drawnBy">;

export type PublicSource = PromisedValue["from"];

const sourceOf = (before: RoomEvent | null, { drawnBy }: Pick<Drawn, "drawnBy">): PublicSource =>
  drawnBy ?? before?.draw?.promised.from ?? "drand";

const isStanding = (before: RoomEvent | null, settings: Drawn): boolean =>
  before !== null &&
  before.draw !== null &&
  before.startsAt === settings.startsAt &&
  before.draw.promised.from === sourceOf(before, settings);

const isRunning = (event: Pick<Drawn, "startsAt" | "endsAt" | "suspended">, now: InstantMs) =>
  !event.suspended && isOver(event.startsAt, now) && !isOver(event.endsAt, now);

/**
 * A draw that was announced stays as it is, until its event's start moves. Its secret stays then too, unless
 * that start has come: a secret may be public from then on.
 */
export const announcedDraw = (
  before: RoomEvent | null,
  settings: Drawn,
  { secret: newSecret, chain }: DrawMaker,
  now: InstantMs,
): EventDraw | null => {
  if (!settings.shuffle) return null;
  const standing = before?.draw ?? null;
  if (standing !== null && isStanding(before, settings)) return standing;
  const isUsed = before === null || isOver(before.startsAt, now);
  const kept = standing === null || isUsed ? null : bytesOfHex(standing.secret);
  const secret = kept ?? newSecret();
  return {
    secret: hex(secret),
    commitment: commitmentOf(secret),
    announcedAt: now,
    promised: promisedBy(sourceOf(before, settings), chain, settings.startsAt, now),
  };
};

/** A round that is due after the start, and that nobody can know yet. */
const promisedBy = (
  from: PublicSource,
  chain: DrandChain | null,
  startsAt: InstantMs,
  now: InstantMs,
): PromisedValue => {
  if (from === "witnesses") return { from };
  if (chain === null) throw new Error("a draw by drand has a chain");
  return { from, chain, round: roundForStart(chain, instant(Math.max(startsAt, now))) };
};

/** Why a draw can't be announced, or not be changed any more. */
export const problemsOfDraw = (
  before: RoomEvent | null,
  settings: Drawn,
  { chain }: Pick<DrawMaker, "chain">,
  now: InstantMs,
): readonly FieldProblem[] => {
  if (before?.draw && isRunning(before, now)) return problemsOfRunning(before, settings);
  if (!settings.shuffle)
    return settings.drawnBy === "witnesses"
      ? [{ keys: ["seiriken", "draw"], message: "is for events that shuffle_at_event_start" }]
      : [];
  if (isStanding(before, settings)) return [];
  const problems: FieldProblem[] = [];
  if (isRunning(settings, now)) {
    const message = "can't be true any more: the event has begun, and a draw is announced before";
    problems.push({ keys: ["shuffle_at_event_start"], message });
  }
  if (chain === null && sourceOf(before, settings) === "drand") {
    const message =
      "can't be drand: DRAND_CHAIN of this deployment is not what a drand relay answers to /info";
    problems.push({ keys: ["seiriken", "draw"], message });
  }
  return problems;
};

/** From the start on its numbers are closed, and the draw is under way or over. */
const problemsOfRunning = (before: RoomEvent, settings: Drawn): readonly FieldProblem[] => {
  const fixed: FieldProblem[] = [];
  const because = "the event has begun, and its order is drawn";
  if (!settings.shuffle)
    fixed.push({
      keys: ["shuffle_at_event_start"],
      message: `can't be taken back any more: ${because}`,
    });
  if (settings.startsAt !== before.startsAt)
    fixed.push({ keys: ["event_start_time"], message: `can't be moved any more: ${because}` });
  if (settings.shuffle && sourceOf(before, settings) !== before.draw?.promised.from)
    fixed.push({ keys: ["seiriken", "draw"], message: `can't be changed any more: ${because}` });
  return fixed;
};
