/**
 * How a visit begins, and what lobbies and passes are told of one that lives. Its end is in
 * usher.ts.
 */
import type { LobbyIndex, TicketNumber, VisitorId } from "../ids.ts";
import type { HeldPermit, Via } from "../permits/permit.ts";
import { after, earliest, instant, type InstantMs } from "../time.ts";
import type { LiveVisit, OpReply } from "./commands.ts";
import type { HistoryCount } from "./history.ts";
import { PASS_MAX_MS } from "../token-lives.ts";
import type { RoomState } from "./state.ts";

/** The lease of a permit that lasts as long as one answer; its Worker renews it while it streams. */
export const TRANSIENT_LEASE_MS = 60_000;
const ENTRY: Record<Via, HistoryCount> = {
  usher: "entriesByUsher",
  baton: "entriesByBaton",
  door: "entriesByDoor",
};

export const leaseOf = (state: RoomState, transient: boolean): number =>
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

/** A visit for one request only has no pass, so nobody has to be told of its end. */
const hasPasses = ({ limits }: RoomState): boolean => limits.permit === "visit";

export const renewedPassesUntil = (
  state: RoomState,
  permit: Pick<HeldPermit, "leaseUntil" | "endsAt" | "passesUntil">,
  now: InstantMs,
): InstantMs => (hasPasses(state) ? passUntilOf(permit, now) : permit.passesUntil);

export const liveVisit = (state: RoomState, permit: HeldPermit): LiveVisit => ({
  visit: permit.number,
  epoch: state.epoch,
  leaseUntil: permit.leaseUntil,
  passUntil: permit.passesUntil,
  endsAt: permit.endsAt,
  provisional: permit.provisionalUntil !== null,
});

export const visitReply = (state: RoomState, permit: HeldPermit, isNew: boolean): OpReply => ({
  kind: "visit",
  isNew,
  visit: liveVisit(state, permit),
});

interface Beginning {
  readonly number: TicketNumber;
  /** Null where nobody could come back to the visit but by its pass. */
  readonly visitor: VisitorId | null;
  readonly lobby: LobbyIndex;
  readonly via: Via;
  readonly transient: boolean;
}

/** A visit begins now. The caller has asked the ring, and puts the permit into its slot. */
export const begin = (state: RoomState, beginning: Beginning, now: InstantMs): HeldPermit => {
  const { number, visitor, lobby, via, transient } = beginning;
  const leaseUntil = after(now, leaseOf(state, transient));
  const { visitMaxMs, claimWithinMs } = state.limits;
  const endsAt = visitMaxMs === null ? null : after(now, visitMaxMs);
  const provisional = via === "door" && !transient;
  state.history.count(ENTRY[via], now);
  if (!transient) state.happenings.note(number, "entered", now);
  state.estimator.lengths.began(number, state.limits.permitsMax);
  return {
    state: "held",
    number,
    // Absent rather than null: each permit is a row.
    ...(visitor === null ? {} : { visitor }),
    lobby,
    via,
    startedAt: now,
    leaseUntil,
    passesUntil: renewedPassesUntil(state, { leaseUntil, endsAt, passesUntil: now }, now),
    endsAt,
    released: false,
    provisionalUntil: provisional ? after(now, claimWithinMs) : null,
    transient,
  };
};
