/**
 * What a ticket can do: join, come back, leave, claim. The visit that a claim begins is in
 * visits.ts.
 */
import type { LobbyIndex, TicketNumber, VisitId, VisitorId } from "../ids.ts";
import type { JoinsPerAddress } from "./addresses.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import { TICKET_LIFE_FACTOR } from "../token-lives.ts";
import type { Op, OpReply, Place, Refusal } from "./commands.ts";
import { claimCalled, renew } from "./visits.ts";
import { spend } from "./usher.ts";
import { lobbyIsFull } from "./lobbies.ts";
import type { RoomState } from "./state.ts";

/**
 * A reply that is read when the whole step is done, so that it says where the number stands then.
 */
export type LateReply = OpReply | (() => OpReply);

/** When a refused visitor may ask again: where the line is full, and where only its lobby is. */
const RETRY_FULL_MS = 30_000;
const RETRY_LOBBY_MS = 1_000;
/** A claim that comes before its turn asks again after so long; the call itself comes sooner. */
const RETRY_EARLY_MS = 2_000;

type RefusedReply = Extract<OpReply, { kind: "refused" }>;

const refused = (refusal: Refusal, retryAfterMs: number): RefusedReply => ({
  kind: "refused",
  refusal,
  retryAfterMs,
});

/** Where a number stands. Null when it is spent and no visit lives on it. */
export const placeOf = (state: RoomState, number: TicketNumber): Place | null => {
  const permit = state.permits.of(number);
  if (permit?.state === "held") return { number, state: "visiting", ahead: 0, claimBy: null };
  if (permit?.state === "called") {
    return { number, state: "called", ahead: 0, claimBy: permit.claimBy };
  }
  if (!state.line.isUnspent(number)) return null;
  const standing = state.line.isPresent(number) ? "waiting" : "away";
  if (state.limits.order === "random") {
    const among = state.line.standing;
    return { number, state: standing, ahead: null, among, claimBy: null };
  }
  return { number, state: standing, ahead: state.line.ahead(number), claimBy: null };
};

const placeReply = (state: RoomState, number: TicketNumber): OpReply => {
  const place = placeOf(state, number);
  return place === null ? { kind: "ended" } : { kind: "place", place };
};

/** Why nobody may join now, or null. */
const joinRefusal = (
  state: RoomState,
  lobby: LobbyIndex,
  address: string | null,
  now: InstantMs,
): RefusedReply | null => {
  const { closed, suspended, lineMax } = state.limits;
  if (suspended) return refused("room-suspended", 0);
  if (closed !== null) return refused("room-closed", RETRY_FULL_MS);
  if (state.line.waiting + state.line.unconfirmed >= lineMax)
    return refused("line-full", RETRY_FULL_MS);
  if (lobbyIsFull(state, lobby)) return refused("lobby-full", RETRY_LOBBY_MS);
  return addressRefusal(state, state.addresses, address, now);
};

/** Counts one more for this address, or says when it may come again. */
export const addressRefusal = (
  { limits }: RoomState,
  counted: JoinsPerAddress,
  address: string | null,
  now: InstantMs,
): RefusedReply | null => {
  const { joinsPerAddressPerMinuteMax: max } = limits;
  if (max === null || address === null || counted.tryJoin(address, max, now)) return null;
  return refused("too-many-joins", Math.max(1_000, counted.retryAt(address, now) - now));
};

/** The visit that the visitor has already: nobody has two, nor a number beside it. */
export const visitOf = ({ permits }: RoomState, visitor: VisitorId | null): VisitId | null =>
  visitor === null ? null : (permits.heldBy(visitor)?.number ?? null);

/** Takes the next number. Consecutive joins of one lobby in one step are written as one row. */
export const joinNumber = (
  state: RoomState,
  lobby: LobbyIndex,
  address: string | null,
  now: InstantMs,
): TicketNumber | OpReply => {
  const refusal = joinRefusal(state, lobby, address, now);
  if (refusal !== null) {
    state.history.refused(refusal.refusal, now);
    return refusal;
  }
  const number = state.line.issue(lobby);
  const run = state.unsaved.runs.at(-1);
  if (run !== undefined && run.lobby === lobby && run.first + run.count === number) {
    state.unsaved.runs[state.unsaved.runs.length - 1] = { ...run, count: run.count + 1 };
  } else {
    state.unsaved.runs.push({ first: number, count: 1, lobby });
  }
  state.history.count("issued", now);
  state.history.count("joined", now);
  state.happenings.note(number, "joined", now);
  state.estimator.flow.joined();
  return number;
};

