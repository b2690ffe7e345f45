import type { TicketNumber } from "../../core/ids.ts";
import type { KeptChanges, KeptPlace } from "../../core/lobby/kept-places.ts";
import { instant } from "../../core/time.ts";

/** Where kept places are written, so that they outlive the lobby's memory. */
export interface PlacesStore {
  /** In the order in which they were left. */
  load(): KeptPlace[];
  write(changes: KeptChanges): void;
}

/** Described in docs/storage.md. */
const TABLE = `CREATE TABLE IF NOT EXISTS place (number INTEGER PRIMARY KEY, key TEXT NOT NULL, joined INTEGER NOT NULL, heard INTEGER NOT NULL)`;

/** The places in the lobby's SQLite: one row each. */
export class SqlPlaces implements PlacesStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  load(): KeptPlace[] {
    this.#storage.sql.exec(TABLE);
    const rows = this.#storage.sql.exec(
      "SELECT number, key, joined, heard FROM place ORDER BY heard",
    );
    return [...rows].map((row) => ({
      key: row["key"] as string,
      number: Number(row["number"]) as TicketNumber,
      joinedAt: instant(Number(row["joined"])),
      heardAt: instant(Number(row["heard"])),
    }));
  }

  write({ put, drop }: KeptChanges): void {
    const { sql } = this.#storage;
    for (const { number, key, joinedAt, heardAt } of put) {
      const values = [number, key, joinedAt, heardAt];
      sql.exec(
        "INSERT OR REPLACE INTO place (number, key, joined, heard) VALUES (?, ?, ?, ?)",
        ...values,
      );
    }
    for (const number of drop) sql.exec("DELETE FROM place WHERE number = ?", number);
  }
}
