/** The Room's tables (docs/storage.md), but for the journal: no clock, no calls. */
import type { NotedAlert } from "../../core/alerts/alert.ts";
import type { EstimatorState } from "../../core/estimate/estimator.ts";
import type { LobbyIndex, SlotIndex, TicketNumber } from "../../core/ids.ts";
import { CHUNK_BITS } from "../../core/line/counted-bits.ts";
import type { StoredPace } from "../../core/pace/pace.ts";
import type { Permit } from "../../core/permits/permit.ts";
import type { StoredDraw } from "../../core/room/draw-state.ts";
import type { StoredEvents } from "../../core/room/event-state.ts";
import type { HappenedKept, HappenedRow } from "../../core/room/happenings.ts";
import type { HistoryRow } from "../../core/room/history.ts";
import type { RoomHead, StoredRoom } from "../../core/room/stored.ts";
import type { RowChange } from "../../core/room/unwritten.ts";
import type { EndedVisit } from "../../core/snapshot.ts";
import type { InstantMs } from "../../core/time.ts";

/** Described in docs/storage.md. Every table has one small key and one value. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS estimate (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS events (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS pace (id INTEGER PRIMARY KEY CHECK (id = 0), value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS draw (first INTEGER PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS issue (first INTEGER PRIMARY KEY, count INTEGER NOT NULL, lobby INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS spent (chunk INTEGER PRIMARY KEY, bits BLOB NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS permit (slot INTEGER PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS miss (number INTEGER PRIMARY KEY, misses INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS ended (id INTEGER PRIMARY KEY, until INTEGER NOT NULL, visits TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS lobby (lobby INTEGER PRIMARY KEY, instance TEXT NOT NULL, sequence INTEGER NOT NULL, answer TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS history (minute INTEGER PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS alert (sequence INTEGER PRIMARY KEY, value TEXT NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS happened (id INTEGER PRIMARY KEY, at INTEGER NOT NULL, until INTEGER NOT NULL, lowest INTEGER NOT NULL, highest INTEGER NOT NULL, entries TEXT NOT NULL)`,
];

const NAMES = TABLES.map((table) => /EXISTS (\w+)/.exec(table)?.[1] ?? "");

type Row = Record<string, SqlStorageValue>;

export const text = (row: Row, column: string): string => row[column] as string;
export const whole = (row: Row, column: string): number => Number(row[column]);
const bytes = (row: Row, column: string): Uint8Array => new Uint8Array(row[column] as ArrayBuffer);

const happenedRow = (row: Row): HappenedRow => ({
  id: whole(row, "id"),
  from: whole(row, "at") as InstantMs,
  until: whole(row, "until") as InstantMs,
  lowest: whole(row, "lowest"),
  highest: whole(row, "highest"),
  entries: text(row, "entries"),
});

/** The Room's rows in SQLite, as the last checkpoint of the journal left them. */
export class RoomTables {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** False before a room's definition came, and after the room was deleted. */
  get exists(): boolean {
    return this.#rows("SELECT 1 FROM sqlite_master WHERE name = 'head'").length > 0;
  }

  /** Makes the tables that are not there yet. */
  prepare(): void {
    for (const table of TABLES) this.#run(table);
  }

  /** The text of the head's row: JSON, or the mark of a journal that goes on beyond the tables. */
  headText(): string | null {
    const row = this.#rows("SELECT value FROM head")[0];
    return row === undefined ? null : text(row, "value");
  }

  putHead(value: string | null): void {
    if (value === null) this.#run("DELETE FROM head");
    else this.#run("INSERT OR REPLACE INTO head VALUES (0, ?)", value);
  }

  bitsOf(chunk: number): Uint8Array | null {
    const row = this.#rows("SELECT bits FROM spent WHERE chunk = ?", chunk)[0];
    return row === undefined ? null : bytes(row, "bits");
  }

