import type { LobbyIndex, SlotIndex, TicketNumber, VisitId, VisitorId } from "../ids.ts";
import type { InstantMs } from "../time.ts";

/**
 * How a permit came to its holder: from the usher, straight from an ended visit (the baton), or at
 * once through the open door of a room without a line.
 */
export type Via = "usher" | "baton" | "door";

/** Offered to a number whose visitor has not come yet. */
export interface CalledPermit {
  readonly state: "called";
  readonly number: TicketNumber;
  readonly lobby: LobbyIndex;
  readonly via: Via;
  readonly calledAt: InstantMs;
  readonly claimBy: InstantMs;
  /** More time that operators have given to this call. */
  readonly givenMs?: number;
}

/** A visit that runs. */
export interface HeldPermit {
  readonly state: "held";
  readonly number: VisitId;
  /**
   * The visitor of the visit, where that is known: so a visitor who lost the pass is found again.
   */
  readonly visitor?: VisitorId | null;
  readonly lobby: LobbyIndex;
  readonly via: Via;
  readonly startedAt: InstantMs;
  readonly leaseUntil: InstantMs;
  /** No pass that was given for this visit is alive at or after this instant. */
  readonly passesUntil: InstantMs;
  /** Overtime, or the moment of a delayed release. */
  readonly endsAt: InstantMs | null;
  /** `endsAt` was set by a release: the visit is then finished, not in overtime. */
  readonly released: boolean;
  /** Until its pass has come back once, a visit through the door may be taken back after this. */
  readonly provisionalUntil: InstantMs | null;
  /** More time that operators have given to this visit, and until when its lease lasts by that. */
  readonly givenMs?: number;
  readonly givenUntil?: InstantMs;
  /** Lives only as long as one answer. */
  readonly transient: boolean;
}

export type Permit = CalledPermit | HeldPermit;

export interface PermitInSlot {
  readonly slot: SlotIndex;
  readonly permit: Permit;
}

/** When the usher has to look at the permit again. */
export const dueAt = (permit: Permit): InstantMs => {
  if (permit.state === "called") return permit.claimBy;
  const { leaseUntil, endsAt } = permit;
  return endsAt !== null && endsAt < leaseUntil ? endsAt : leaseUntil;
};
