/**
 * What a visit can do once it is called: begin, renew, end. Ends that nobody asked for are the
 * usher's.
 */
import type { VisitId, VisitorId } from "../ids.ts";
import type { CalledPermit, HeldPermit } from "../permits/permit.ts";
import { after, instant, isOver, type InstantMs } from "../time.ts";
import { begin, leaseOf, renewedPassesUntil, visitReply } from "./begin.ts";
import type { OpReply } from "./commands.ts";
import { endVisit, spend } from "./usher.ts";
import type { RoomState } from "./state.ts";

/** In a paused room a claim asks again after so long. */
const RETRY_PAUSED_MS = 5_000;

/** The number stays called, and its claim time begins anew at `retryAt`. */
const claimLater = (state: RoomState, called: CalledPermit, retryAt: InstantMs): OpReply => {
  const extended = after(retryAt, state.limits.claimWithinMs);
  const claimBy = extended > called.claimBy ? extended : called.claimBy;
  if (claimBy !== called.claimBy) state.permits.update({ ...called, claimBy });
  const place = { number: called.number, state: "called", ahead: 0, claimBy } as const;
  return { kind: "not-yet", place, retryAt };
};

/**
 * The called visitor has come. In a paused room and in a full second it has to come again. A call that
 * was out when a prequeue began stays good.
 */
export const claimCalled = (
  state: RoomState,
  called: CalledPermit,
  visitor: VisitorId | null,
  joinedAt: InstantMs | null,
  now: InstantMs,
): OpReply => {
  if (state.own.paused) return claimLater(state, called, after(now, RETRY_PAUSED_MS));
  const start = state.starts.tryStart(now);
  if (!start.ok) return claimLater(state, called, start.retryAt);
  const { number, lobby, via } = called;
  spend(state, number);
  const permit = begin(state, { number, visitor, lobby, via, transient: false }, now);
  state.permits.claim(permit);
  if (joinedAt !== null) state.history.waited(joinedAt, now);
  state.rate.entered(now);
  state.estimator.flow.answered(now - called.calledAt, true);
  return visitReply(state, permit, true);
};

export const heldOf = (state: RoomState, visit: VisitId): HeldPermit | null => {
  const permit = state.permits.of(visit);
  return permit?.state === "held" ? permit : null;
};

const isOverFor = ({ ends }: RoomState, visit: VisitId): OpReply => {
  const end = ends.of(visit);
  return end === null ? { kind: "ended" } : { kind: "ended", end };
};

/**
 * A permit for one answer is renewed by its Worker while it streams, also where leases do not
 * renew.
 */
const renews = ({ limits }: RoomState, { transient }: HeldPermit): boolean =>
  limits.leaseRenews || transient || limits.permit === "request";

/** A sign of activity: the lease begins anew, and a provisional visit is provisional no more. */
export const renew = (state: RoomState, visit: VisitId, now: InstantMs): OpReply => {
  const permit = heldOf(state, visit);
  if (permit === null) return isOverFor(state, visit);
  const anew = renews(state, permit)
    ? after(now, leaseOf(state, permit.transient))
    : permit.leaseUntil;
  const leaseUntil = instant(Math.max(anew, permit.givenUntil ?? anew));
  const next = { ...permit, leaseUntil, provisionalUntil: null };
  const renewed = { ...next, passesUntil: renewedPassesUntil(state, next, now) };
  state.permits.update(renewed);
  return visitReply(state, renewed, false);
};

export const peek = (state: RoomState, visit: VisitId): OpReply => {
  const permit = heldOf(state, visit);
  return permit === null ? isOverFor(state, visit) : visitReply(state, permit, false);
};

/**
 * The visitor or the origin ends the visit: at once, or in so many milliseconds. A release never
 * makes a visit longer, and one that has ended stays as it ended.
 */
export const end = (state: RoomState, visit: VisitId, afterMs: number, now: InstantMs): boolean => {
  const permit = heldOf(state, visit);
  if (permit === null) return false;
  const endsAt = after(now, afterMs);
  if (isOver(endsAt, now)) {
    endVisit(state, permit, "finished", now);
    return true;
  }
  if (permit.endsAt === null || endsAt < permit.endsAt) {
    state.permits.update({ ...permit, endsAt, released: true });
  }
  return true;
};

/** Ends every visit and voids every pass of this epoch. Tickets and calls stay. */
export const revokeAll = (state: RoomState, now: InstantMs): number => {
  const held = [...state.permits.all()].flatMap(({ permit }) =>
    permit.state === "held" ? [permit] : [],
  );
  state.epoch += 1;
  state.epochAt = now;
  state.unsaved.head = true;
  for (const permit of held) endVisit(state, permit, "revoked", now);
  return held.length;
};
