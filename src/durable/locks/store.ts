/** A lock shard's tables (docs/storage.md) and nothing but them: no clock, no calls. */
import type { AnswerClient, AnswerContent, AnswerRecord } from "../../core/locks/answers.ts";
import type { Fence, Holder, Owner, SessionId } from "../../core/locks/lock.ts";
import type { LockName } from "../../core/locks/name.ts";
import type {
  StoredLocksChange,
  LocksHead,
  LocksStore,
  StoredAnswer,
  StoredLocks,
} from "../../core/locks/stored.ts";
import type { InstantMs } from "../../core/time.ts";

/** Described in docs/storage.md. Without rowids: one row written is one row billed. */
const TABLES = [
  `CREATE TABLE IF NOT EXISTS head (id INTEGER PRIMARY KEY CHECK (id = 0), fences INTEGER NOT NULL, clock INTEGER NOT NULL)`,
  `CREATE TABLE IF NOT EXISTS lock (name TEXT PRIMARY KEY, owner TEXT NOT NULL, fence INTEGER NOT NULL, granted_at INTEGER NOT NULL, session TEXT, until INTEGER) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS answer (name TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER NOT NULL, state TEXT NOT NULL, status INTEGER NOT NULL, bytes INTEGER NOT NULL, client INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID`,
  `CREATE TABLE IF NOT EXISTS moved (shard INTEGER PRIMARY KEY)`,
  `CREATE TABLE IF NOT EXISTS content (name TEXT PRIMARY KEY, headers TEXT NOT NULL, body BLOB NOT NULL)`,
];

type Row = Record<string, SqlStorageValue>;

const text = (row: Row, column: string): string => row[column] as string;

