/** What an operator is told of one visitor. Nothing of it names a person or an address. */
import { etaOf, type Eta } from "../estimate/eta.ts";
import type { TicketNumber } from "../ids.ts";
import type { HeldPermit, Via } from "../permits/permit.ts";
import { after, type InstantMs } from "../time.ts";
import type { TicketState } from "./commands.ts";
import type { HappenedKept, Happening } from "./happenings.ts";
import { HISTORY_KEPT_MS } from "./history.ts";
import type { RoomState } from "./state.ts";
import { placeOf } from "./tickets.ts";
import { MISSES_MAX } from "./usher.ts";
import { waitTableOf } from "./view.ts";
import type { VisitEnd } from "./visit-ends.ts";

/** One number, how it stands, and what has happened to it as far as the Room remembers. */
export interface VisitorFound {
  readonly number: TicketNumber;
  readonly state: TicketState | "ended";
  /** Null where nobody is ahead of anybody, and of who does not wait. */
  readonly ahead: number | null;
  /** Null of who does not wait. */
  readonly eta: Eta | null;
  readonly claimBy: InstantMs | null;
  /** The visit that runs. */
  readonly visit: VisitFound | null;
  /** Calls that nobody came to, and with how many the number is spent. */
  readonly misses: number;
  readonly missesMax: number;
  /** More time that operators have given to this call, or this visit. */
  readonly givenMs: number;
  /** Where it is remembered. */
  readonly joinedAt: InstantMs | null;
  /** How its visit ended, where that is remembered. */
  readonly end: VisitEnd | null;
  readonly happenings: readonly Happening[];
  /** What happened before is forgotten. */
  readonly rememberedSince: InstantMs;
}

export interface VisitFound {
  readonly via: Via;
  readonly startedAt: InstantMs;
  readonly leaseUntil: InstantMs;
  readonly endsAt: InstantMs | null;
  /** The site has ended it already, and it only runs out. */
  readonly isLeaving: boolean;
}

const visitFound = (permit: HeldPermit): VisitFound => {
  const { via, startedAt, leaseUntil, endsAt, released } = permit;
  return { via, startedAt, leaseUntil, endsAt, isLeaving: released };
};

/** Only of a number that was issued. */
export const visitorFound = (
  state: RoomState,
  number: TicketNumber,
  kept: HappenedKept | null,
  now: InstantMs,
): VisitorFound => {
  const place = placeOf(state, number);
  const permit = state.permits.of(number);
  const inLine = place?.state === "waiting" || place?.state === "away";
  const notBefore = after(now, -HISTORY_KEPT_MS);
  const happenings = state.happenings.of(number, kept, notBefore);
  return {
    number,
    state: place?.state ?? "ended",
    ahead: inLine ? place.ahead : null,
    eta: inLine ? etaOf(waitTableOf(state, now), place.ahead ?? 0, now) : null,
    claimBy: place?.claimBy ?? null,
    visit: permit?.state === "held" ? visitFound(permit) : null,
    misses: state.misses.get(number) ?? 0,
    missesMax: MISSES_MAX,
    givenMs: permit?.givenMs ?? 0,
    joinedAt: happenings.find(({ what }) => what === "joined")?.at ?? null,
    end: place === null ? state.ends.of(number) : null,
    happenings,
    rememberedSince: state.happenings.since(kept, notBefore),
  };
};
