/** Where a number stands, by what its lobby knows, or by asking the Room. */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { LobbyIndex, TicketNumber } from "../../core/ids.ts";
import { lastHeard, wasElsewhere } from "../../core/lobby/last-heard.ts";
import type { HeardTicket, OwnHearing } from "../../core/lobby/last-heard.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import { placeFrom } from "../../core/lobby/ticket-view.ts";
import type { LineOrder } from "../../core/line/order.ts";
import type { OpReply, Place } from "../../core/room/commands.ts";
import { after, isOver, type InstantMs } from "../../core/time.ts";
import type { LastUpdate } from "./last-update.ts";
import type { OpBatcher } from "./op-batcher.ts";

/** What the Room said longer ago is not given out: it is asked. */
const FRESH_MS = 3_000;
/** Beyond this many the oldest is forgotten, and the Room is asked. */
const PLACED_MAX = 8_192;

/** What the finder needs of its lobby. */
export interface PlaceSource {
  readonly lobby: LobbyIndex;
  readonly batcher: Pick<OpBatcher, "ask">;
  readonly presence: Presence;
  now(): InstantMs;
  heard(): LastUpdate | null;
  /** When the Room was first heard in this life of the lobby, on the Room's clock; null before. */
  heardRoomAt(): InstantMs | null;
}

export type RefusedOpReply = Extract<OpReply, { kind: "refused" }>;

/** Where the Room has put a number by itself, and in which order the line stood then. */
interface PlacedNumber {
  readonly place: Place;
  readonly at: InstantMs;
  readonly order: LineOrder | undefined;
}

export class PlaceFinder {
  readonly #source: PlaceSource;
  #placed = new BoundedMap<TicketNumber, PlacedNumber>(PLACED_MAX);

  constructor(source: PlaceSource) {
    this.#source = source;
  }

  /** As `placeHere`, unless another lobby has answered it since. */
  placeOf(ticket: HeardTicket): Place | null {
    const { number } = ticket;
    return wasElsewhere(ticket, this.hearing(number)) ? null : this.placeHere(number);
  }

  /** Where the number stands by what this lobby knows; null if the Room has to be asked. */
  placeHere(number: TicketNumber): Place | null {
    const { presence } = this.#source;
    const now = this.#source.now();
    const claimBy = presence.claimBy(number);
    if (claimBy !== null && !isOver(claimBy, now)) {
      return { number, state: "called", ahead: 0, claimBy };
    }
    if (!presence.isPresent(number)) return null;
    const heard = this.#source.heard();
    const isFresh = heard !== null && !isOver(after(heard.positionsAt, FRESH_MS), now);
    const table = isFresh ? heard.positionsTable : null;
    const listed = table === null ? null : placeFrom(table, number, heard?.order);
    return listed ?? this.#placedLately(number, now);
  }

  /** Tells the Room that the number is back. Null when it is spent or came too late. */
  async comeBack(ticket: HeardTicket): Promise<Place | RefusedOpReply | null> {
    const { number } = ticket;
    const heard = lastHeard(ticket, this.hearing(number));
    const reply = await this.#source.batcher.ask({ op: "rejoin", number, ...heard });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return null;
    this.standsAt(reply.place);
    return reply.place;
  }

  /**
   * Asks the Room about a number that its tables do not list; this is no sign of life of the
   * visitor.
   */
  async check(number: TicketNumber): Promise<Place | RefusedOpReply | null> {
    const { presence, batcher } = this.#source;
    const heardAt = presence.heardAt(number);
    if (heardAt === null) return null;
    const reply = await batcher.ask({ op: "rejoin", number, heardAt, exact: true });
    if (reply.kind === "refused") return reply;
    if (reply.kind !== "place") return null;
    presence.learned(number, reply.place.state === "waiting", reply.place.claimBy);
    return reply.place;
  }

  hearing(number: TicketNumber): OwnHearing {
    const { lobby, presence, heardRoomAt } = this.#source;
    return { lobby, heardAt: presence.heardAt(number), since: heardRoomAt() };
  }

  /** The Room has said so to its visitor, who is here. */
  standsAt(place: Place): void {
    const { number, state, claimBy } = place;
    if (state === "visiting" || state === "away") return;
    const now = this.#source.now();
    this.#source.presence.confirmed(number, claimBy, now);
    if (state === "waiting")
      this.#placed.set(number, { place, at: now, order: this.#source.heard()?.order });
  }

  forgetEverybody(): void {
    this.#placed = new BoundedMap(PLACED_MAX);
  }

  /** A page opens its socket just after it took its ticket: no table lists the number by then. */
  #placedLately(number: TicketNumber, now: InstantMs): Place | null {
    const placed = this.#placed.get(number);
    if (placed === undefined || isOver(after(placed.at, FRESH_MS), now)) return null;
    const heard = this.#source.heard();
    // A table that was made since should list it.
    if (heard === null || heard.order !== placed.order) return null;
    return placed.at < heard.positionsAt ? null : placed.place;
  }
}
