/** The ticket as JSON: the one shape of the visitor API and of JSON answers at the gate. */
import type { RoomDefinition } from "../../core/definition.ts";
import type { RoomSnapshot } from "../../core/snapshot.ts";
import { rfc3339 } from "../../core/time.ts";
import type { EtaUnknown } from "../../core/estimate/eta.ts";
import type { Eta, TicketView } from "../../durable/contract.ts";
import { PREFIX } from "../../durable/contract.ts";
import { isUndrawn } from "../../core/lobby/event-places.ts";
import { eventIn, type EventResource } from "../../core/events/resource.ts";
import type { EndedVisitResource } from "./ended-visit.ts";

/** The estimate as it leaves us. */
export interface EtaResource {
  readonly known: boolean;
  readonly seconds: number | null;
  readonly low: number | null;
  readonly high: number | null;
  /** Why it is unknown; only then. */
  readonly reason?: EtaUnknown;
}

/** A visitor's place, as the visitor API and JSON clients see it. */
export interface TicketResource {
  readonly room: string;
  readonly number: number | null;
  readonly state: "none" | "waiting" | "called" | "away" | "visiting";
  readonly ahead: number | null;
  /** Where turns are drawn, so that nobody is ahead of anybody: among how many. */
  readonly among?: number;
  readonly eta: EtaResource;
  readonly claim_by: string | null;
  readonly poll_after_seconds: number;
  /** The proof; `number` is for display. */
  readonly ticket: string | null;
  readonly page: string;
  /** What is going on in the room; only while there is something. */
  readonly event?: EventResource;
  /** A ticket of this room takes a proof, in `POST tickets`. */
  readonly proof_needed?: true;
  /** How the visitor's last visit ended, where they wait after one. */
  readonly ended?: EndedVisitResource;
}

/** Until there is a ticket a client comes back soon: the second contact takes one. */
export const FIRST_POLL_SECONDS = 2;

export const ticketResource = (
  room: RoomDefinition,
  view: TicketView,
  snapshot: RoomSnapshot | null,
  token: string | null,
  page: string,
): TicketResource => ({
  room: room.name,
  number: view.number,
  state: view.state,
  ahead: view.ahead,
  ...(view.among === undefined ? {} : { among: view.among }),
  eta: etaResource(view.eta),
  claim_by: view.claimBy === null ? null : rfc3339(view.claimBy),
  poll_after_seconds: view.pollAfterSeconds,
  ticket: token,
  page,
  ...eventIn(snapshot),
});

/** Before there is a ticket: how many would be ahead of a new one, and how long that takes. */
export const noTicketResource = (
  room: RoomDefinition,
  snapshot: RoomSnapshot | null,
  page: string,
): TicketResource => ({
  room: room.name,
  number: null,
  state: "none",
  ...newcomersPlace(room, snapshot),
  eta: etaResource(snapshot?.newcomer ?? { known: false, reason: "unheard" }),
  claim_by: null,
  poll_after_seconds: FIRST_POLL_SECONDS,
  ticket: null,
  page,
  ...eventIn(snapshot),
});

const newcomersPlace = (room: RoomDefinition, snapshot: RoomSnapshot | null) =>
  snapshot !== null && (room.queueingMethod === "random" || isUndrawn(snapshot.event))
    ? { ahead: null, among: snapshot.waiting + 1 }
    : { ahead: snapshot?.waiting ?? null };

export const etaResource = (eta: Eta): EtaResource =>
  eta.known
    ? { known: true, seconds: eta.seconds, low: eta.low, high: eta.high }
    : { known: false, seconds: null, low: null, high: null, reason: eta.reason };

/** Where the visitor API of a room lives. */
export const apiBase = (room: RoomDefinition): string => `${PREFIX}/rooms/${room.name}`;

/** `apiBase` by the room's id, for pages that stay open while the room may be renamed. */
export const lastingApiBase = (room: RoomDefinition): string => `${PREFIX}/rooms/${room.id}`;

/** The room's page on its own; it leads to `to` when it is the visitor's turn. */
export const waitPage = (room: RoomDefinition, to: string | null): string =>
  `${apiBase(room)}/wait${to === null ? "" : `?to=${encodeURIComponent(to)}`}`;
