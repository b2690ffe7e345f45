/** The tokens of operators: one table of the Registry, no clock, no calls. */
import { hasExpired, TOKENS_MAX, type OperatorToken } from "../../core/access/token.ts";
import type { InstantMs } from "../../core/time.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS tokens (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE COLLATE NOCASE,
    expires_at INTEGER,
    token TEXT NOT NULL
  )`;

export class Tokens {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(SCHEMA);
  }

  /** In the order of their making; also those that have expired, until another one is made. */
  all(): OperatorToken[] {
    return this.#rows("ORDER BY sequence");
  }

  living(ids: readonly string[], now: InstantMs): readonly string[] {
    const live = this.all().filter((token) => ids.includes(token.id) && !hasExpired(token, now));
    return live.map(({ id }) => id);
  }

  find(id: string): OperatorToken | null {
    return this.#rows("WHERE id = ?", id)[0] ?? null;
  }

  /** Why no token of this name can be made. Those that have expired are in nobody's way. */
  problemWith(name: string, now: InstantMs): "name-taken" | "too-many-tokens" | null {
    const live = this.all().filter((token) => !hasExpired(token, now));
    if (live.some((token) => token.name.toLowerCase() === name.toLowerCase())) return "name-taken";
    return live.length >= TOKENS_MAX ? "too-many-tokens" : null;
  }

  put(token: OperatorToken): void {
    this.#sql.exec(
      "INSERT INTO tokens (id, name, expires_at, token) VALUES (?, ?, ?, ?)",
      token.id,
      token.name,
      token.expiresAt,
      JSON.stringify(token),
    );
  }

  drop(id: string): void {
    this.#sql.exec("DELETE FROM tokens WHERE id = ?", id);
  }

  dropExpired(now: InstantMs): void {
    this.#sql.exec("DELETE FROM tokens WHERE expires_at <= ?", now);
  }

  #rows(which: string, ...values: string[]): OperatorToken[] {
    return this.#sql
      .exec<{ token: string }>(`SELECT token FROM tokens ${which}`, ...values)
      .toArray()
      .map(({ token }) => JSON.parse(token) as OperatorToken);
  }
}
