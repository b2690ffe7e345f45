import type { TicketNumber } from "../core/ids.ts";
import type { Presence } from "../core/lobby/presence.ts";
import { etaFor, nextPositionMs, placeFrom } from "../core/lobby/ticket-view.ts";
import type { Call, Notice, Place, Tidings } from "../core/room/commands.ts";
import { rfc3339, type InstantMs } from "../core/time.ts";
import type { LobbySockets } from "./lobby-sockets.ts";
import { logFailure } from "./log.ts";

interface Told {
  at: InstantMs;
  ahead: number;
}

/** Speaks to the visitors of a lobby over their sockets: calls first, then positions, in slices. */
export class LobbySpeaker {
  readonly #sockets: LobbySockets;
  readonly #presence: Presence;
  readonly #told = new Map<TicketNumber, Told>();
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

  position(place: Place, notice: Notice, now: InstantMs): void {
    this.#told.set(place.number, { at: now, ahead: place.ahead });
    this.#sockets.tell(place.number, positionMessage(place, notice, now));
  }

  /** Everybody whose news is due, the lowest numbers first. One round at a time. */
  positions(tidings: Tidings, notice: Notice, now: InstantMs): void {
    if (this.#telling) return;
    this.#telling = true;
    this.#tellDue(tidings, notice, now)
      .catch((error: unknown) => logFailure("lobby-positions", error))
      .finally(() => {
        this.#telling = false;
      });
  }

  broadcast(message: unknown): void {
    const text = JSON.stringify(message);
    this.#sockets
      .tellMany([...this.#sockets.numbers()], () => text)
      .catch((error: unknown) => logFailure("lobby-broadcast", error));
  }

  forget(number: TicketNumber): void {
    this.#told.delete(number);
  }

  async #tellDue(tidings: Tidings, notice: Notice, now: InstantMs): Promise<void> {
    const numbers = [...this.#sockets.numbers()].sort((a, b) => a - b);
    await this.#sockets.tellMany(numbers, (number) => this.#due(number, tidings, notice, now));
    for (const number of this.#told.keys()) {
      if (this.#sockets.of(number).size === 0) this.#told.delete(number);
    }
  }

  #due(number: TicketNumber, tidings: Tidings, notice: Notice, now: InstantMs): string | null {
    if (!this.#presence.isPresent(number)) return null;
    const place = placeFrom(tidings, number);
    const told = this.#told.get(number);
    const due = told === undefined || now - told.at >= nextPositionMs(number, place.ahead);
    if (!due) return null;
    // Near the head a position that has not changed is not repeated each tick.
    if (told !== undefined && told.ahead === place.ahead && now - told.at < 10_000) return null;
    this.#told.set(number, { at: now, ahead: place.ahead });
    return positionMessage(place, notice, now);
  }
}

const positionMessage = (place: Place, notice: Notice, now: InstantMs): string =>
  JSON.stringify({
    type: "position",
    number: place.number,
    state: place.state,
    ahead: place.ahead,
    eta: etaFor(notice.pace, place, now),
    claim_by: place.claimBy === null ? null : rfc3339(place.claimBy),
    waiting: notice.waiting,
  });
