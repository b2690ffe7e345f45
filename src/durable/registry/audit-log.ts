/** Who changed what: one table of the Registry, appended to and never changed. No clock, no calls. */
import {
  AUDIT_ENTRIES_MAX,
  type AuditAct,
  type AuditEntry,
  type AuditPage,
  type AuditQuery,
  type Author,
} from "../../core/audit/entry.ts";
import type { RoomId } from "../../core/ids.ts";
import { instant, type InstantMs } from "../../core/time.ts";

/** An answer between objects has its bounds: what is beyond them comes with the next page. */
const PAGE_LENGTH_MAX = 2_000_000;

/** What is asked for has columns of its own; all the rest of an entry is JSON. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    by_id TEXT NOT NULL,
    by_name TEXT NOT NULL,
    room TEXT,
    room_name TEXT,
    entry TEXT NOT NULL
  )`;

type Row = {
  readonly id: number;
  readonly at: number;
  readonly action: string;
  readonly by_id: string;
  readonly by_name: string;
  readonly room: string | null;
  readonly room_name: string | null;
  readonly entry: string;
};
type Rest = Pick<AuditEntry, "target" | "network" | "reference" | "differences">;

/** Called within the transaction of an entry, once it is written. */
export type HearsOfEntries = (
  entry: Pick<AuditEntry, "id" | "at" | "action" | "room" | "target"> & { readonly byName: string },
) => void;

export class AuditLog {
  readonly #sql: SqlStorage;
  readonly #entriesMax: number;
  readonly #hears: HearsOfEntries;

  constructor(
    storage: DurableObjectStorage,
    entriesMax = AUDIT_ENTRIES_MAX,
    hears: HearsOfEntries = () => undefined,
  ) {
    this.#sql = storage.sql;
    this.#entriesMax = entriesMax;
    this.#hears = hears;
    this.#sql.exec(SCHEMA);
  }

  /** Within the transaction of what it tells. */
  enter({ action, room, target, differences }: AuditAct, by: Author, now: InstantMs): void {
    const rest: Rest = { target, network: by.network, reference: by.reference, differences };
    const { id } = this.#sql
      .exec<{ id: number }>(
        `INSERT INTO audit (at, action, by_id, by_name, room, room_name, entry)
         VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id`,
        now,
        action,
        by.id,
        by.name,
        room?.id ?? null,
        room?.name ?? null,
        JSON.stringify(rest),
      )
      .one();
    this.#sql.exec("DELETE FROM audit WHERE id <= ?", id - this.#entriesMax);
    this.#hears({ id, at: now, action, room, target, byName: by.name });
  }

  /** The newest first. */
  page(query: AuditQuery): AuditPage {
    const { where, values } = conditionsOf(query);
    const rows = this.#sql.exec<Row>(
      `SELECT * FROM audit WHERE ${where} ORDER BY id DESC LIMIT ?`,
      ...values,
      query.limit + 1,
    );
    const entries: AuditEntry[] = [];
    let length = 0;
    for (const row of rows) {
      length += row.entry.length;
      const isFull = entries.length === query.limit || length > PAGE_LENGTH_MAX;
      const last = entries.at(-1);
      if (isFull && last !== undefined) return { entries, nextBefore: last.id };
      entries.push(entryOf(row));
    }
    return { entries, nextBefore: null };
  }
}

type Value = string | number;

/** At most 50 rooms are named, so that the parameters stay few. */
const conditionsOf = (query: AuditQuery): { readonly where: string; readonly values: Value[] } => {
  const terms: string[] = ["TRUE"];
  const values: Value[] = [];
  const add = (term: string, ...given: readonly Value[]): void => {
    terms.push(term);
    values.push(...given);
  };
  const { rooms, room, from, to, by, action, before } = query;
  if (rooms !== null) add(`room IN (${rooms.map(() => "?").join(", ")})`, ...rooms);
  if (room !== null) add("(room = ? OR room_name = ? COLLATE NOCASE)", room.toLowerCase(), room);
  if (from !== null) add("at >= ?", from);
  if (to !== null) add("at < ?", to);
  if (by !== null) add("(by_id = ? OR by_name = ? COLLATE NOCASE)", by.toLowerCase(), by);
  if (action !== null) add("action = ?", action);
  if (before !== null) add("id < ?", before);
  return { where: terms.join(" AND "), values };
};

const entryOf = (row: Row): AuditEntry => ({
  id: row.id,
  at: instant(row.at),
  action: row.action,
  by: { id: row.by_id, name: row.by_name },
  room: row.room === null ? null : { id: row.room as RoomId, name: row.room_name ?? "" },
  ...(JSON.parse(row.entry) as Rest),
});
