/**
 * The table of the permits that moved while the room was busy, many to a row: over what the table
 * `permit` says of the same slots (docs/decisions/the-journal.md).
 */
import type { SlotIndex } from "../../core/ids.ts";
import type { Permit, PermitInSlot } from "../../core/permits/permit.ts";
import {
  changesIn,
  permitPageOf,
  pageWith,
  type PermitChange,
} from "../../core/room/permit-page.ts";
import { text, whole } from "./tables.ts";

export const PERMIT_PAGES_TABLE =
  "CREATE TABLE IF NOT EXISTS permit_page (page INTEGER PRIMARY KEY, value TEXT NOT NULL)";

/** A room that falls quiet writes so many pages to a row each slot with one step: some 4,000 rows. */
const UNPACKED_AT_ONCE = 16;

export class PermitPages {
  readonly #sql: SqlStorage;
  /** Which pages there are. */
  readonly #pages: Set<number>;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    const rows = sql.exec("SELECT page FROM permit_page").toArray();
    this.#pages = new Set(rows.map((row) => whole(row, "page")));
  }

  get isEmpty(): boolean {
    return this.#pages.size === 0;
  }

  erase(): void {
    this.#sql.exec("DELETE FROM permit_page").toArray();
    this.#pages.clear();
  }

  /** What every slot has that is not free. */
  over(rows: Iterable<PermitInSlot>): PermitInSlot[] {
    const permits = new Map<SlotIndex, Permit>();
    for (const { slot, permit } of rows) permits.set(slot, permit);
    for (const page of this.#pages)
      for (const change of changesIn(this.#textOf(page))) {
        if ("put" in change) permits.set(change.slot, change.permit);
        else permits.delete(change.slot);
      }
    return Array.from(permits, ([slot, permit]) => ({ slot, permit }));
  }

  pack(changes: readonly PermitChange[]): void {
    for (const [page, moved] of byPage(changes)) {
      const value = pageWith(this.#textOf(page), moved);
      this.#sql.exec("INSERT OR REPLACE INTO permit_page VALUES (?, ?)", page, value).toArray();
      this.#pages.add(page);
    }
  }

  /** Takes pages away, and answers what is for a row each: of those, and of what has no page. */
  unpack(changes: readonly PermitChange[]): readonly PermitChange[] {
    const rows = new Map<SlotIndex, PermitChange>();
    for (const page of [...this.#pages].slice(0, UNPACKED_AT_ONCE)) {
      for (const change of changesIn(this.#textOf(page))) rows.set(change.slot, change);
      this.#sql.exec("DELETE FROM permit_page WHERE page = ?", page).toArray();
      this.#pages.delete(page);
    }
    for (const [page, moved] of byPage(changes)) {
      if (this.#pages.has(page)) this.pack(moved);
      else for (const change of moved) rows.set(change.slot, change);
    }
    return [...rows.values()];
  }

  #textOf(page: number): string {
    if (!this.#pages.has(page)) return "";
    const sql = "SELECT value FROM permit_page WHERE page = ?";
    const [row] = this.#sql.exec(sql, page).toArray();
    return row === undefined ? "" : text(row, "value");
  }
}

const byPage = (changes: readonly PermitChange[]): Map<number, PermitChange[]> =>
  Map.groupBy(changes, ({ slot }) => permitPageOf(slot));
