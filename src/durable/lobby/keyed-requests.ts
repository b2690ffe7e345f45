/**
 * Requests that are known by a key in place of a ticket. The places are kept in core/lobby/kept-
 * places.ts.
 */
import { LatestMap } from "../../core/collections/latest-map.ts";
import type { TicketNumber } from "../../core/ids.ts";
import { KEPT_PLACES_MAX, KeptPlaces } from "../../core/lobby/kept-places.ts";
import type { KeptPlace } from "../../core/lobby/kept-places.ts";
import type { LineOrder } from "../../core/line/order.ts";
import type { InstantMs } from "../../core/time.ts";
import type { WaitAsk } from "../contract.ts";
import type { WaitOutcome, WaitingRequests } from "./waiting-requests.ts";
import type { PlacesStore } from "./places-store.ts";

/** What keyed requests need of their lobby. */
export interface KeyedSource {
  readonly waitingRequests: Pick<WaitingRequests, "wait" | "stands">;
  readonly store: PlacesStore;
  now(): InstantMs;
  returnWindowMs(): number;
  order(): LineOrder;
}

/** The outcome of a wait, and since when its number stands in line. */
export interface KeyedOutcome {
  readonly outcome: WaitOutcome;
  readonly joinedAt: InstantMs;
}

/**
 * Requests whose clients bring no ticket back: one that is sent away leaves its place under its
 * client's key, and the next one of that key stands there as if it had brought the ticket. Requests
 * without a key pass through.
 */
export class KeyedRequests {
  readonly #source: KeyedSource;
  /** Null until a request with a key has come: other rooms need no table. */
  #places: KeptPlaces | null = null;
  /** Numbers that a key has taken up. The client that has the ticket may still come. */
  readonly #takenUp = new LatestMap<TicketNumber, true>(KEPT_PLACES_MAX);

  constructor(source: KeyedSource) {
    this.#source = source;
  }

  wait(ask: WaitAsk, isolate: string | null = null): Promise<KeyedOutcome> {
    const { key = null } = ask;
    return key === null ? this.#wait(ask, isolate) : this.#waitByKey(ask, key, isolate);
  }

  async #waitByKey(ask: WaitAsk, key: string, isolate: string | null): Promise<KeyedOutcome> {
    const place = this.#placeFor(key, ask.ticket?.number ?? null);
    try {
      const waited = await this.#wait(
        place === null ? ask : { ...ask, ticket: ticketOf(place) },
        isolate,
      );
      const { outcome, joinedAt } = waited;
      if (outcome.kind === "refused" && place !== null) this.#leave(place);
      // A client that has brought a ticket brings it again, and needs no place under its key.
      if (outcome.kind === "not-yet" && ask.ticket === null)
        this.#leave({ key, number: outcome.place.number, joinedAt, heardAt: this.#source.now() });
      return waited;
    } catch (error) {
      if (place !== null) this.#leave(place);
      throw error;
    }
  }

  /** The client of the number has given its place up. */
  forget(number: TicketNumber): void {
    this.#places?.forget(number);
    this.#save();
  }

  /** The store is empty. */
  forgetEverybody(): void {
    this.#places = null;
    this.#takenUp.clear();
  }

  async #wait(ask: WaitAsk, isolate: string | null): Promise<KeyedOutcome> {
    const { waitingRequests, now } = this.#source;
    const askedAt = now();
    const outcome = await waitingRequests.wait(ask, isolate);
    const isOld = outcome.kind === "not-yet" && outcome.place.number === ask.ticket?.number;
    return { outcome, joinedAt: isOld ? (ask.ticket?.joinedAt ?? askedAt) : askedAt };
  }

  /**
   * The place that is kept under this key, for a request that has none of its own. A ticket is a
   * place of its own, unless another request of the key took that place up and entered: then the
   * key's next place is given.
   */
  #placeFor(key: string, ticket: TicketNumber | null): KeptPlace | null {
    const places = this.#load();
    const windowMs = this.#source.returnWindowMs();
    const now = this.#source.now();
    places.expire(windowMs, now);
    if (ticket !== null) places.forget(ticket);
    const isOwn =
      ticket !== null &&
      (!this.#takenUp.has(ticket) || this.#source.waitingRequests.stands(ticket));
    const place = isOwn ? null : places.takeUp(key, windowMs, now, this.#source.order());
    if (place !== null) this.#remember(place.number);
    this.#save();
    return place;
  }

  /**
   * Leaves the place under its key, unless a request with its ticket stands for the number by now.
   */
  #leave(place: KeptPlace): void {
    if (this.#source.waitingRequests.stands(place.number)) return;
    this.#takenUp.delete(place.number);
    this.#load().leave(place);
    this.#save();
  }

  #load(): KeptPlaces {
    this.#places ??= new KeptPlaces(this.#source.store.load());
    return this.#places;
  }

  #save(): void {
    if (this.#places !== null) this.#source.store.write(this.#places.drainChanges());
  }

  #remember(number: TicketNumber): void {
    this.#takenUp.put(number, true);
  }
}

const ticketOf = ({ number, joinedAt, heardAt }: KeptPlace) => ({ number, joinedAt, heardAt });
