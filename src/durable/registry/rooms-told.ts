/** Tells Rooms what became of them: before a change is answered, or else by the Registry's alarm. */
import { roomIdIn, type RoomAddress } from "../../core/regions/address.ts";
import { roomAt, type ObjectsOf } from "../../core/regions/objects.ts";
import { instant, type InstantMs } from "../../core/time.ts";
import type { RoomRpc } from "../contract.ts";
import { logFailure } from "../log.ts";
import type { DeletedRooms } from "./deleted-rooms.ts";
import type { RegistryStore } from "./store.ts";
import { tellRoom } from "./tell-room.ts";
import type { WakeUps } from "../wake-ups.ts";

/** Rooms told at once by the alarm. */
const TELL_TOGETHER = 20;
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 60_000;

export type RoomsToTell = ObjectsOf<Pick<RoomRpc, "configure" | "retire" | "erase">>;

/** What they are to be told stands in the outbox of the store. */
export class RoomsTold {
  readonly #wakeUps: WakeUps;
  readonly #rooms: RoomsToTell;
  readonly #store: RegistryStore;
  readonly #deleted: DeletedRooms;
  /** One conversation with a Room at a time, so that an older setting never arrives last. */
  readonly #telling = new Map<RoomAddress, Promise<void>>();
  #retryMs = RETRY_FIRST_MS;
  #retryAt: InstantMs | null = null;

  constructor(wakeUps: WakeUps, rooms: RoomsToTell, store: RegistryStore, deleted: DeletedRooms) {
    this.#wakeUps = wakeUps;
    wakeUps.add(() => this.#nextAt());
    this.#rooms = rooms;
    this.#store = store;
    this.#deleted = deleted;
  }

  /** The alarm is set before the call: if we die in it, the Room is told all the same. */
  async beforeAnswering(room: RoomAddress): Promise<void> {
    if (this.#store.outboxOf(room) === null) return;
    await this.expectRetry();
    await this.#tell(room);
    await this.#restIfAllTold();
  }

  /** At an alarm. */
  async tellAll(): Promise<void> {
    const untold = this.#store.outbox();
    if (untold.length === 0) return this.#restIfAllTold();
    this.#retryMs = Math.min(this.#retryMs * 2, RETRY_MAX_MS);
    this.#retryAt = null;
    await this.expectRetry();
    for (let next = 0; next < untold.length; next += TELL_TOGETHER) {
      const together = untold.slice(next, next + TELL_TOGETHER);
      await Promise.all(together.map(({ room }) => this.#tell(room)));
    }
    await this.#restIfAllTold();
  }

  /** The alarm stands at the next moment that has something to do, or earlier. */
  async expectRetry(): Promise<void> {
    if (this.#store.outbox().length > 0) this.#retryAt ??= instant(Date.now() + this.#retryMs);
    await this.#wakeUps.settle();
  }

  #nextAt(): InstantMs | null {
    const retryAt = this.#store.outbox().length === 0 ? null : this.#retryAt;
    return retryAt ?? this.#deleted.nextDueAt();
  }

  #tell(room: RoomAddress): Promise<void> {
    const turn = (this.#telling.get(room) ?? Promise.resolve()).then(() => this.#tellNow(room));
    this.#telling.set(room, turn);
    return turn.finally(() => {
      if (this.#telling.get(room) === turn) this.#telling.delete(room);
    });
  }

  /** Never throws: a Room that cannot be reached stays untold, and the alarm tries again. */
  async #tellNow(room: RoomAddress): Promise<void> {
    const untold = this.#store.outboxOf(room);
    if (untold === null) return;
    try {
      // A stub is broken after an exception, so each try takes a new one.
      const stub = roomAt(this.#rooms, room);
      const id = roomIdIn(room);
      const definition = untold.act === "configure" ? this.#store.room(id) : null;
      const deleted = untold.act === "retire" ? this.#deleted.byId(id) : null;
      await tellRoom(stub, { definition, deleted });
      this.#store.deleteOutbox(untold);
    } catch (error) {
      logFailure("room-untold", error, { room: roomIdIn(room), act: untold.act });
    }
  }

  async #restIfAllTold(): Promise<void> {
    if (this.#store.outbox().length > 0) return;
    this.#retryMs = RETRY_FIRST_MS;
    this.#retryAt = null;
    await this.#wakeUps.settle();
  }
}
