/** Rooms that were deleted and can be restored: one table of the Registry, no clock, no calls. */
import { definitionFromStore } from "../../core/room/limits.ts";
import type { RoomId } from "../../core/ids.ts";
import { after, isOver, type InstantMs } from "../../core/time.ts";
import { RESTORABLE_MS, type DeletedRoom } from "../contract.ts";

/**
 * How many deleted rooms are kept: with one more, the one deleted first is erased before its day is
 * over.
 */
export const DELETED_ROOMS_MAX = 100;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS deleted_rooms (
    id TEXT PRIMARY KEY,
    deleted_at INTEGER NOT NULL,
    definition TEXT NOT NULL
  )`;

type Row = { readonly definition: string; readonly deleted_at: number };

export class DeletedRooms {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(SCHEMA);
  }

  put({ room, deletedAt }: DeletedRoom): void {
    this.#sql.exec(
      "INSERT OR REPLACE INTO deleted_rooms (id, deleted_at, definition) VALUES (?, ?, ?)",
      room.id,
      deletedAt,
      JSON.stringify(room),
    );
  }

  drop(id: RoomId): void {
    this.#sql.exec("DELETE FROM deleted_rooms WHERE id = ?", id);
  }

  /** The last deleted first. */
  restorable(now: InstantMs): DeletedRoom[] {
    return this.#all().filter((deleted) => !isDue(deleted, now));
  }

  /** The rooms whose day is over, to be erased. */
  due(now: InstantMs): DeletedRoom[] {
    return this.#all().filter((deleted) => isDue(deleted, now));
  }

  /** The rooms that were deleted first, beyond the number that is kept. */
  tooMany(): DeletedRoom[] {
    return this.#all().slice(DELETED_ROOMS_MAX);
  }

  nextDueAt(): InstantMs | null {
    const oldest = this.#all().at(-1);
    return oldest === undefined ? null : after(oldest.deletedAt, RESTORABLE_MS);
  }

  /** By id, or else by name in any case: of several, the one that was deleted last. */
  find(idOrName: string, now: InstantMs): DeletedRoom | null {
    const rooms = this.restorable(now);
    const wanted = idOrName.toLowerCase();
    return (
      rooms.find(({ room }) => room.id === wanted) ??
      rooms.find(({ room }) => room.name.toLowerCase() === wanted) ??
      null
    );
  }

  byId(id: RoomId): DeletedRoom | null {
    return this.#rows("WHERE id = ?", id)[0] ?? null;
  }

  #all(): DeletedRoom[] {
    return this.#rows("ORDER BY deleted_at DESC, id");
  }

  #rows(which: string, ...values: string[]): DeletedRoom[] {
    const sql = `SELECT definition, deleted_at FROM deleted_rooms ${which}`;
    return this.#sql
      .exec<Row>(sql, ...values)
      .toArray()
      .map(({ definition, deleted_at: deletedAt }) => ({
        room: definitionFromStore(definition),
        deletedAt: deletedAt as InstantMs,
      }));
  }
}

const isDue = ({ deletedAt }: DeletedRoom, now: InstantMs): boolean =>
  isOver(after(deletedAt, RESTORABLE_MS), now);
