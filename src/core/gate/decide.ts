/**
 * What becomes of a request for a path that a room guards: the gate's one decision, from what is known
 * of the room, of the caller and of what it brings. Nothing is asked or spent here: the Worker performs
 * what is decided, and comes back where an answer decides more.
 */
import type { RoomDefinition, RoomLimits } from "../definition.ts";
import type { RoomSnapshot } from "../snapshot.ts";

/** What kind of program sent a request, as far as its answer is concerned. */
export type CallerKind = "document" | "json" | "subresource";

/** What the gate knows of a request before it asks anybody. */
export interface GateFacts {
  readonly room: Pick<RoomDefinition, "queueingMethod" | "onFailure"> & {
    readonly limits: Pick<RoomLimits, "permit" | "suspended">;
  };
  /** The newest that the isolate has; null before the first. */
  readonly snapshot: Pick<RoomSnapshot, "mode" | "visiting"> | null;
  /** No snapshot can be had, and the last one is too old to be believed. */
  readonly isLost: boolean;
  readonly kind: CallerKind;
  readonly method: string;
  readonly isPreflight: boolean;
  readonly isUpgrade: boolean;
  /** Fetched in advance: nobody may ever look at it. */
  readonly isSpeculative: boolean;
  readonly hasTicket: boolean;
  readonly hasVisitorId: boolean;
}

/** What is done with a request, whatever it brings. look-at-pass: the pass decides. */
export type FirstDecision =
  | { readonly kind: "pass-on-free" }
  | { readonly kind: "pass-on-preflight" }
  | {
      readonly kind: "exempt-or";
      readonly otherwise: FailureDecision | { readonly kind: "wait-here" };
    }
  | { readonly kind: "look-at-pass" };

/** The room cannot be reached; the operator said beforehand what then holds. */
export type FailureDecision =
  | { readonly kind: "pass-on-unguarded" }
  | { readonly kind: "unavailable" };

/**
 * enter: ask for a visit, or for a permit for this answer alone; where the door says no, decide again
 * with `decidePlace` · newcomer: the page, and a visitor id to come back with · without-place: the page
 * · tell-place: where the ticket stands, no more · take-place: a ticket, and in if it is called
 */
export type PlaceDecision = {
  readonly kind: "newcomer" | "without-place" | "tell-place" | "take-place";
};
export type DoorDecision =
  | PlaceDecision
  | { readonly kind: "enter"; readonly stays: "for-visit" | "for-answer" };

/**
 * The room is suspended, by the newest snapshot or else its definition, or it queues nobody ever.
 */
export const letsEveryoneThrough = ({ room, snapshot, isLost }: GateFacts): boolean => {
  if (room.queueingMethod === "passthrough") return true;
  return snapshot !== null && !isLost ? snapshot.mode === "suspended" : room.limits.suspended;
};

export const decideFirst = (facts: GateFacts): FirstDecision => {
  if (letsEveryoneThrough(facts)) return { kind: "pass-on-free" };
  if (facts.isPreflight) return { kind: "pass-on-preflight" };
  if (facts.room.limits.permit === "visit") return { kind: "look-at-pass" };
  return { kind: "exempt-or", otherwise: facts.isLost ? failure(facts) : { kind: "wait-here" } };
};

/**
 * Without a pass that lives, and without an exemption. none: there is none · ended: its visit is
 * over · unknown: no object can say just now whether it lives, so the request is not let in.
 */
export const decideWithoutPass = (
  facts: GateFacts,
  pass: "none" | "ended" | "unknown",
): FailureDecision | { readonly kind: "queue" } =>
  pass === "unknown" || facts.isLost ? failure(facts) : { kind: "queue" };

/** An object that was needed could not be reached. */
export const failure = ({ room }: GateFacts): FailureDecision => ({
  kind: room.onFailure === "open" ? "pass-on-unguarded" : "unavailable",
});

/** Without a live pass, while the room can be reached. An open room is entered at once. */
export const decideAtDoor = (facts: GateFacts): DoorDecision => {
  if (facts.snapshot?.mode !== "open") return decidePlace(facts);
  if (mayNotEnter(facts)) return { kind: "newcomer" };
  if (facts.hasTicket && mayQueue(facts)) return decidePlace(facts);
  return { kind: "enter", stays: staysForVisit(facts) ? "for-visit" : "for-answer" };
};

/** For those who do not enter at once. */
export const decidePlace = (facts: GateFacts): PlaceDecision => {
  const { snapshot, hasTicket, hasVisitorId } = facts;
  // Those who hold a place are heard, and while visits last, those who may have lost their pass.
  const mayBeKnown = hasTicket || (hasVisitorId && snapshot?.visiting !== 0);
  if (snapshot?.mode === "closed" && !(mayBeKnown && mayQueue(facts)))
    return { kind: "without-place" };
  if (hasTicket && isAppThatCannotJoin(facts)) return { kind: "tell-place" };
  return { kind: hasVisitorId && mayQueue(facts) ? "take-place" : "newcomer" };
};

/** May this request take a place, or keep one? Only one that a person or an app waits with. */
export const mayJoin = ({ kind, method, isSpeculative }: GateFacts): boolean =>
  kind !== "subresource" && method === "GET" && !isSpeculative;

/** A person or an app that brings neither ticket nor visitor id: counted as an arrival. */
export const isFirstContact = (facts: GateFacts): boolean =>
  facts.kind !== "subresource" &&
  facts.method !== "HEAD" &&
  !facts.isSpeculative &&
  !facts.hasTicket &&
  !facts.hasVisitorId;

/** Nobody waits before such a room, whatever its state: a visitor who finds it full is turned away. */
export const turnsAway = ({ queueingMethod }: Pick<RoomDefinition, "queueingMethod">): boolean =>
  queueingMethod === "reject";

const mayQueue = (facts: GateFacts): boolean => hasLine(facts) && mayJoin(facts);

const hasLine = ({ room }: GateFacts): boolean =>
  room.queueingMethod === "fifo" || room.queueingMethod === "random";

/**
 * Nobody may ever look at what is fetched in advance, and at the click no visit would be counted; a
 * socket lasts as long as its client likes. Both need the pass that the page's visitor has.
 */
const mayNotEnter = ({ isSpeculative, isUpgrade }: GateFacts): boolean =>
  isSpeculative || isUpgrade;

const staysForVisit = ({ method, kind, hasVisitorId }: GateFacts): boolean =>
  method !== "HEAD" && (kind === "document" || hasVisitorId);

/** An app's POST takes no place and no turn, but it may hear of its ticket. */
const isAppThatCannotJoin = (facts: GateFacts): boolean =>
  facts.kind === "json" && facts.method !== "GET" && facts.method !== "HEAD" && hasLine(facts);