export const join = (
  state: RoomState,
  lobby: LobbyIndex,
  { address, visitor = null }: Extract<Op, { op: "join" }>,
  now: InstantMs,
): LateReply => {
  const visit = visitOf(state, visitor);
  if (visit !== null) return () => placeReply(state, visit);
  const number = joinNumber(state, lobby, address, now);
  if (typeof number !== "number") return number;
  if (state.limits.permit === "request") state.line.markAway(number, now);
  return () => placeReply(state, number);
};

/** Has the return window of a number that is away gone by? */
const isTooLate = (
  { limits }: RoomState,
  heardAt: InstantMs,
  exact: boolean,
  now: InstantMs,
): boolean => isOver(after(heardAt, limits.returnWindowMs * (exact ? 1 : TICKET_LIFE_FACTOR)), now);

/** Comes back with a ticket: it stands where its number stands, if it comes within the window. */
export const rejoin = (
  state: RoomState,
  lobby: LobbyIndex,
  { number, heardAt, exact }: Extract<Op, { op: "rejoin" }>,
  now: InstantMs,
): LateReply => {
  // Its own lobby could not be reached: the one that speaks for the visitor now hears its call. A
  // request that waits hears it where it waits.
  if (state.limits.regions !== undefined && !state.attended.has(number))
    state.line.handOver(number, lobby);
  // The token may be old: the Room itself has heard lately of a number in line, called or visiting.
  if (state.permits.of(number) !== null || state.line.isPresent(number)) {
    return () => placeReply(state, number);
  }
  if (isTooLate(state, heardAt, exact, now)) {
    spendLate(state, number, now);
    return { kind: "ended" };
  }
  // In a room of requests only a number whose request waits is present.
  if (state.limits.permit === "request") return () => placeReply(state, number);
  if (!state.line.markPresent(number)) return { kind: "ended" };
  return () => placeReply(state, number);
};

/** Gives up a place. A visit that has begun is not touched: its number is spent already. */
export const leave = (state: RoomState, number: TicketNumber, now: InstantMs): void => {
  const permit = state.permits.of(number);
  if (permit?.state === "called") {
    state.permits.takeBack(number);
    state.calls.giveBack(permit.calledAt);
    state.history.count("missed", now);
    state.estimator.flow.answered(now - permit.calledAt, false);
  }
  if (state.line.isUnspent(number)) {
    state.history.count("left", now);
    state.happenings.note(number, "left", now);
  }
  spend(state, number);
};

const spendLate = (state: RoomState, number: TicketNumber, now: InstantMs): void => {
  if (state.line.isUnspent(number)) state.happenings.note(number, "late", now);
  spend(state, number);
};

/**
 * Claims a turn. The same ticket gets the same visit for as long as it lives, and so does every other
 * ticket of its visitor, which is given up.
 */
export const claim = (
  state: RoomState,
  { number, visitor = null, heardAt, exact = true, joinedAt }: Extract<Op, { op: "claim" }>,
  now: InstantMs,
): LateReply => {
  const visit = visitOf(state, visitor);
  if (visit !== null && visit !== number) {
    leave(state, number, now);
    return renew(state, visit, now);
  }
  const permit = state.permits.of(number);
  if (permit?.state === "called") return claimCalled(state, permit, visitor, joinedAt ?? null, now);
  if (permit?.state === "held") return renew(state, number, now);
  if (heardAt !== undefined && !state.line.isPresent(number)) {
    if (isTooLate(state, heardAt, exact, now)) spendLate(state, number, now);
  }
  if (state.limits.permit === "visit" && !state.line.markPresent(number)) return { kind: "ended" };
  return () => {
    const place = placeOf(state, number);
    if (place === null) return { kind: "ended" };
    const retryAt = place.state === "called" ? now : after(now, RETRY_EARLY_MS);
    return { kind: "not-yet", place, retryAt };
  };
};
