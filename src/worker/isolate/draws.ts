/**
 * The draws of rooms, as this isolate knows them: everybody who took part may ask at once, so the Room
 * is asked once in some seconds, and ranks are worked out here.
 */
import { BoundedMap } from "../../core/collections/bounded-map.ts";
import type { RoomDefinition } from "../../core/definition.ts";
import { DrawnOrder } from "../../core/draw/drawn-order.ts";
import { bytesOfHex } from "../../core/hex.ts";
import type { RoomId, TicketNumber } from "../../core/ids.ts";
import type { NamedDraw, RoomDrawRecord } from "../../core/room/draw-state.ts";
import { SECOND_MS } from "../../core/time.ts";
import type { Arrival } from "../arrival/arrival.ts";
import type { Ports } from "../platform/ports.ts";
import { callObject, unreachable } from "./call-object.ts";
import { StaleWhileRevalidate } from "./stale-while-revalidate.ts";
import { roomObject } from "../platform/room-object.ts";

const TIMES = {
  freshMs: 2 * SECOND_MS,
  staleMs: 4 * SECOND_MS,
  waitMs: 2 * SECOND_MS,
  lapseMs: 3 * SECOND_MS,
  pauseMs: SECOND_MS,
};
const ROOMS_MAX = 200;
/** An order of a million numbers keeps 100 KB, one of 2^26 numbers 800 KB. */
const ORDERS_MAX = 8;

export class DrawMemory {
  readonly #ports: Ports;
  readonly #rooms = new BoundedMap<RoomId, StaleWhileRevalidate<readonly NamedDraw[]>>(ROOMS_MAX);
  readonly #orders = new BoundedMap<string, DrawnOrder>(ORDERS_MAX);
  readonly #newRoom = () => new StaleWhileRevalidate<readonly NamedDraw[]>(this.#ports, TIMES);

  constructor(ports: Ports) {
    this.#ports = ports;
  }

  /** By the id of an event or by its name, in any case: paths of ours have none. Null: no such draw. */
  async find(arrival: Arrival, room: RoomDefinition, of: string): Promise<RoomDrawRecord | null> {
    const kept = this.#rooms.getOrMake(room.id, this.#newRoom);
    const ask = async () => ({
      value: await callObject(this.#ports, () => roomObject(arrival.env, room).draws()),
      takenAt: this.#ports.now(),
    });
    const taken = await kept.read(ask, arrival.waitUntil);
    if (taken === null || kept.ageMs > TIMES.staleMs) throw unreachable(kept.failure);
    const draws = taken.value;
    const found =
      draws.find(({ record }) => record.event === of) ??
      draws.find(({ name }) => name.toLowerCase() === of.toLowerCase());
    return found?.record ?? null;
  }

  /** A value was entered through this isolate: whoever asks next sees the draw. */
  expire(room: RoomDefinition): void {
    this.#rooms.get(room.id)?.expire();
  }

  /** Null before the draw, and for a number that is not in it. */
  rankOf({ closed, drawn }: RoomDrawRecord, number: TicketNumber): number | null {
    if (closed === null || drawn === null) return null;
    const { first, last } = closed;
    const key = `${first}/${last}/${drawn.seed}`;
    const order = this.#orders.getOrMake(
      key,
      () => new DrawnOrder(bytesOfHex(drawn.seed) ?? new Uint8Array(), { first, last }),
    );
    return order.rankOf(number);
  }
}
