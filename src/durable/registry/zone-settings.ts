/** What holds for every room: one row of the Registry, no clock, no calls. */
import { ZONE_DEFAULTS, type ZoneSettings } from "../../core/zone-settings.ts";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS zone_settings (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    settings TEXT NOT NULL
  )`;

export class ZoneSettingsStore {
  readonly #sql: SqlStorage;

  constructor(storage: DurableObjectStorage) {
    this.#sql = storage.sql;
    this.#sql.exec(SCHEMA);
  }

  read(): ZoneSettings {
    const [row] = this.#sql
      .exec<{ settings: string }>("SELECT settings FROM zone_settings")
      .toArray();
    return row === undefined ? ZONE_DEFAULTS : (JSON.parse(row.settings) as ZoneSettings);
  }

  put(settings: ZoneSettings): void {
    const sql = "INSERT OR REPLACE INTO zone_settings (only_row, settings) VALUES (1, ?)";
    this.#sql.exec(sql, JSON.stringify(settings));
  }
}
