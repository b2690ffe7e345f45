/** Rooms of requests: a permit for one request. Rooms of visits have tickets.ts and visits.ts. */
import { ticketNumber, type LobbyIndex, type TicketNumber } from "../ids.ts";
import { after, instant, isOver, SECOND_MS, type InstantMs } from "../time.ts";
import { withholdNext } from "./batons.ts";
import { visitReply } from "./begin.ts";
import type { Op, OpReply } from "./commands.ts";
import type { RoomState } from "./state.ts";
import { isElsewhere } from "./lobbies.ts";
import { joinNumber, placeOf, type LateReply } from "./tickets.ts";
import { mayCall, spend, uncall } from "./usher.ts";
import { claimCalled, renew } from "./visits.ts";

/** A new request that could not start within its return window is told to ask again after this. */
const RETRY_FULL_MS = 30_000;
/** Without a limit per second nobody knows when a permit is free: a client asks again after this. */
const RETRY_UNKNOWN_MS = 1_000;

type Request = Extract<Op, { op: "request" }>;

/**
 * The number that the request brought, if it may still stand where it stood. Its ticket was signed
 * when it was last sent away, so the window is exact.
 */
const numberBrought = (
  state: RoomState,
  ticket: Request["ticket"],
  now: InstantMs,
): TicketNumber | null => {
  if (ticket === null || !state.line.isUnspent(ticket.number)) return null;
  if (state.line.isPresent(ticket.number)) return ticket.number;
  if (!isOver(after(ticket.heardAt, state.limits.returnWindowMs), now)) return ticket.number;
  spend(state, ticket.number);
  return null;
};

/**
 * When the ring can let this number start. Ahead of it are those before it in line that are present,
 * and those that were sent away and come back before that moment. One of these that comes back later
 * finds the moment taken; one that does not come back in time delays nobody.
 */
const startAtOf = (state: RoomState, number: TicketNumber, now: InstantMs): InstantMs =>
  state.starts.rankToStart(
    state.line.ahead(number),
    now,
    state.scheduledReturns.before(state.line.order.spotOf(number)),
  );

/**
 * When a permit will be free for this number, if all before it come in time: rather too early than
 * too late, because a request that is early can wait at the edge. In whole seconds from now, as
 * `Retry-After` says it, and while its place is still kept. Null where nobody can know.
 */
const turnAtOf = (state: RoomState, number: TicketNumber, now: InstantMs): InstantMs | null => {
  const { limits, permits, turnSpan } = state;
  if (limits.tellsTurns !== true || !mayCall(state)) return null;
  const spot = state.line.order.spotOf(number);
  const before = state.line.ahead(number) + state.scheduledReturns.ahead(spot);
  const lengthMs = turnSpan.surelyMs;
  const turnMs =
    lengthMs === null ? longestAge(state, now) : ((before + 1) * lengthMs) / permits.max;
  const seconds = Math.floor(Math.min(turnMs, limits.returnWindowMs / 2) / SECOND_MS);
  return after(now, Math.max(1, seconds) * SECOND_MS);
};

/** While no visit has ended, the age of the oldest is taken for how long a turn lasts. */
const longestAge = ({ permits }: RoomState, now: InstantMs): number => {
  let longest = 0;
  for (const { permit } of permits.all())
    if (permit.state === "held") longest = Math.max(longest, now - permit.startedAt);
  return longest;
};

const turnedAway = (state: RoomState, number: TicketNumber, retryAt: InstantMs): OpReply => {
  const place = placeOf(state, number);
  return place === null ? { kind: "ended" } : { kind: "not-yet", place, retryAt };
};

/** Sends the request away with its ticket, and says when its turn can be. */
const promise = (
  state: RoomState,
  number: TicketNumber,
  retryAt: InstantMs,
  now: InstantMs,
): LateReply => {
  // An earlier request with the same ticket may still wait: this request has taken its place.
  state.attended.delete(number);
  state.line.markAway(number, now);
  state.scheduledReturns.add(number, state.line.order.spotOf(number), retryAt);
  return () => turnedAway(state, number, retryAt);
};

/** A number that could only start when its ticket is no longer good is no place in line. */
const isBeyondReturn = (state: RoomState, now: InstantMs): boolean => {
  if (!mayCall(state) || state.scheduledReturns.size === 0) return false;
  const next = ticketNumber(state.line.issued + 1);
  return startAtOf(state, next, now) >= after(now, state.limits.returnWindowMs);
};

