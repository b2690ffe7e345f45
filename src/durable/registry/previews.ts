/** Pages that operators look at before they are any room's: one table of the Registry, no clock, no calls. */
import { after, instant, isOver, type InstantMs } from "../../core/time.ts";
import type { KeptPreview } from "../contract.ts";

/** How long a preview can be looked at. */
export const PREVIEW_MS = 3_600_000;
/** With one more, the oldest is gone before its hour is over. Each has 64 Ki characters at most. */
export const PREVIEWS_MAX = 20;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS previews (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    ends_at INTEGER NOT NULL,
    html TEXT NOT NULL
  )`;
const NEWEST = "SELECT sequence FROM previews ORDER BY sequence DESC LIMIT ?";

export class Previews {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(SCHEMA);
  }

  /** What is over goes with the next that comes, so that no alarm is needed; until then nobody is shown it. */
  keep(id: string, html: string, now: InstantMs): InstantMs {
    const { sql } = this.#storage;
    const endsAt = after(now, PREVIEW_MS);
    this.#storage.transactionSync(() => {
      sql.exec("DELETE FROM previews WHERE ends_at <= ?", now);
      sql.exec("INSERT INTO previews (id, ends_at, html) VALUES (?, ?, ?)", id, endsAt, html);
      sql.exec(`DELETE FROM previews WHERE sequence NOT IN (${NEWEST})`, PREVIEWS_MAX);
    });
    return endsAt;
  }

  find(id: string, now: InstantMs): KeptPreview | null {
    const [row] = this.#storage.sql
      .exec<{ html: string; ends_at: number }>(
        "SELECT html, ends_at FROM previews WHERE id = ?",
        id,
      )
      .toArray();
    if (row === undefined) return null;
    const endsAt = instant(row.ends_at);
    return isOver(endsAt, now) ? null : { html: row.html, endsAt };
  }
}
