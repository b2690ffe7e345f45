/**
 * The usher: calls numbers, ends visits and calls whose time is over, and passes batons. How many
 * may be called is for the ring and the permits.
 */
import { Generator } from "../draw/generator.ts";
import { isOver, after, earliest, type InstantMs } from "../time.ts";
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { invariant } from "../invariant.ts";
import { dueAt } from "../permits/permit.ts";
import type { CalledPermit, HeldPermit, Via } from "../permits/permit.ts";
import { begin, liveVisit } from "./begin.ts";
import type { Call } from "./commands.ts";
import { callsLeft } from "../ring/call-rate.ts";
import type { RoomState } from "./state.ts";
import type { EndReason, VisitEnd } from "./visit-ends.ts";

/** The miss that spends a number: a visitor who was called so often will not come. */
export const MISSES_MAX = 3;

/** Nobody is called while the operator pauses, closes or suspends the room. */
export const mayCall = ({ limits }: RoomState): boolean =>
  !limits.paused && !limits.suspended && limits.closed === null;

/** A request that waits starts with its call, so the hard ring decides; nobody can be late for it. */
const callsAllowed = (state: RoomState, now: InstantMs): number =>
  state.limits.permit === "request" || state.attended.size > 0
    ? Math.min(state.starts.room(now), state.calls.room(now))
    : callsLeft(state.calls, state.limits.startsPerMinuteMax, now);

/** The wait of this number is over: was it as long as forecast? */
const turnCame = (state: RoomState, number: TicketNumber, now: InstantMs): void => {
  state.estimator.flow.called();
  const outcome = state.estimator.forecastCheck.came(number, now);
  if (outcome === null) return;
  state.history.count("etaChecked", now);
  if (outcome.inRange) state.history.count("etaHeld", now);
  state.history.count("etaErrorPercent", now, Math.round(outcome.error * 100));
};

export const tell = (state: RoomState, lobby: LobbyIndex, call: Call): void => {
  const calls = state.callsMade.get(lobby) ?? [];
  calls.push(call);
  state.callsMade.set(lobby, calls);
};

/**
 * Counts a start that no call came before, as a call too, so that neither ring runs ahead of the
 * other.
 */
export const countStart = (state: RoomState, now: InstantMs): boolean => {
  state.calls.count(now);
  return state.starts.tryStart(now).ok;
};

/** The visit of somebody who stands in line. The caller counts it, and puts it into a slot. */
export const beginFromLine = (
  state: RoomState,
  number: TicketNumber,
  via: Via,
  joinedAt: InstantMs | null,
  now: InstantMs,
): HeldPermit => {
  const lobby = state.line.lobbyOf(number);
  invariant(lobby !== null, "a number in line was issued to a lobby");
  const permit = begin(state, { number, visitor: null, lobby, via, transient: false }, now);
  // Whoever starts in the very step in which it came has not waited.
  if (joinedAt !== null && joinedAt !== now) state.history.waited(joinedAt, now);
  spend(state, number);
  state.rate.entered(now);
  turnCame(state, number, now);
  state.estimator.flow.answered(0, true);
  return permit;
};

/** The number's request is here: its visit begins in this step. */
const start = (state: RoomState, number: TicketNumber, via: Via, now: InstantMs): void => {
  invariant(countStart(state, now), "the ring had room for this start");
  const permit = beginFromLine(state, number, via, state.attended.get(number) ?? null, now);
  state.permits.admit(permit);
  const { lobby, leaseUntil } = permit;
  tell(state, lobby, { number, claimBy: leaseUntil, visit: liveVisit(state, permit) });
};

