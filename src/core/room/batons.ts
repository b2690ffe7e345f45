/**
 * The Room's side of batons that a lobby passes by itself. The lobby's side is
 * core/lobby/batons.ts.
 */
import type { LobbyIndex, TicketNumber } from "../ids.ts";
import { after, isOver, type InstantMs } from "../time.ts";
import { visitReply } from "./begin.ts";
import { NEXT_VALID_MS, type Op, type OpReply } from "./commands.ts";
import type { LobbyState, RoomState } from "./state.ts";
import type { LateReply } from "./tickets.ts";
import {
  beginFromLine,
  countTurn,
  countStart,
  endVisit,
  learnLength,
  mayCall,
  spend,
  uncall,
} from "./usher.ts";
import { claimCalled, heldOf } from "./visits.ts";

/**
 * How many numbers are named at once: enough, unless permits are many and visits take milliseconds.
 */
const NEXT_MAX = 128;

/**
 * The numbers to which the lobby may pass permits of its own ended visits, in this order, before it
 * tells the Room: the head of the line, where only this lobby can bring numbers that stand before
 * them, and no limit but P holds them back. Null when the Room decides by itself.
 */
export const nextInLine = (
  state: RoomState,
  lobby: LobbyIndex,
  { reported }: LobbyState,
  now: InstantMs,
): readonly TicketNumber[] | null => {
  const { limits, line, permits } = state;
  const isPlain =
    limits.permit === "request" && limits.startsPerSecondMax === null && limits.visitMaxMs === null;
  if (!isPlain || !mayCall(state) || !reported || state.settlesUntil !== null) return null;
  if (permits.out > permits.max || line.waiting === 0 || line.unconfirmed > 0) return null;
  if (line.unspentOf(lobby) !== line.unspent) return null;
  // Starts by batons are counted only when the lobby tells of them.
  if (Math.min(state.starts.room(now), state.calls.room(now)) < 3 * NEXT_MAX) return null;
  if (!isOver(state.nextWithheldUntil, now)) return null;
  // Nobody is named who could be let in by limits that hold no more.
  const { changesAt } = state.plan;
  if (changesAt !== null && isOver(changesAt, after(now, NEXT_VALID_MS))) return null;
  const next: TicketNumber[] = [];
  for (const number of line.callable(NEXT_MAX)) {
    if (!state.attended.has(number)) break;
    next.push(number);
  }
  if (next.length === 0) return null;
  state.nextNamedUntil = after(now, NEXT_VALID_MS);
  return next;
};

/** Every unspent number waits: none was sent away with a ticket, to come back before others. */
export const isNobodyAway = ({ line }: RoomState): boolean => line.waiting === line.unspent;

/**
 * Names nobody for a while. Returns how long a lobby may still pass batons by what was named
 * before.
 */
export const withholdNext = (state: RoomState, now: InstantMs): number => {
  state.nextWithheldUntil = after(now, WITHHELD_MS);
  return Math.max(0, state.nextNamedUntil - now);
};

/** The change of limits that withheld them is long done by then, or its caller has died. */
const WITHHELD_MS = 5_000;

/**
 * A lobby has passed a baton: `from` has ended and `to` runs under its permit, in its slot. Told
 * twice it changes nothing, and where the permit was taken back meanwhile `to` has none.
 */
export const takeBaton = (
  state: RoomState,
  op: Extract<Op, { op: "baton" }>,
  now: InstantMs,
): LateReply => {
  const { from, to } = op;
  const joinedAt = op.joinedAt ?? null;
  const giver = heldOf(state, from);
  const taker = state.permits.of(to);
  if (taker?.state === "held") {
    // The Room has given `to` a permit of its own meanwhile: one of the two is enough.
    if (giver !== null) endVisit(state, giver, "finished", now);
    return visitReply(state, taker, false);
  }
  if (giver === null) {
    if (taker?.state === "called") return claimCalled(state, taker, null, joinedAt, now);
    spend(state, to);
    return ENDED;
  }
  if (!state.line.isUnspent(to)) {
    endVisit(state, giver, "finished", now);
    return ENDED;
  }
  state.ended.add(giver.number, giver.passesUntil, now);
  // The visit ended while the taker's own permit was out as well.
  countTurn(state, giver, now);
  if (taker?.state === "called") uncall(state, taker, now);
  state.history.count("finished", now);
  state.happenings.note(giver.number, "visit-finished", now);
  learnLength(state, giver, "finished", now);
  countStart(state, now);
  const permit = beginFromLine(state, to, "baton", state.attended.get(to) ?? joinedAt, now);
  state.permits.pass(giver.number, permit);
  return visitReply(state, permit, true);
};

const ENDED: OpReply = { kind: "ended" };
