/** What has happened to numbers lately, so that an operator can tell their visitors. */
import type { TicketNumber } from "../ids.ts";
import type { InstantMs } from "../time.ts";
import type { EndReason } from "./visit-ends.ts";

/**
 * joined: its ticket was taken · called · missed: nobody came to the call · left: its visitor gave it
 * up · late: it came back after its return window · entered: its visit began · visit-…: its visit
 * ended · more-time, called-again, removed, visit-stopped: by an operator
 */
const HAPPENINGS = [
  ...["joined", "called", "missed", "left", "late", "entered"],
  ...["visit-inactive", "visit-time-up", "visit-finished", "visit-revoked", "visit-unconfirmed"],
  ...["visit-stopped", "more-time", "called-again", "removed"],
] as readonly What[];

export type What =
  | "joined"
  | "called"
  | "missed"
  | "left"
  | "late"
  | "entered"
  | `visit-${EndReason}`
  | "visit-stopped"
  | "more-time"
  | "called-again"
  | "removed";

export interface Happening {
  readonly what: What;
  readonly at: InstantMs;
}

/** Happenings in a row of their own. Its `id` rises. */
export interface HappenedRow {
  readonly id: number;
  readonly from: InstantMs;
  readonly until: InstantMs;
  readonly lowest: number;
  readonly highest: number;
  /** For each: a comma, number (base 36), a capital letter, milliseconds since the one before. */
  readonly entries: string;
}

/** In the head: the happenings that no row has, in the row that they will be, and how many. */
export interface HappenedTail {
  readonly row: HappenedRow;
  readonly count: number;
  /** Nothing before was ever noted. */
  readonly since: InstantMs;
}

/** The rows that may tell of a number, newest first. */
export interface HappenedKept {
  readonly rows: readonly HappenedRow[];
  /** Of all rows that are looked through; null where there is none. */
  readonly oldest: Pick<HappenedRow, "id" | "from"> | null;
}

/** So many ride in the head; with four for each visitor a row is that of 50 visitors. */
export const TAIL_MAX = 200;
/** A step that makes more of them writes another row. */
export const ROW_ENTRIES_MAX = 20_000;
export const HAPPENED_ROWS_MAX = 50_000;
/** For one answer. */
export const HAPPENED_READ_MAX = 5_000;

const CAPITAL_A = 65;
const ENTRY = /^([0-9a-z]+)([A-Z])([0-9a-z]+)$/;

const emptyTail = (id: number, at: InstantMs): HappenedRow => ({
  id,
  from: at,
  until: at,
  lowest: Number.MAX_SAFE_INTEGER,
  highest: 0,
  entries: "",
});

const withEntry = (
  row: HappenedRow,
  number: TicketNumber,
  what: What,
  at: InstantMs,
): HappenedRow => {
  const isFirst = row.entries === "";
  const sinceMs = isFirst ? 0 : at - row.until;
  const letter = String.fromCharCode(CAPITAL_A + HAPPENINGS.indexOf(what));
  return {
    id: row.id,
    from: isFirst ? at : row.from,
    until: at,
    lowest: Math.min(row.lowest, number),
    highest: Math.max(row.highest, number),
    entries: `${row.entries},${number.toString(36)}${letter}${sinceMs.toString(36)}`,
  };
};

/** Those of one number in a row, in order. */
export const happenedIn = (row: HappenedRow, number: TicketNumber): Happening[] => {
  const wanted = number.toString(36);
  if (!row.entries.includes(`,${wanted}`)) return [];
  const found: Happening[] = [];
  let at: number = row.from;
  for (const entry of row.entries.slice(1).split(",")) {
    const [, of, letter = "", sinceMs = ""] = ENTRY.exec(entry) ?? [];
    at += Number.parseInt(sinceMs, 36) || 0;
    const what = HAPPENINGS[letter.charCodeAt(0) - CAPITAL_A];
    if (of === wanted && what !== undefined) found.push({ what, at: at as InstantMs });
  }
  return found;
};

/**
 * What no row has yet: it rides in the head, which is written with whatever a step changes, and
 * moves to a row of its own when there is enough of it. So it costs no row a visitor.
 */
export class Happenings {
  /** Rows that are full and not yet handed to the store. */
  #full: HappenedRow[] = [];
  #row: HappenedRow;
  #count: number;
  readonly #since: InstantMs;

  constructor(stored: HappenedTail | null, now: InstantMs) {
    this.#row = stored?.row ?? emptyTail(1, now);
    this.#count = stored?.count ?? 0;
    this.#since = stored?.since ?? now;
  }

  note(number: TicketNumber, what: What, now: InstantMs): void {
    this.#row = withEntry(this.#row, number, what, now);
    this.#count += 1;
    if (this.#count >= ROW_ENTRIES_MAX) this.#turn();
  }

  /** Those of one number, in order, no older than `notBefore`. */
  of(number: TicketNumber, kept: HappenedKept | null, notBefore: InstantMs): Happening[] {
    const rows = [...(kept?.rows ?? [])].reverse();
    const all = [...rows, ...this.#full, this.#row].flatMap((row) => happenedIn(row, number));
    return all.filter(({ at }) => at >= notBefore);
  }

  /** Everything since then is known. */
  since(kept: HappenedKept | null, notBefore: InstantMs): InstantMs {
    const { oldest = null } = kept ?? {};
    const from = oldest !== null && oldest.id > 1 ? oldest.from : this.#since;
    return Math.max(from, this.#since, notBefore) as InstantMs;
  }

  /** Rows to write now, each once. */
  drainRows(): readonly HappenedRow[] {
    if (this.#count >= TAIL_MAX) this.#turn();
    const rows = this.#full;
    if (rows.length > 0) this.#full = [];
    return rows;
  }

  toJSON(): HappenedTail {
    return { row: this.#row, count: this.#count, since: this.#since };
  }

  #turn(): void {
    this.#full.push(this.#row);
    this.#row = emptyTail(this.#row.id + 1, this.#row.until);
    this.#count = 0;
  }
}