/** Offers a free permit to a number. Its lobby is told with this step's calls. */
const call = (state: RoomState, number: TicketNumber, via: Via, now: InstantMs): void => {
  if (state.attended.has(number)) {
    start(state, number, via, now);
    return;
  }
  const lobby = state.line.lobbyOf(number);
  invariant(lobby !== null, "a number in line was issued to a lobby");
  const counted = state.calls.tryStart(now);
  invariant(counted.ok, "the ring had room for this call");
  const claimBy = after(now, state.limits.claimWithinMs);
  state.line.call(number);
  state.permits.call({ state: "called", number, lobby, via, calledAt: now, claimBy });
  state.history.count("calls", now);
  state.happenings.note(number, "called", now);
  turnCame(state, number, now);
  tell(state, lobby, { number, claimBy });
};

/** How a visit came to its end. */
export type VisitOutcome = "finished" | "expired" | "revoked";

/**
 * Ends a visit and takes its permit back. Passes that could still be shown are remembered. A visit
 * that its visitor finished hands its permit to the head of the line in this very step.
 */
export const endVisit = (
  state: RoomState,
  permit: HeldPermit,
  ending: VisitOutcome,
  now: InstantMs,
  why: EndReason = whyEnded(state, permit, ending, now),
): void => {
  state.ended.add(permit.number, permit.passesUntil, now);
  // No visitor comes back to a visit that was for one answer only.
  if (state.limits.permit === "visit" && !permit.transient)
    state.ends.note(permit.number, endOf(permit, why, now), permit.visitor);
  if (!permit.transient) state.happenings.note(permit.number, `visit-${why}`, now);
  countTurn(state, permit, now);
  learnLength(state, permit, ending, now);
  state.permits.takeBack(permit.number);
  state.history.count(ending, now);
  if (ending === "finished") passBaton(state, now);
};

const whyEnded = (
  { limits }: RoomState,
  { endsAt }: HeldPermit,
  ending: VisitOutcome,
  now: InstantMs,
): EndReason => {
  if (ending === "finished") return "finished";
  if (ending === "revoked") return endsAt !== null && isOver(endsAt, now) ? "time-up" : "revoked";
  return limits.leaseRenews ? "inactive" : "time-up";
};

/** A visit ends at the moment at which its time ran out, though the usher may come later. */
const endOf = (permit: HeldPermit, reason: EndReason, now: InstantMs): VisitEnd => {
  const at = earliest(dueAt(permit), now) ?? now;
  const { startedAt, provisionalUntil } = permit;
  if (reason === "time-up") return { reason, at, afterMs: at - startedAt };
  const isUnconfirmed = reason === "unconfirmed" && provisionalUntil !== null;
  return { reason, at, afterMs: isUnconfirmed ? provisionalUntil - startedAt : null };
};

/**
 * Notes how long the turn took, for requests that are sent away. Called before its permit is free.
 */
export const countTurn = (
  { permits, turnSpan }: RoomState,
  { startedAt }: HeldPermit,
  now: InstantMs,
): void => turnSpan.ended(startedAt, permits.free === 0 ? permits.max : null, now);

/**
 * A visit that the operator cut short, or that no visitor came back to, says nothing of other
 * visits.
 */
export const learnLength = (
  state: RoomState,
  permit: HeldPermit,
  ending: VisitOutcome,
  now: InstantMs,
): void => {
  const isOvertime = permit.endsAt !== null && isOver(permit.endsAt, now);
  const { lengths } = state.estimator;
  if (permit.provisionalUntil !== null || (ending === "revoked" && !isOvertime))
    lengths.cut(permit.number);
  else lengths.ended(permit.number, now - permit.startedAt);
};

const passBaton = (state: RoomState, now: InstantMs): void => {
  if (!mayCall(state)) return;
  const [next] = callable(state, Math.min(callsAllowed(state, now), state.permits.free));
  if (next !== undefined) call(state, next, "baton", now);
};

/**
 * Whom so many calls may be made to, one after another. Each has to be called before the next. Whoever may
 * still turn out to be there keeps a call as well as a permit.
 */
const callable = (state: RoomState, most: number): Iterable<TicketNumber> =>
  state.limits.order === "random" ? drawn(state, most) : state.line.callable(most);

