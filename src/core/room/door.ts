import type { LobbyIndex, TicketNumber, VisitorId } from "../ids.ts";
import { invariant } from "../invariant.ts";
import type { InstantMs } from "../time.ts";
import { begin, visitReply } from "./begin.ts";
import type { Op, OpReply } from "./commands.ts";
import { modeOf } from "./mode.ts";
import type { RoomState } from "./state.ts";
import { addressRefusal, leave, visitOf } from "./tickets.ts";
import { countStart, spend } from "./usher.ts";
import { claimCalled, renew } from "./visits.ts";

/**
 * The open door: a permit at once for a visitor of a room without a line. A visitor who is inside
 * already, or whose turn it is, gets that visit and no other, whatever the room's mode.
 */
export const enter = (
  state: RoomState,
  lobby: LobbyIndex,
  op: Extract<Op, { op: "enter" }>,
  now: InstantMs,
): OpReply => {
  const { transient, visitor = null, number = null, address = null } = op;
  const known = visitOrTurn(state, { visitor, number, joinedAt: op.joinedAt ?? null }, now);
  if (known !== null) return known;
  if (modeOf(state, now) !== "open") return { kind: "queue" };
  const counted = transient ? state.answersPerAddress : state.addresses;
  const refusal = addressRefusal(state, counted, address, now);
  if (refusal !== null) {
    state.history.refused(refusal.refusal, now);
    return refusal;
  }
  // The number would be called now; entering at once spends it.
  if (number !== null) spend(state, number);
  // It counts as a call as well, so that calls and starts stay one forecast of each other.
  invariant(countStart(state, now), "an open room has room for a start");
  const entered = state.line.issue(lobby, "spent");
  const beginning = { number: entered, visitor, lobby, via: "door", transient } as const;
  const permit = begin(state, beginning, now);
  state.permits.admit(permit);
  state.history.count("issued", now);
  return visitReply(state, permit, true);
};

interface Comer {
  readonly visitor: VisitorId | null;
  readonly number: TicketNumber | null;
  readonly joinedAt: InstantMs | null;
}

/** The visit, or the call, that the visitor has already. Null where neither lets it in now. */
const visitOrTurn = (
  state: RoomState,
  { visitor, number, joinedAt }: Comer,
  now: InstantMs,
): OpReply | null => {
  const visit = visitOf(state, visitor);
  if (visit !== null) {
    if (number !== null && number !== visit) leave(state, number, now);
    return renew(state, visit, now);
  }
  const permit = number === null ? null : state.permits.of(number);
  if (permit?.state === "held") return renew(state, permit.number, now);
  return permit?.state === "called" ? claimCalled(state, permit, visitor, joinedAt, now) : null;
};
