/** Webhooks, their deliveries, and which alerts were heard: tables of the Registry. No clock, no calls. */
import type { AlertType } from "../../core/alerts/alert.ts";
import {
  DELIVERIES_MAX,
  type Attempt,
  type Delivery,
  type DeliveryState,
  type Webhook,
  type WebhookId,
} from "../../core/alerts/webhook.ts";
import type { RoomId } from "../../core/ids.ts";
import type { InstantMs } from "../../core/time.ts";

/** What signs, and what signed before it and does so until it is over. */
export interface WebhookSecrets {
  readonly secret: string;
  readonly former: { readonly secret: string; readonly until: InstantMs } | null;
}

/** A delivery as it is sent. */
export interface OutgoingAlert extends Delivery {
  readonly row: number;
  readonly body: string;
}

const TABLES = [
  `CREATE TABLE IF NOT EXISTS webhooks (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    webhook TEXT NOT NULL,
    secrets TEXT NOT NULL
  )`,
  `CREATE TABLE IF NOT EXISTS deliveries (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    webhook TEXT NOT NULL,
    alert TEXT NOT NULL,
    type TEXT NOT NULL,
    body TEXT NOT NULL,
    noted_at INTEGER NOT NULL,
    state TEXT NOT NULL,
    tries INTEGER NOT NULL,
    next_at INTEGER,
    last TEXT,
    UNIQUE (webhook, alert)
  )`,
  `CREATE INDEX IF NOT EXISTS deliveries_due ON deliveries (webhook, next_at) WHERE next_at IS NOT NULL`,
  `CREATE TABLE IF NOT EXISTS alerts_heard (room TEXT PRIMARY KEY, sequence INTEGER NOT NULL)`,
];

type Row = Record<string, SqlStorageValue>;

export class WebhookStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    for (const table of TABLES) storage.sql.exec(table);
  }

  /** Everything inside happens, or nothing. */
  atomically<T>(writes: () => T): T {
    return this.#storage.transactionSync(writes);
  }

  /** In the order of their making. */
  webhooks(): Webhook[] {
    return this.#rows("SELECT webhook FROM webhooks ORDER BY sequence").map(
      ({ webhook }) => JSON.parse(webhook as string) as Webhook,
    );
  }

  webhook(id: string): Webhook | null {
    const [row] = this.#rows("SELECT webhook FROM webhooks WHERE id = ?", id);
    return row === undefined ? null : (JSON.parse(row["webhook"] as string) as Webhook);
  }

  secrets(id: WebhookId): WebhookSecrets | null {
    const [row] = this.#rows("SELECT secrets FROM webhooks WHERE id = ?", id);
    return row === undefined ? null : (JSON.parse(row["secrets"] as string) as WebhookSecrets);
  }

  add(webhook: Webhook, secrets: WebhookSecrets): void {
    const sql = "INSERT INTO webhooks (id, webhook, secrets) VALUES (?, ?, ?)";
    this.#rows(sql, webhook.id, JSON.stringify(webhook), JSON.stringify(secrets));
  }

  put(webhook: Webhook): void {
    const json = JSON.stringify(webhook);
    this.#rows("UPDATE webhooks SET webhook = ? WHERE id = ?", json, webhook.id);
  }

  putSecrets(id: WebhookId, secrets: WebhookSecrets): void {
    this.#rows("UPDATE webhooks SET secrets = ? WHERE id = ?", JSON.stringify(secrets), id);
  }

  remove(id: WebhookId): void {
    this.#rows("DELETE FROM webhooks WHERE id = ?", id);
    this.#rows("DELETE FROM deliveries WHERE webhook = ?", id);
  }

  /** The sequence of the last alert that was heard of this room. */
  heard(room: RoomId): number {
    const [row] = this.#rows("SELECT sequence FROM alerts_heard WHERE room = ?", room);
    return Number(row?.["sequence"] ?? 0);
  }

  putHeard(room: RoomId, sequence: number): void {
    this.#rows("INSERT OR REPLACE INTO alerts_heard VALUES (?, ?)", room, sequence);
  }

  forgetHeard(room: RoomId): void {
    this.#rows("DELETE FROM alerts_heard WHERE room = ?", room);
  }

  /** To be sent at once. */
  enqueue(
    webhook: WebhookId,
    alert: { readonly id: string; readonly type: AlertType; readonly body: string },
    now: InstantMs,
  ): void {
    this.#rows(
      `INSERT OR IGNORE INTO deliveries (webhook, alert, type, body, noted_at, state, tries, next_at)
       VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?)`,
      webhook,
      alert.id,
      alert.type,
      alert.body,
      now,
      now,
    );
  }

  /** The oldest go where there are too many. Answers how many of them were not sent. */
  trim(webhook: WebhookId): number {
    return this.#rows(
      `DELETE FROM deliveries WHERE webhook = ?1 AND sequence <= (
         SELECT sequence FROM deliveries WHERE webhook = ?1 ORDER BY sequence DESC LIMIT 1 OFFSET ?2
       ) RETURNING state`,
      webhook,
      DELIVERIES_MAX,
    ).filter(({ state }) => state === "waiting").length;
  }

  /** The delivery whose next try comes first. */
  next(webhook: WebhookId): OutgoingAlert | null {
    const [row] = this.#rows(
      `SELECT * FROM deliveries WHERE webhook = ? AND next_at IS NOT NULL
       ORDER BY next_at, sequence LIMIT 1`,
      webhook,
    );
    if (row === undefined) return null;
    return { ...deliveryOf(row), row: Number(row["sequence"]), body: row["body"] as string };
  }

  /** Does nothing where the delivery has gone meanwhile. */
  putTry(
    row: number,
    state: DeliveryState,
    tries: number,
    nextAt: InstantMs | null,
    last: Attempt | null,
  ): void {
    this.#rows(
      "UPDATE deliveries SET state = ?, tries = ?, next_at = ?, last = ? WHERE sequence = ?",
      state,
      tries,
      nextAt,
      last === null ? null : JSON.stringify(last),
      row,
    );
  }

  /** Nothing that waits is sent any more. */
  giveUpAll(webhook: WebhookId): void {
    this.#rows(
      "UPDATE deliveries SET state = 'failed', next_at = NULL WHERE webhook = ? AND next_at IS NOT NULL",
      webhook,
    );
  }

  /** The latest first. */
  deliveries(webhook: WebhookId, limit: number): Delivery[] {
    return this.#rows(
      "SELECT * FROM deliveries WHERE webhook = ? ORDER BY sequence DESC LIMIT ?",
      webhook,
      limit,
    ).map(deliveryOf);
  }

  #rows(sql: string, ...values: SqlStorageValue[]): Row[] {
    return this.#storage.sql.exec(sql, ...values).toArray();
  }
}

const deliveryOf = (row: Row): Delivery => ({
  alertId: row["alert"] as string,
  type: row["type"] as AlertType,
  state: row["state"] as DeliveryState,
  notedAt: Number(row["noted_at"]) as InstantMs,
  tries: Number(row["tries"]),
  nextAt: row["next_at"] === null ? null : (Number(row["next_at"]) as InstantMs),
  last: row["last"] === null ? null : (JSON.parse(row["last"] as string) as Attempt),
});
