/**
 * The help desk: what an operator is told of one visitor, and does for it. What is told is in
 * desk-view.ts. Nothing here lets anybody in: who is helped stands where its number stands.
 */
import type { TicketNumber } from "../ids.ts";
import { refersTo } from "../reference.ts";
import { after, MINUTE_MS, type InstantMs } from "../time.ts";
import type { CalledPermit, HeldPermit } from "../permits/permit.ts";
import { visitorFound, type VisitorFound } from "./desk-view.ts";
import type { HappenedKept } from "./happenings.ts";
import type { RoomState } from "./state.ts";
import { endVisit, spend, tell } from "./usher.ts";

/** How much longer one act makes it at most, and all of them together for one call or one visit. */
export const MORE_MINUTES_MAX = 60;
export const MORE_TIME_ALL_MS = 600 * MINUTE_MS;

export type DeskAct =
  | { readonly act: "look" }
  /** For a visit: its lease and its last moment. For a called number: its claim time. */
  | { readonly act: "more-time"; readonly ms: number }
  /** Its missed calls are forgotten, and its visitor is taken to be there. */
  | { readonly act: "call-again" }
  /** Its visit ends, or its place is given up. */
  | { readonly act: "end" };

/**
 * Why an act was not done. ended: visit and number are over · no-time: it waits, and no time of its
 * own runs · enough: it has got as much as one may · leaving: the site has ended the visit already,
 * and it only runs out · visiting: nobody is called who is inside
 */
export type DeskRefusal = "ended" | "no-time" | "enough" | "leaving" | "visiting";

export type DeskReply =
  | { readonly kind: "never-issued" }
  /** `refused` null: done. */
  | {
      readonly kind: "found";
      readonly visitor: VisitorFound;
      readonly refused: DeskRefusal | null;
      /** False where all was so before. */
      readonly isChanged: boolean;
    };

export interface DeskCommand {
  readonly number: TicketNumber;
  readonly act: DeskAct;
  /** Rows that tell what has happened to the number; the head has the rest. */
  readonly kept?: HappenedKept | null;
}

/** Acts at once; what is told is how it stands when the step is done. */
export const desk = (
  state: RoomState,
  { number, act, kept = null }: DeskCommand,
  now: InstantMs,
): (() => DeskReply) => {
  if (state.line.standingOf(number) === null) return () => ({ kind: "never-issued" });
  const refused = deskRefusal(visitorFound(state, number, kept, now), act);
  const isChanged = refused === null && perform(state, number, act, now);
  return () => ({
    kind: "found",
    visitor: visitorFound(state, number, kept, now),
    refused,
    isChanged,
  });
};

/** Why the act would be refused to a visitor who stands like this; null: it would be done. */
export const deskRefusal = (visitor: VisitorFound, act: DeskAct): DeskRefusal | null => {
  const { state, visit, givenMs } = visitor;
  switch (act.act) {
    case "look":
    case "end":
      return null;
    case "more-time":
      if (state === "ended") return "ended";
      if (state === "waiting" || state === "away") return "no-time";
      if (visit?.isLeaving === true) return "leaving";
      return givenMs + act.ms > MORE_TIME_ALL_MS ? "enough" : null;
    case "call-again":
      if (state === "ended") return "ended";
      return state === "visiting" ? "visiting" : null;
    default:
      return act satisfies never;
  }
};

/** True if it changed anything. */
const perform = (state: RoomState, number: TicketNumber, act: DeskAct, now: InstantMs): boolean => {
  switch (act.act) {
    case "look":
      return false;
    case "more-time":
      return moreTime(state, number, act.ms, now);
    case "call-again":
      return callAgain(state, number, now);
    case "end":
      return endFor(state, number, now);
    default:
      return act satisfies never;
  }
};

const moreTime = (state: RoomState, number: TicketNumber, ms: number, now: InstantMs): boolean => {
  const permit = state.permits.of(number);
  if (permit === null) return false;
  const givenMs = (permit.givenMs ?? 0) + ms;
  if (permit.state === "held") {
    state.permits.update(longerVisit({ ...permit, givenMs }, ms));
  } else {
    const claimBy = after(permit.claimBy, ms);
    state.permits.update({ ...permit, givenMs, claimBy });
    tell(state, permit.lobby, { number, claimBy });
  }
  state.happenings.note(number, "more-time", now);
  return true;
};

/** No renewal makes a lease shorter than it was made here. */
const longerVisit = (permit: HeldPermit, ms: number): HeldPermit => {
  const leaseUntil = after(permit.leaseUntil, ms);
  const endsAt = permit.endsAt === null ? null : after(permit.endsAt, ms);
  return { ...permit, leaseUntil, endsAt, givenUntil: leaseUntil };
};

/**
 * The number stands where it stands, and has its turn when that comes: the head of the line at once.
 * The operator's word is taken for a sign of life. A call that is out is told once more.
 */
const callAgain = (state: RoomState, number: TicketNumber, now: InstantMs): boolean => {
  const permit = state.permits.of(number);
  const hadMissed = forgetMisses(state, number);
  if (permit?.state === "called") {
    tell(state, permit.lobby, { number, claimBy: permit.claimBy });
    return hadMissed;
  }
  // In a room of requests only a number whose request waits is present.
  const comesBack =
    state.limits.permit === "visit" &&
    !state.line.isPresent(number) &&
    state.line.markPresent(number);
  if (hadMissed || comesBack) state.happenings.note(number, "called-again", now);
  if (comesBack) state.unsaved.head = true;
  return hadMissed || comesBack;
};

const forgetMisses = (state: RoomState, number: TicketNumber): boolean => {
  if (!state.misses.delete(number)) return false;
  state.unsaved.misses.add(number);
  return true;
};

const endFor = (state: RoomState, number: TicketNumber, now: InstantMs): boolean => {
  const permit = state.permits.of(number);
  if (permit?.state === "held") {
    state.happenings.note(number, "visit-stopped", now);
    // To its visitor it is a visit that the site has ended.
    endVisit(state, permit, "revoked", now, "finished");
    return true;
  }
  if (!state.line.isUnspent(number)) return false;
  if (permit?.state === "called") withdrawCall(state, permit);
  spend(state, number);
  state.history.count("removed", now);
  state.happenings.note(number, "removed", now);
  return true;
};

const withdrawCall = (state: RoomState, permit: CalledPermit): void => {
  state.permits.takeBack(permit.number);
  state.calls.giveBack(permit.calledAt);
};

/**
 * The numbers that the Room itself knows under this reference: the visit that runs, and otherwise the
 * latest that ended. Who waits is known to its lobby.
 */
export const numberUnder = (
  { permits, ends }: RoomState,
  reference: string,
): { readonly visiting: TicketNumber | null; readonly ended: TicketNumber | null } => {
  const isMeant = refersTo(reference);
  for (const { permit } of permits.all())
    if (permit.state === "held" && permit.visitor != null && isMeant(permit.visitor))
      return { visiting: permit.number, ended: null };
  return { visiting: null, ended: ends.latest(isMeant) };
};