/**
 * One of the present, evenly, and then one of those who are left. While somebody may still turn out to
 * be there, and there is not a permit for each, nobody is drawn: the missing would have had no chance.
 */
function* drawn(state: RoomState, most: number): Iterable<TicketNumber> {
  const { line, permits } = state;
  for (let left = most; left > 0 && line.waiting > 0 && permits.free > 0; left -= 1) {
    if (line.unconfirmed > 0 && line.standing > permits.free) return;
    state.generator ??= Generator.fromSecret(state.boot);
    const number = line.presentAt(state.generator.below(line.waiting));
    invariant(number !== null, "somebody present was drawn");
    yield number;
  }
}

/** The called visitor did not come: away until it acts; after the third time its number is spent. */
const miss = (
  state: RoomState,
  number: TicketNumber,
  calledAt: InstantMs,
  now: InstantMs,
): void => {
  const misses = (state.misses.get(number) ?? 0) + 1;
  state.permits.takeBack(number);
  state.calls.giveBack(calledAt);
  state.estimator.flow.answered(now - calledAt, false);
  state.history.count("missed", now);
  state.happenings.note(number, "missed", now);
  if (misses >= MISSES_MAX) {
    spend(state, number);
    return;
  }
  state.misses.set(number, misses);
  state.unsaved.misses.add(number);
  state.line.uncall(number, now);
};

/** Takes a call back that was not the visitor's fault: the permit goes on, the number is away. */
export const uncall = (state: RoomState, permit: CalledPermit, now: InstantMs): void => {
  state.permits.takeBack(permit.number);
  state.calls.giveBack(permit.calledAt);
  state.line.uncall(permit.number, now);
};

/** Marks a number as used up. It never comes back. */
export const spend = (state: RoomState, number: TicketNumber): void => {
  state.line.spend(number);
  state.attended.delete(number);
  state.scheduledReturns.forget(number);
  if (state.misses.delete(number)) state.unsaved.misses.add(number);
};

/** Everything whose time is over, in the order in which it fell due. */
export const expire = (state: RoomState, now: InstantMs): void => {
  for (const permit of state.permits.overdue(now)) {
    if (permit.state === "called") miss(state, permit.number, permit.calledAt, now);
    else endVisit(state, permit, endingOf(permit, now), now);
  }
};

const endingOf = (permit: HeldPermit, now: InstantMs): VisitOutcome => {
  if (permit.endsAt === null || !isOver(permit.endsAt, now)) return "expired";
  return permit.released ? "finished" : "revoked";
};

/** A visit through the door whose pass never came back makes way for somebody who waits. */
const reclaimProvisional = (state: RoomState, now: InstantMs): boolean => {
  const oldest = state.permits.oldestProvisional();
  if (oldest?.provisionalUntil == null || !isOver(oldest.provisionalUntil, now)) return false;
  endVisit(state, oldest, "revoked", now, "unconfirmed");
  return true;
};

/** Would a permit that fell free now be offered to anybody? */
const mayBeCalledNext = ({ line, limits }: RoomState): boolean =>
  limits.order === "random"
    ? line.waiting > 0 && (line.unconfirmed === 0 || line.standing === 1)
    : line.head() !== null;

/** The usher: gives what is in its hand to the head of the line, as far as the limits allow. */
export const usher = (state: RoomState, now: InstantMs): void => {
  if (!mayCall(state)) return;
  for (;;) {
    const allowed = callsAllowed(state, now);
    if (allowed < 1) return;
    if (state.permits.free === 0) {
      if (state.permits.out > state.permits.max || !mayBeCalledNext(state)) return;
      if (!reclaimProvisional(state, now)) return;
      continue;
    }
    if (!callSome(state, Math.min(allowed, state.permits.free), now)) return;
  }
};

const callSome = (state: RoomState, most: number, now: InstantMs): boolean => {
  let hasCalled = false;
  for (const number of callable(state, most)) {
    call(state, number, "usher", now);
    hasCalled = true;
  }
  return hasCalled;
};
