/** The Registry's tables (docs/storage.md) and nothing but them: no clock, no calls. */
import type { RoomDefinition, Route } from "../../core/definition.ts";
import { definitionFromStore } from "../../core/room/limits.ts";
import type { RoomId } from "../../core/ids.ts";
import type { RoomAddress } from "../../core/regions/address.ts";
import type { InstantMs } from "../../core/time.ts";
import type { SigningKey } from "../contract.ts";

/** What a Room has still to be told. `change` names the change, so that an older answer settles nothing. */
export interface OutboxEntry {
  readonly room: RoomAddress;
  readonly act: "configure" | "retire" | "erase";
  readonly change: number;
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS version (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), version INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS rooms (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    definition TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS routes (
    host TEXT NOT NULL,
    path TEXT NOT NULL,
    room TEXT NOT NULL,
    PRIMARY KEY (host, path)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS routes_by_room ON routes (room);
  CREATE TABLE IF NOT EXISTS signing_keys (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    kid TEXT NOT NULL UNIQUE,
    secret TEXT NOT NULL,
    signs_from INTEGER NOT NULL,
    signs INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS retired_keys (kid TEXT PRIMARY KEY, retired_at INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS untold (room TEXT PRIMARY KEY, act TEXT NOT NULL, change INTEGER NOT NULL);
`;

export class RegistryStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(SCHEMA);
  }

  /** Everything inside happens, or nothing. */
  atomically<T>(writes: () => T): T {
    return this.#storage.transactionSync(writes);
  }

  version(): number {
    return this.#one<number>("SELECT version FROM version") ?? 0;
  }

  raiseVersion(): number {
    return this.#one<number>(
      `INSERT INTO version (only_row, version) VALUES (1, 1)
       ON CONFLICT (only_row) DO UPDATE SET version = version + 1 RETURNING version`,
    ) as number;
  }

  /** In the order of their making. */
  rooms(): RoomDefinition[] {
    return this.#all<{ definition: string }>("SELECT definition FROM rooms ORDER BY sequence").map(
      (row) => definitionFromStore(row.definition),
    );
  }

  room(id: RoomId): RoomDefinition | null {
    const definition = this.#one<string>("SELECT definition FROM rooms WHERE id = ?", id);
    return definition === null ? null : definitionFromStore(definition);
  }

  roomCount(): number {
    return this.#one<number>("SELECT count(*) FROM rooms") ?? 0;
  }

  /** Of all definitions but one, in bytes of JSON. */
  bytesWithout(id: RoomId): number {
    const sql =
      "SELECT coalesce(sum(length(CAST(definition AS BLOB))), 0) FROM rooms WHERE id <> ?";
    return this.#one<number>(sql, id) ?? 0;
  }

  /** In any case: paths of ours, in which names stand, are read so. */
  ownerOfName(name: string): RoomId | null {
    return this.#one<RoomId>("SELECT id FROM rooms WHERE name = ? COLLATE NOCASE", name);
  }

  ownerOfRoute(route: Route): RoomId | null {
    const sql = "SELECT room FROM routes WHERE host = ? AND path = ?";
    return this.#one<RoomId>(sql, route.host, route.path);
  }

  putRoom(room: RoomDefinition): void {
    this.#run(
      `INSERT INTO rooms (id, name, definition) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET name = excluded.name, definition = excluded.definition`,
      room.id,
      room.name,
      JSON.stringify(room),
    );
    this.#run("DELETE FROM routes WHERE room = ?", room.id);
    for (const { host, path } of room.routes) {
      this.#run("INSERT INTO routes (host, path, room) VALUES (?, ?, ?)", host, path, room.id);
    }
  }

  deleteRoom(id: RoomId): void {
    this.#run("DELETE FROM rooms WHERE id = ?", id);
    this.#run("DELETE FROM routes WHERE room = ?", id);
  }

  /** The one that signs, then the others, newest first. */
  keys(): SigningKey[] {
    return this.#all<{ kid: string; secret: string }>(
      "SELECT kid, secret FROM signing_keys ORDER BY signs DESC, sequence DESC",
    ).map(({ kid, secret }) => ({ kid, secret }));
  }

  newestKey(): SigningKey["kid"] | null {
    return this.#one("SELECT kid FROM signing_keys ORDER BY sequence DESC LIMIT 1");
  }

  /** Of those that do not sign. */
  oldestKey(): SigningKey["kid"] {
    return this.#one<string>("SELECT kid FROM signing_keys ORDER BY signs, sequence LIMIT 1") ?? "";
  }

  /** The newest key but this one that has not signed yet. */
  newestUnused(but: SigningKey["kid"]): SigningKey["kid"] | null {
    return this.#one(
      `SELECT kid FROM signing_keys WHERE signs = 0 AND kid <> ?
       AND kid NOT IN (SELECT kid FROM retired_keys) ORDER BY sequence DESC LIMIT 1`,
      but,
    );
  }

  putKey(key: SigningKey, signsFrom: InstantMs): void {
    this.#run(
      "INSERT INTO signing_keys (kid, secret, signs_from) VALUES (?, ?, ?)",
      key.kid,
      key.secret,
      signsFrom,
    );
  }

  deleteKey(kid: SigningKey["kid"]): void {
    this.#run("DELETE FROM signing_keys WHERE kid = ?", kid);
    this.#run("DELETE FROM retired_keys WHERE kid = ?", kid);
  }

  /** The newest key whose time to sign has come, unless it signs already. */
  keyToSign(now: InstantMs): SigningKey["kid"] | null {
    return this.#one(
      `SELECT kid FROM (SELECT kid, signs FROM signing_keys WHERE signs_from <= ?
       ORDER BY sequence DESC LIMIT 1) WHERE signs = 0`,
      now,
    );
  }

  letSign(kid: SigningKey["kid"], now: InstantMs): void {
    this.#run("UPDATE signing_keys SET signs = (kid = ?)", kid);
    this.retireOlderKeys(now);
  }

  /** Notes since when the keys before the one that signs do not sign, once. */
  retireOlderKeys(now: InstantMs): void {
    this.#run(
      `INSERT OR IGNORE INTO retired_keys SELECT kid, ? FROM signing_keys
       WHERE sequence < (SELECT sequence FROM signing_keys WHERE signs = 1)`,
      now,
    );
  }

  hasKeysRetiredBy(then: InstantMs): boolean {
    return this.#one("SELECT 1 FROM retired_keys WHERE retired_at <= ? LIMIT 1", then) !== null;
  }

  forgetKeysRetiredBy(then: InstantMs): void {
    const retired = "SELECT kid FROM retired_keys WHERE retired_at <= ?";
    this.#run(`DELETE FROM signing_keys WHERE kid IN (${retired})`, then);
    this.#run("DELETE FROM retired_keys WHERE retired_at <= ?", then);
  }

  outbox(): OutboxEntry[] {
    return this.#all<{ room: RoomAddress; act: OutboxEntry["act"]; change: number }>(
      "SELECT room, act, change FROM untold ORDER BY change",
    ).map(({ room, act, change }) => ({ room, act, change }));
  }

  outboxOf(room: RoomAddress): OutboxEntry | null {
    return this.outbox().find((outbox) => outbox.room === room) ?? null;
  }

  putOutbox({ room, act, change }: OutboxEntry): void {
    this.#run(
      `INSERT INTO untold (room, act, change) VALUES (?, ?, ?)
       ON CONFLICT (room) DO UPDATE SET act = excluded.act, change = excluded.change`,
      room,
      act,
      change,
    );
  }

  deleteOutbox({ room, change }: OutboxEntry): void {
    this.#run("DELETE FROM untold WHERE room = ? AND change = ?", room, change);
  }

  #all<Row extends Record<string, SqlStorageValue>>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray();
  }

  #one<Value>(sql: string, ...values: unknown[]): Value | null {
    const row = this.#all(sql, ...values)[0];
    return row === undefined ? null : (Object.values(row)[0] as Value);
  }

  #run(sql: string, ...values: unknown[]): void {
    this.#storage.sql.exec(sql, ...values);
  }
}
