import type { LobbyIndex, TicketNumber, VisitId } from "../ids.ts";
import type { CalledPermit, HeldPermit, Via } from "../permits/permit.ts";
import { after, earliest, instant, isOver, type InstantMs } from "../time.ts";
import type { LiveVisit, OpReply } from "./commands.ts";
import type { Tally } from "./history.ts";
import { modeOf } from "./mode.ts";
import { endVisit, spend } from "./usher.ts";
import type { RoomState } from "./state.ts";

/** No pass lives longer than this, so that what has ended is forgotten soon. */
export const PASS_MAX_MS = 300_000;
/** The lease of a permit that lasts as long as one answer; its Worker renews it while it streams. */
export const TRANSIENT_LEASE_MS = 60_000;
/** In a held room a claim asks again after so long. */
const RETRY_HELD_MS = 5_000;

const ENTRY: Record<Via, Tally> = {
  usher: "entriesByUsher",
  baton: "entriesByBaton",
  door: "entriesByDoor",
};

const leaseOf = (state: RoomState, transient: boolean): number =>
  transient ? Math.min(state.limits.leaseMs, TRANSIENT_LEASE_MS) : state.limits.leaseMs;

const min = (first: InstantMs, ...rest: readonly (InstantMs | null)[]): InstantMs =>
  earliest(first, ...rest) ?? first;

/** What a pass that is given now may promise: never less than one that was given before. */
const passUntilOf = (
  permit: Pick<HeldPermit, "leaseUntil" | "endsAt" | "passesUntil">,
  now: InstantMs,
): InstantMs =>
  instant(
    Math.max(permit.passesUntil, min(after(now, PASS_MAX_MS), permit.leaseUntil, permit.endsAt)),
  );

const liveVisit = (state: RoomState, permit: HeldPermit): LiveVisit => ({
  visit: permit.number,
  epoch: state.epoch,
  leaseUntil: permit.leaseUntil,
  passUntil: permit.passesUntil,
  endsAt: permit.endsAt,
  provisional: permit.provisionalUntil !== null,
});

const visitReply = (state: RoomState, permit: HeldPermit, isNew: boolean): OpReply => ({
  kind: "visit",
  isNew,
  visit: liveVisit(state, permit),
});

interface Beginning {
  readonly number: TicketNumber;
  readonly lobby: LobbyIndex;
  readonly via: Via;
  readonly transient: boolean;
}

const begin = (state: RoomState, beginning: Beginning, now: InstantMs): HeldPermit => {
  const { number, lobby, via, transient } = beginning;
  const leaseUntil = after(now, leaseOf(state, transient));
  const { visitMaxMs, claimWithinMs } = state.limits;
  const endsAt = visitMaxMs === null ? null : after(now, visitMaxMs);
  const provisional = via === "door" && !transient;
  state.history.count(ENTRY[via], now);
  state.unsaved.head = true;
  return {
    state: "held",
    number,
    lobby,
    via,
    startedAt: now,
    leaseUntil,
    passesUntil: passUntilOf({ leaseUntil, endsAt, passesUntil: now }, now),
    endsAt,
    released: false,
    provisionalUntil: provisional ? after(now, claimWithinMs) : null,
    transient,
  };
};

/** The open door: a permit at once for whoever stands before a room without a line. */
export const enter = (
  state: RoomState,
  lobby: LobbyIndex,
  transient: boolean,
  now: InstantMs,
): OpReply => {
  if (modeOf(state, now) !== "open" || !state.starts.tryStart(now).ok) return { kind: "queue" };
  // It counts as a call as well, so that calls and starts stay one forecast of each other.
  state.calls.tryStart(now);
  const number = state.line.issue(1, lobby, "spent");
  const permit = begin(state, { number, lobby, via: "door", transient }, now);
  state.permits.admit(permit);
  state.history.count("issued", now);
  return visitReply(state, permit, true);
};

/** It stays called, and its claim time begins anew when it may come again. */
const claimLater = (state: RoomState, called: CalledPermit, retryAt: InstantMs): OpReply => {
  const extended = after(retryAt, state.limits.claimWithinMs);
  const claimBy = extended > called.claimBy ? extended : called.claimBy;
  if (claimBy !== called.claimBy) state.permits.update({ ...called, claimBy });
  const place = { number: called.number, state: "called", ahead: 0, claimBy } as const;
  return { kind: "not-yet", place, retryAt };
};

/** The called visitor has come. In a held room and in a full second it has to come again. */
export const claimCalled = (state: RoomState, called: CalledPermit, now: InstantMs): OpReply => {
  if (state.limits.held) return claimLater(state, called, after(now, RETRY_HELD_MS));
  const start = state.starts.tryStart(now);
  if (!start.ok) return claimLater(state, called, start.retryAt);
  const { number, lobby, via } = called;
  spend(state, number);
  const permit = begin(state, { number, lobby, via, transient: false }, now);
  state.permits.claim(permit);
  state.rate.entered(now);
  return visitReply(state, permit, true);
};

const heldOf = (state: RoomState, visit: VisitId): HeldPermit | null => {
  const permit = state.permits.of(visit);
  return permit?.state === "held" ? permit : null;
};

/** What lasts as long as an answer streams is renewed by its Worker, whatever visitors may do. */
const renews = ({ limits }: RoomState, { transient }: HeldPermit): boolean =>
  limits.leaseRenews || transient || limits.permit === "request";

/** A sign of activity: the lease begins anew, and a provisional visit is provisional no more. */
export const renew = (state: RoomState, visit: VisitId, now: InstantMs): OpReply => {
  const permit = heldOf(state, visit);
  if (permit === null) return { kind: "ended" };
  const leaseUntil = renews(state, permit)
    ? after(now, leaseOf(state, permit.transient))
    : permit.leaseUntil;
  const next = { ...permit, leaseUntil, provisionalUntil: null };
  const renewed = { ...next, passesUntil: passUntilOf(next, now) };
  state.permits.update(renewed);
  return visitReply(state, renewed, false);
};

export const look = (state: RoomState, visit: VisitId): OpReply => {
  const permit = heldOf(state, visit);
  return permit === null ? { kind: "ended" } : visitReply(state, permit, false);
};

/**
 * The visitor or the origin is done: at once, or in so many milliseconds. A release never makes a
 * visit longer, and one that has ended stays as it ended.
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
  state.unsaved.head = true;
  for (const permit of held) endVisit(state, permit, "revoked", now);
  return held.length;
};