/** A shard's rows in SQLite. */
export class SqlLocksStore implements LocksStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
  }

  /** Makes the tables that are not there yet. */
  prepare(): void {
    for (const table of TABLES) this.#run(table);
    // Tables of earlier versions did not note the client.
    const [answer] = this.#rows("SELECT sql FROM sqlite_master WHERE name = 'answer'");
    if (answer !== undefined && !text(answer, "sql").includes("client INTEGER"))
      this.#run("ALTER TABLE answer ADD COLUMN client INTEGER NOT NULL DEFAULT 0");
  }

  load(): StoredLocks {
    const head = this.#rows("SELECT fences, clock FROM head")[0];
    return {
      head: head === undefined ? null : headOf(head),
      holders: this.#rows("SELECT * FROM lock").map(holderOf),
      stocks: this.#rows(
        "SELECT until, client, count(*) AS count, sum(bytes) AS bytes FROM answer GROUP BY until, client",
      ).map((row) => ({
        until: Number(row["until"]) as InstantMs,
        client: Number(row["client"]) as AnswerClient,
        count: Number(row["count"]),
        bytes: Number(row["bytes"]),
      })),
      moved: this.#rows("SELECT shard FROM moved").map((row) => Number(row["shard"])),
    };
  }

  write(changes: readonly StoredLocksChange[]): void {
    const [only] = changes;
    if (only === undefined) return;
    // A row is all or nothing by itself, and most steps write just one.
    if (changes.length === 1 && isOneRow(only)) return this.#write(only);
    this.#storage.transactionSync(() => {
      const puts: SqlStorageValue[][] = [];
      const drops: LockName[] = [];
      for (const change of changes)
        if ("put" in change && change.put === "lock") puts.push(holderRow(change.holder));
        else if ("drop" in change && change.drop === "lock") drops.push(change.name);
        else this.#write(change);
      // One statement for all locks: each costs more than its rows.
      if (puts.length > 0) this.#run(PUT_LOCKS, JSON.stringify(puts));
      if (drops.length > 0) this.#run(DROP_LOCKS, JSON.stringify(drops));
    });
  }

  record(name: LockName): AnswerRecord | null {
    const row = this.#rows("SELECT * FROM answer WHERE name = ?", name)[0];
    return row === undefined ? null : recordOf(row);
  }

  content(name: LockName): AnswerContent | null {
    const row = this.#rows(
      "SELECT status, headers, body FROM answer JOIN content USING (name) WHERE name = ?",
      name,
    )[0];
    return row === undefined ? null : contentOf(row);
  }

  answers(): readonly StoredAnswer[] {
    return this.#rows("SELECT * FROM answer LEFT JOIN content USING (name)").map((row) => ({
      record: recordOf(row),
      content: row["body"] === null ? null : contentOf(row),
    }));
  }

  #write(change: StoredLocksChange): void {
    if ("put" in change) this.#put(change);
    else this.#drop(change);
  }

  #put(change: Extract<StoredLocksChange, { put: string }>): void {
    switch (change.put) {
      case "head": {
        const { fencesReserved, clock } = change.head;
        return this.#run("INSERT OR REPLACE INTO head VALUES (0, ?, ?)", fencesReserved, clock);
      }
      case "lock": {
        const sql = "INSERT OR REPLACE INTO lock VALUES (?, ?, ?, ?, ?, ?)";
        return this.#run(sql, ...holderRow(change.holder));
      }
      case "moved":
        return this.#run("INSERT OR REPLACE INTO moved VALUES (?)", change.shard);
      case "answer":
        return this.#putAnswer(change.record, change.content);
      default:
        return change satisfies never;
    }
  }

  #putAnswer(record: AnswerRecord, content: AnswerContent | null): void {
    const { name, fingerprint, fence, until, state, status, bytes, client } = record;
    const sql = "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    this.#run(sql, name, fingerprint, fence, until, state, status, bytes, client);
    if (content === null) return this.#run("DELETE FROM content WHERE name = ?", name);
    const headers = JSON.stringify(content.headers);
    const body = content.body.slice().buffer;
    return this.#run("INSERT OR REPLACE INTO content VALUES (?, ?, ?)", name, headers, body);
  }

  #drop(change: Extract<StoredLocksChange, { drop: string }>): void {
    switch (change.drop) {
      case "lock":
        return this.#run("DELETE FROM lock WHERE name = ?", change.name);
      case "answer":
        this.#run("DELETE FROM content WHERE name = ?", change.name);
        return this.#run("DELETE FROM answer WHERE name = ?", change.name);
      case "answers": {
        const over = "SELECT name FROM answer WHERE until <= ?";
        this.#run(`DELETE FROM content WHERE name IN (${over})`, change.until);
        return this.#run("DELETE FROM answer WHERE until <= ?", change.until);
      }
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

const PUT_LOCKS = `INSERT OR REPLACE INTO lock SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5 FROM json_each(?)`;
const DROP_LOCKS = `DELETE FROM lock WHERE name IN (SELECT value FROM json_each(?))`;

const holderRow = ({ name, owner, fence, grantedAt, tenure }: Holder): SqlStorageValue[] => [
  name,
  owner,
  fence,
  grantedAt,
  tenure.by === "socket" ? tenure.session : null,
  tenure.by === "lease" ? tenure.until : null,
];

const isOneRow = (change: StoredLocksChange): boolean =>
  "put" in change ? change.put !== "answer" : change.drop === "lock";

const headOf = (row: Row): LocksHead => ({
  fencesReserved: Number(row["fences"]) as Fence,
  clock: Number(row["clock"]) as InstantMs,
});

const holderOf = (row: Row): Holder => ({
  name: text(row, "name") as LockName,
  owner: text(row, "owner") as Owner,
  fence: Number(row["fence"]) as Fence,
  grantedAt: Number(row["granted_at"]) as InstantMs,
  tenure:
    row["session"] === null
      ? { by: "lease", until: Number(row["until"]) as InstantMs }
      : { by: "socket", session: text(row, "session") as SessionId },
});

const contentOf = (row: Row): AnswerContent => ({
  status: Number(row["status"]),
  headers: JSON.parse(text(row, "headers")) as AnswerContent["headers"],
  body: new Uint8Array(row["body"] as ArrayBuffer),
});

const recordOf = (row: Row): AnswerRecord => ({
  name: text(row, "name") as LockName,
  fingerprint: text(row, "fingerprint"),
  fence: Number(row["fence"]) as Fence,
  until: Number(row["until"]) as InstantMs,
  state: text(row, "state") as AnswerRecord["state"],
  status: Number(row["status"]),
  bytes: Number(row["bytes"]),
  client: Number(row["client"]) as AnswerClient,
});