/**
 * A request asks for its turn. It gets its visit in this very step, or waits at the edge, or, when
 * the ring cannot let it start within the time that it may wait, is told the moment to come back.
 */
export const request = (
  state: RoomState,
  lobby: LobbyIndex,
  { ticket, holdMs, address }: Request,
  now: InstantMs,
): LateReply => {
  const permit = ticket === null ? null : state.permits.of(ticket.number);
  if (ticket !== null && permit?.state !== "held" && isElsewhere(state, lobby, ticket.number)) {
    // Its former lobby may still let it in by itself; from now on it is named nobody.
    if (!isOver(state.nextNamedUntil, now))
      return { kind: "refused", refusal: "busy", retryAfterMs: withholdNext(state, now) };
    state.line.handOver(ticket.number, lobby);
  }
  if (permit?.state === "called")
    return claimCalled(state, permit, null, ticket?.joinedAt ?? null, now);
  const known = numberBrought(state, ticket, now);
  if (known === null && isBeyondReturn(state, now)) {
    state.history.refused("line-full", now);
    return { kind: "refused", refusal: "line-full", retryAfterMs: RETRY_FULL_MS };
  }
  // A closed room refuses those with a ticket as well: there is nothing to wait for.
  const isClosed = state.limits.closed !== null;
  const joined = isClosed || known === null ? joinNumber(state, lobby, address, now) : known;
  if (typeof joined !== "number") return joined;
  state.scheduledReturns.forget(joined);
  state.line.markPresent(joined);
  const startAt = startAtOf(state, joined, now);
  if (mayCall(state) && startAt > after(now, holdMs)) return promise(state, joined, startAt, now);
  // A new one stands in line from this step on; of one that came back its ticket says since when.
  state.attended.set(joined, known === null ? now : (ticket?.joinedAt ?? null));
  return () => turnOf(state, joined);
};

/** What has become of the number by the end of the step. */
const turnOf = (state: RoomState, number: TicketNumber): OpReply => {
  const permit = state.permits.of(number);
  if (permit?.state === "held") return visitReply(state, permit, true);
  const place = placeOf(state, number);
  return place === null ? { kind: "ended" } : { kind: "place", place };
};

/** The request has waited long enough, or its client has gone. */
export const withdraw = (
  state: RoomState,
  lobby: LobbyIndex,
  number: TicketNumber,
  now: InstantMs,
): LateReply => {
  const permit = state.permits.of(number);
  // A later request with its ticket waits, or runs, by way of another lobby: the turn is that one's.
  if (isElsewhere(state, lobby, number))
    return permit?.state === "held"
      ? { kind: "ended" }
      : () => turnedAway(state, number, after(now, RETRY_UNKNOWN_MS));
  if (permit?.state === "held") return visitReply(state, permit, false);
  if (permit?.state === "called") uncall(state, permit, now);
  state.attended.delete(number);
  state.line.markAway(number, now);
  const soonest = startAtOf(state, number, now);
  const turnAt = turnAtOf(state, number, now);
  if (turnAt !== null && state.line.isUnspent(number)) {
    const comesAt = instant(Math.max(soonest, turnAt));
    state.scheduledReturns.add(number, state.line.order.spotOf(number), comesAt);
    return () => turnedAway(state, number, comesAt);
  }
  const retryAt = soonest > now ? soonest : after(now, RETRY_UNKNOWN_MS);
  return () => turnedAway(state, number, retryAt);
};

/** Begins the lease of every request that runs anew. */
export const renewRequests = (state: RoomState, now: InstantMs): void => {
  const held = [...state.permits.all()].flatMap(({ permit }) =>
    permit.state === "held" ? [permit] : [],
  );
  for (const permit of held) renew(state, permit.number, now);
};

/** The moment at which an admitted visitor's request may begin, if it is soon enough to wait for. */
export const moment = (state: RoomState, holdMs: number, now: InstantMs): OpReply => {
  if (state.requests === null) return { kind: "start", startAt: now, left: null };
  const scheduled = state.requests.take(now, after(now, holdMs));
  if (!scheduled.ok) return { kind: "later", retryAt: scheduled.retryAt };
  state.unsaved.head = true;
  const { startAt } = scheduled;
  return { kind: "start", startAt, left: state.requests.leftAt(startAt) };
};
