import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import type { Op, OpReply, Place } from "./commands.ts";
import { claimCalled, renew } from "./visits.ts";
import { spend } from "./usher.ts";
import { lobbyIsFull } from "./lobbies.ts";
import type { RoomState } from "./state.ts";

/** A reply that is read once the whole step is done, so that it tells where the number stands then. */
export type LateReply = OpReply | (() => OpReply);

/** A ticket token is signed anew every quarter of the window, so it may be so much older than the visit. */
export const TOKEN_LAG = 1.25;
/** A busy answer's advice on when to ask again. */
const RETRY_FULL_MS = 30_000;
const RETRY_LOBBY_MS = 1_000;
/** A claim that comes before its turn asks again after so long; the call itself comes sooner. */
const RETRY_EARLY_MS = 2_000;

const refused = (
  refusal: "line-full" | "lobby-full" | "room-closed" | "room-suspended" | "too-many-joins",
  retryAfterMs: number,
): OpReply => ({
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
): OpReply | null => {
  const { closed, suspended, lineMax, joinsPerAddressPerMinuteMax } = state.limits;
  if (suspended) return refused("room-suspended", 0);
  if (closed !== null) return refused("room-closed", RETRY_FULL_MS);
  if (state.line.waiting + state.line.maybe >= lineMax) return refused("line-full", RETRY_FULL_MS);
  if (lobbyIsFull(state, lobby)) return refused("lobby-full", RETRY_LOBBY_MS);
  if (joinsPerAddressPerMinuteMax === null || address === null) return null;
  if (state.addresses.tryJoin(address, joinsPerAddressPerMinuteMax, now)) return null;
  return refused("too-many-joins", Math.max(1_000, state.addresses.retryAt(address, now) - now));
};

/** Takes the next number. Consecutive joins of one lobby in one step are written as one row. */
export const joinNumber = (
  state: RoomState,
  lobby: LobbyIndex,
  address: string | null,
  now: InstantMs,
): TicketNumber | OpReply => {
  const refusal = joinRefusal(state, lobby, address, now);
  if (refusal !== null) {
    state.history.count("refused", now);
    return refusal;
  }
  const number = state.line.issue(1, lobby);
  const run = state.unsaved.runs.at(-1);
  if (run !== undefined && run.lobby === lobby && run.first + run.count === number) {
    state.unsaved.runs[state.unsaved.runs.length - 1] = { ...run, count: run.count + 1 };
  } else {
    state.unsaved.runs.push({ first: number, count: 1, lobby });
  }
  state.history.count("issued", now);
  return number;
};

export const join = (
  state: RoomState,
  lobby: LobbyIndex,
  address: string | null,
  now: InstantMs,
): LateReply => {
  const number = joinNumber(state, lobby, address, now);
  if (typeof number !== "number") return number;
  if (state.limits.permit === "request") state.line.markAway(number, now);
  return () => placeReply(state, number);
};

/** Comes back with a ticket: it stands where its number stands, if it comes within the window. */
export const back = (
  state: RoomState,
  { number, heardAt, exact }: Extract<Op, { op: "back" }>,
  now: InstantMs,
): LateReply => {
  // An old token harms nobody who stands in line, or is past it: the room itself has heard of them.
  if (state.permits.of(number) !== null || state.line.isPresent(number)) {
    return () => placeReply(state, number);
  }
  const windowMs = state.limits.returnWindowMs * (exact ? 1 : TOKEN_LAG);
  if (isOver(after(heardAt, windowMs), now)) {
    spend(state, number);
    return { kind: "ended" };
  }
  // In a room of requests nobody is there but whose request waits.
  if (state.limits.permit === "request") return () => placeReply(state, number);
  if (!state.line.markPresent(number)) return { kind: "ended" };
  return () => placeReply(state, number);
};

/** Gives up a place. A visit that has begun is not touched: its number is spent already. */
export const leave = (state: RoomState, number: TicketNumber, now: InstantMs): void => {
  const permit = state.permits.of(number);
  if (permit?.state === "called") {
    state.permits.takeBack(number, "hand");
    state.calls.giveBack(permit.calledAt);
    state.history.count("missed", now);
  }
  spend(state, number);
};

/** Claims a turn. The same ticket gets the same visit for as long as it lives. */
export const claim = (state: RoomState, number: TicketNumber, now: InstantMs): LateReply => {
  const permit = state.permits.of(number);
  if (permit?.state === "called") return claimCalled(state, permit, now);
  if (permit?.state === "held") return renew(state, number, now);
  if (state.limits.permit === "visit" && !state.line.markPresent(number)) return { kind: "ended" };
  return () => {
    const place = placeOf(state, number);
    if (place === null) return { kind: "ended" };
    const retryAt = place.state === "called" ? now : after(now, RETRY_EARLY_MS);
    return { kind: "not-yet", place, retryAt };
  };
};
