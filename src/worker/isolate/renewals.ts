import type { RoomDefinition } from "../../core/definition.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { VisitReply } from "../../durable/contract.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { PassClaims } from "../tokens/claims.ts";
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import { callObject } from "./call-object.ts";
import { StaleWhileRevalidate } from "./stale-while-revalidate.ts";
import { lobbyOf } from "./room-views.ts";
import type { Ports } from "../platform/ports.ts";

/** A page and its forty pictures come with one old pass: they share one renewal. */
const TIMES = {
  freshMs: 2 * SECOND_MS,
  staleMs: 2 * SECOND_MS,
  waitMs: 2 * SECOND_MS,
  lapseMs: 3 * SECOND_MS,
  pauseMs: SECOND_MS,
};
const VISITS_MAX = 4_096;

/** The latest renewals that this isolate asked for. */
export class Renewals {
  readonly #ports: Ports;
  readonly #visits = new BoundedMap<string, StaleWhileRevalidate<VisitReply>>(VISITS_MAX);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** Renews the lease of the pass's visit. Null when the lobby cannot be reached in time. */
  async renew(
    arrival: Arrival,
    room: RoomDefinition,
    pass: PassClaims,
  ): Promise<VisitReply | null> {
    const kept = this.#keptOf(`${room.id}/${pass.visit}`);
    const ask = async () => {
      const takenAt = this.#ports.now();
      const lobby = () => lobbyOf(arrival, room, pass.lobby);
      return { value: await callObject(this.#ports, () => lobby().renew(pass.visit)), takenAt };
    };
    const taken = await kept.read(ask, arrival.waitUntil);
    return taken !== null && kept.ageMs < TIMES.staleMs + TIMES.waitMs ? taken.value : null;
  }

  #keptOf(key: string): StaleWhileRevalidate<VisitReply> {
    return this.#visits.getOrMake(
      key,
      () => new StaleWhileRevalidate<VisitReply>(this.#ports, TIMES),
    );
  }
}
