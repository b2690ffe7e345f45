/**
 * What a lobby sends to its visitors' sockets, and when. The sockets themselves are in sockets.ts.
 */
import type { CurrentEvent } from "../../core/events/event.ts";
import type { TicketNumber } from "../../core/ids.ts";
import type { Presence } from "../../core/lobby/presence.ts";
import { LineOrder, type Spot } from "../../core/line/order.ts";
import { placeTold } from "../../core/lobby/event-places.ts";
import { rankAmong, returnAfterMs } from "../../core/lobby/returns.ts";
import { etaFor, nextPositionMs, placeFrom } from "../../core/lobby/ticket-view.ts";
import type { Call, RoomStatus, Place, PositionsTable } from "../../core/room/commands.ts";
import { eventResource } from "../../core/events/resource.ts";
import { rfc3339, type InstantMs } from "../../core/time.ts";
import type { LobbySockets } from "./sockets.ts";
import { logFailure } from "../log.ts";

interface SentPosition {
  at: InstantMs;
  ahead: number;
}

const standingOf = ({ ahead, among = 0 }: Place): number => ahead ?? among;

/** Speaks to the visitors of a lobby over their sockets: calls first, then positions, in slices. */
export class Broadcasts {
  readonly #sockets: LobbySockets;
  readonly #presence: Presence;
  readonly #told = new Map<TicketNumber, SentPosition>();
  /** Of all numbers with sockets, as of the last round, ascending. */
  #spots = new Float64Array(0);
  #order = LineOrder.plain;
  #telling = false;

  constructor(sockets: LobbySockets, presence: Presence) {
    this.#sockets = sockets;
    this.#presence = presence;
  }

  call({ number, claimBy }: Call): void {
    const claim_by = rfc3339(claimBy);
    this.#sockets.tell(number, JSON.stringify({ type: "called", number, claim_by }));
  }

  askReady(numbers: readonly TicketNumber[]): void {
    for (const number of numbers) this.#sockets.tell(number, '{"type":"ready?"}');
  }

  position(at: Place, roomStatus: RoomStatus, now: InstantMs): void {
    const place = placeTold(at, roomStatus);
    this.#told.set(place.number, { at: now, ahead: standingOf(place) });
    // A page that was made, or lost its socket, before the room paused, closed or said something, or before one
    // of these was over, has not heard of it.
    const closed = roomStatus.closed !== null;
    const { message } = roomStatus;
    const paused = roomStatus.mode === "paused";
    const before = rankAmong(this.#spots, this.#order.spotOf(place.number));
    const position = { ...positionOf(place, before, roomStatus, now), closed, paused, message };
    this.#sockets.tell(place.number, JSON.stringify(position));
    if (roomStatus.event !== undefined)
      this.#sockets.tell(place.number, JSON.stringify(eventMessage(roomStatus, now)));
    if (message !== null)
      this.#sockets.tell(place.number, JSON.stringify({ type: "message", text: message }));
    if (paused) this.#sockets.tell(place.number, '{"type":"paused","paused":true}');
    if (closed)
      this.#sockets.tell(place.number, JSON.stringify({ type: "closed", text: roomStatus.closed }));
  }

  /** Sends a position to each number that is due one, the foremost first. One round at a time. */
  positions(
    positionsTable: PositionsTable,
    order: LineOrder,
    roomStatus: RoomStatus,
    now: InstantMs,
  ): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#order = order;
    this.#tellDue((number, before) =>
      this.#due(number, before, positionsTable, order, roomStatus, now),
    )
      .catch((error: unknown) => logFailure("lobby-positions", error))
      .finally(() => {
        this.#telling = false;
      });
  }

  /** Tells all sockets what changed for the room as a whole. */
  changes(before: RoomStatus, roomStatus: RoomStatus, now: InstantMs): void {
    if (!isSameEvent(before.event, roomStatus.event)) {
      this.#broadcast(eventMessage(roomStatus, now));
    }
    if (before.message !== roomStatus.message) {
      this.#broadcast({ type: "message", text: roomStatus.message });
    }
    if (before.closed !== roomStatus.closed && roomStatus.closed !== null) {
      this.#broadcast({ type: "closed", text: roomStatus.closed });
    }
    const paused = roomStatus.mode === "paused";
    if ((before.mode === "paused") !== paused) this.#broadcast({ type: "paused", paused });
    const reopened = before.closed !== null && roomStatus.closed === null;
    const mode = before.mode !== roomStatus.mode ? roomStatus.mode : null;
    // The page was made with the words of the other order.
    const reordered = before.drawn !== roomStatus.drawn;
    // The page was made without the words of events.
    const begun = before.event === undefined && roomStatus.event?.phase === "prequeue";
    if (reopened || reordered || begun || mode === "suspended") this.#broadcast({ type: "reload" });
  }

  forget(number: TicketNumber): void {
    this.#told.delete(number);
  }

  #broadcast(message: unknown): void {
    const text = JSON.stringify(message);
    this.#sockets
      .tellMany([...this.#sockets.numbers()], () => text)
      .catch((error: unknown) => logFailure("lobby-broadcast", error));
  }

  async #tellDue(due: (number: TicketNumber, before: number) => string | null): Promise<void> {
    const order = this.#order;
    const spots = Float64Array.from(this.#sockets.numbers(), (number) => order.spotOf(number));
    this.#spots = spots.sort();
    const numbers = Array.from(spots, (spot) => order.numberAt(spot as Spot));
    let before = 0;
    await this.#sockets.tellMany(numbers, (number) => due(number, before++));
    for (const number of this.#told.keys()) {
      if (this.#sockets.of(number).size === 0) this.#told.delete(number);
    }
  }

  #due(
    number: TicketNumber,
    before: number,
    positionsTable: PositionsTable,
    order: LineOrder,
    roomStatus: RoomStatus,
    now: InstantMs,
  ): string | null {
    if (!this.#presence.isPresent(number)) return null;
    const at = placeFrom(positionsTable, number, order);
    if (at === null) return null;
    const place = placeTold(at, roomStatus);
    const told = this.#told.get(number);
    const due = told === undefined || now - told.at >= nextPositionMs(place);
    if (!due) return null;
    // Near the head a position that has not changed is not repeated each tick.
    if (told !== undefined && told.ahead === standingOf(place) && now - told.at < 10_000)
      return null;
    this.#told.set(number, { at: now, ahead: standingOf(place) });
    return JSON.stringify(positionOf(place, before, roomStatus, now));
  }
}

const isSameEvent = (before: CurrentEvent | undefined, event: CurrentEvent | undefined): boolean =>
  before?.id === event?.id &&
  before?.phase === event?.phase &&
  before?.startsAt === event?.startsAt &&
  before?.shuffle === event?.shuffle;

/** With the Room's own time, by which pages count down. */
const eventMessage = ({ event }: RoomStatus, now: InstantMs) => ({
  type: "event",
  event: event === undefined ? null : eventResource(event),
  now: rfc3339(now),
});

const positionOf = (place: Place, before: number, roomStatus: RoomStatus, now: InstantMs) => {
  const eta = etaFor(roomStatus.waits, place, now);
  const returnMs = returnAfterMs(before, place.ahead ?? 0, eta, nextPositionMs(place));
  return {
    type: "position",
    number: place.number,
    state: place.state,
    ahead: place.ahead,
    ...(place.among === undefined ? {} : { among: place.among }),
    eta,
    claim_by: place.claimBy === null ? null : rfc3339(place.claimBy),
    waiting: roomStatus.waiting,
    ...(returnMs === 0 ? {} : { return_after_ms: returnMs }),
  };
};
