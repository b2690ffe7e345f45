/** The storage of one object: real SQLite in memory, so that its statements mean what they say. */
import { DatabaseSync, type SQLInputValue, type StatementSync } from "node:sqlite";

export type RowCounts = Map<string, number>;

const WRITES = /^\s*(?:INSERT(?: OR \w+)? INTO|DELETE FROM|UPDATE(?: OR \w+)?) (\w+)/i;

interface Prepared {
  readonly statement: StatementSync;
  /** The table that it writes; null where it only reads. */
  readonly table: string | null;
}

/** What an object's `ctx.storage` offers, as far as rooms and lobbies use it. It counts rows as they are billed. */
export class VirtualStorage {
  readonly rows: RowCounts = new Map();
  readonly kv = new VirtualValues(this.rows);
  readonly sql = { exec: (text: string, ...values: SqlValue[]) => this.#exec(text, values) };
  readonly #onAlarm: (at: number | null) => void;
  #database: DatabaseSync | null = null;
  readonly #prepared = new Map<string, Prepared>();

  constructor(onAlarm: (at: number | null) => void) {
    this.#onAlarm = onAlarm;
  }

  transactionSync<T>(work: () => T): T {
    const database = this.#open();
    database.exec("BEGIN");
    try {
      const result = work();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      database.exec("ROLLBACK");
      throw error;
    }
  }

  setAlarm(at: number | Date): Promise<void> {
    count(this.rows, "alarm", 1);
    this.#onAlarm(Number(at));
    return Promise.resolve();
  }

  deleteAlarm(): Promise<void> {
    this.#onAlarm(null);
    return Promise.resolve();
  }

  deleteAll(): Promise<void> {
    this.#database?.close();
    this.#database = null;
    this.#prepared.clear();
    return Promise.resolve();
  }

  #exec(text: string, values: readonly SqlValue[]): { toArray(): unknown[] } {
    const { statement, table } = this.#prepare(text);
    const bound = values.map((value) =>
      value instanceof ArrayBuffer ? new Uint8Array(value) : value,
    );
    if (table === null) {
      const rows = statement.all(...bound).map((row) => asPlatform(row));
      return { toArray: () => rows, [Symbol.iterator]: () => rows[Symbol.iterator]() } as Cursor;
    }
    const { changes } = statement.run(...bound);
    count(this.rows, table, Number(changes));
    return { toArray: () => [] };
  }

  #prepare(text: string): Prepared {
    const known = this.#prepared.get(text);
    if (known !== undefined) return known;
    const table = WRITES.exec(text)?.[1] ?? null;
    const prepared = { statement: this.#open().prepare(text), table };
    this.#prepared.set(text, prepared);
    return prepared;
  }

  #open(): DatabaseSync {
    this.#database ??= new DatabaseSync(":memory:");
    return this.#database;
  }
}

type SqlValue = SQLInputValue | ArrayBuffer;
type Cursor = { toArray(): unknown[] } & Iterable<unknown>;

/** Blobs come as the platform gives them. */
const asPlatform = (row: object): unknown => {
  for (const [column, value] of Object.entries(row))
    if (value instanceof Uint8Array)
      (row as Record<string, unknown>)[column] = value.slice().buffer;
  return row;
};

const count = (rows: RowCounts, table: string, more: number): void =>
  void rows.set(table, (rows.get(table) ?? 0) + more);

class VirtualValues {
  readonly #values = new Map<string, unknown>();
  readonly #rows: RowCounts;

  constructor(rows: RowCounts) {
    this.#rows = rows;
  }

  get(key: string): unknown {
    return this.#values.get(key);
  }

  put(key: string, value: unknown): void {
    count(this.#rows, "kv", 1);
    this.#values.set(key, structuredClone(value));
  }

  delete(key: string): boolean {
    return this.#values.delete(key);
  }
}