  /** All but the head, which may be in the journal: that one is given. */
  load(head: string | null): StoredRoom {
    const estimate = this.#rows("SELECT value FROM estimate")[0];
    const events = this.#rows("SELECT value FROM events")[0];
    const pace = this.#rows("SELECT value FROM pace")[0];
    return {
      head: head === null ? null : (JSON.parse(head) as RoomHead),
      estimate:
        estimate === undefined ? null : (JSON.parse(text(estimate, "value")) as EstimatorState),
      events: events === undefined ? null : (JSON.parse(text(events, "value")) as StoredEvents),
      pace: pace === undefined ? null : (JSON.parse(text(pace, "value")) as StoredPace),
      draws: this.#rows("SELECT value FROM draw").map(
        (row) => JSON.parse(text(row, "value")) as StoredDraw,
      ),
      runs: this.#rows("SELECT first, count, lobby FROM issue ORDER BY first").map((row) => ({
        first: whole(row, "first") as TicketNumber,
        count: whole(row, "count"),
        lobby: whole(row, "lobby") as LobbyIndex,
      })),
      spent: this.#rows("SELECT chunk, bits FROM spent").map((row) => ({
        chunk: whole(row, "chunk"),
        bits: bytes(row, "bits"),
      })),
      permits: this.#rows("SELECT slot, value FROM permit").map((row) => ({
        slot: whole(row, "slot") as SlotIndex,
        permit: JSON.parse(text(row, "value")) as Permit,
      })),
      misses: this.#rows("SELECT number, misses FROM miss").map(
        (row) => [whole(row, "number") as TicketNumber, whole(row, "misses")] as const,
      ),
      ended: this.#rows("SELECT id, visits FROM ended ORDER BY id").map((row) => ({
        row: whole(row, "id"),
        visits: JSON.parse(text(row, "visits")) as EndedVisit[],
      })),
      lobbies: this.#rows("SELECT lobby, instance, sequence, answer FROM lobby").map((row) => ({
        lobby: whole(row, "lobby") as LobbyIndex,
        instance: text(row, "instance"),
        sequence: whole(row, "sequence"),
        answer: text(row, "answer"),
      })),
      alerts: this.#rows("SELECT value FROM alert ORDER BY sequence").map(
        (row) => JSON.parse(text(row, "value")) as NotedAlert,
      ),
    };
  }

  write(change: RowChange): void {
    if ("put" in change) this.#put(change);
    else this.#drop(change);
  }

  history(since: InstantMs, rowsMax: number, before?: InstantMs): HistoryRow[] {
    return this.#rows(
      "SELECT value FROM history WHERE minute >= ? AND minute < ? ORDER BY minute DESC LIMIT ?",
      since,
      before ?? Number.MAX_SAFE_INTEGER,
      rowsMax,
    )
      .map((row) => JSON.parse(text(row, "value")) as HistoryRow)
      .reverse();
  }

  happened(number: TicketNumber, rowsMax: number): HappenedKept {
    const rows = this.#rows(
      "SELECT * FROM happened WHERE lowest <= ?1 AND highest >= ?1 ORDER BY id DESC LIMIT ?2",
      number,
      rowsMax + 1,
    ).map(happenedRow);
    if (rows.length > rowsMax) return { rows: rows.slice(0, -1), oldest: rows.at(-2) ?? null };
    const oldest = this.#rows("SELECT * FROM happened ORDER BY id LIMIT 1").map(happenedRow)[0];
    return { rows, oldest: oldest ?? null };
  }

  erase(): void {
    for (const table of NAMES) this.#run(`DELETE FROM ${table}`);
  }

  #put(change: Extract<RowChange, { put: string }>): void {
    switch (change.put) {
      case "estimate": {
        const sql = "INSERT OR REPLACE INTO estimate VALUES (0, ?)";
        return this.#run(sql, JSON.stringify(change.estimate));
      }
      case "events": {
        const sql = "INSERT OR REPLACE INTO events VALUES (0, ?)";
        return this.#run(sql, JSON.stringify(change.events));
      }
      case "pace": {
        const sql = "INSERT OR REPLACE INTO pace VALUES (0, ?)";
        return this.#run(sql, JSON.stringify(change.pace));
      }
      case "draw": {
        const { first } = change.draw.record.closed;
        const value = JSON.stringify(change.draw);
        return this.#run("INSERT OR REPLACE INTO draw VALUES (?, ?)", first, value);
      }
      case "issue": {
        const { first, count, lobby } = change.run;
        return this.#run("INSERT OR REPLACE INTO issue VALUES (?, ?, ?)", first, count, lobby);
      }
      case "spent": {
        const copy = change.bits.slice().buffer;
        return this.#run("INSERT OR REPLACE INTO spent VALUES (?, ?)", change.chunk, copy);
      }
      case "permit": {
        const permit = JSON.stringify(change.permit);
        return this.#run("INSERT OR REPLACE INTO permit VALUES (?, ?)", change.slot, permit);
      }
      case "miss":
        return this.#run("INSERT OR REPLACE INTO miss VALUES (?, ?)", change.number, change.misses);
      case "ended": {
        const { row, until, visits } = change;
        const json = JSON.stringify(visits);
        return this.#run("INSERT OR REPLACE INTO ended VALUES (?, ?, ?)", row, until, json);
      }
      case "lobby": {
        const { lobby, instance, sequence, answer } = change.row;
        const sql = "INSERT OR REPLACE INTO lobby VALUES (?, ?, ?, ?)";
        return this.#run(sql, lobby, instance, sequence, answer);
      }
      case "history": {
        const row = JSON.stringify(change.row);
        return this.#run("INSERT OR REPLACE INTO history VALUES (?, ?)", change.row.minute, row);
      }
      case "happened": {
        const { id, from, until, lowest, highest, entries } = change.row;
        const sql = "INSERT OR REPLACE INTO happened VALUES (?, ?, ?, ?, ?, ?)";
        return this.#run(sql, id, from, until, lowest, highest, entries);
      }
      case "alert": {
        const alert = JSON.stringify(change.alert);
        return this.#run(
          "INSERT OR REPLACE INTO alert VALUES (?, ?)",
          change.alert.sequence,
          alert,
        );
      }
      default:
        return change satisfies never;
    }
  }

  #drop(change: Extract<RowChange, { drop: string }>): void {
    switch (change.drop) {
      case "permit":
        return this.#run("DELETE FROM permit WHERE slot = ?", change.slot);
      case "miss":
        return this.#run("DELETE FROM miss WHERE number = ?", change.number);
      case "draw":
        return this.#run("DELETE FROM draw WHERE first = ?", change.first);
      case "ended":
        return this.#run("DELETE FROM ended WHERE until <= ?", change.until);
      case "history":
        return this.#run("DELETE FROM history WHERE minute < ?", change.before);
      case "happened":
        if ("upTo" in change) return this.#run("DELETE FROM happened WHERE id <= ?", change.upTo);
        // Rows follow each other in time, so that nothing is read but what goes, and one more.
        return this.#run(
          `DELETE FROM happened WHERE id <
             COALESCE((SELECT id FROM happened WHERE until >= ? ORDER BY id LIMIT 1), ?)`,
          change.before,
          Number.MAX_SAFE_INTEGER,
        );
      case "alert":
        return this.#run("DELETE FROM alert WHERE sequence <= ?", change.upTo);
      case "line":
        this.#run("DELETE FROM spent WHERE chunk < ?", change.belowChunk);
        return this.#run(
          "DELETE FROM issue WHERE first + count <= ?",
          change.belowChunk * CHUNK_BITS,
        );
      default:
        return change satisfies never;
    }
  }

  #rows(sql: string, ...bindings: SqlStorageValue[]): Row[] {
    return this.#storage.sql.exec(sql, ...bindings).toArray();
  }

  #run(sql: string, ...bindings: SqlStorageValue[]): void {
    // Reading the cursor to its end finishes the statement.
    this.#storage.sql.exec(sql, ...bindings).toArray();
  }
}
