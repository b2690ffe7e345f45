/**
 * What a Room keeps: its tables, and before them a journal with one row for each step
 * (docs/decisions/the-journal.md).
 */
import { invariant } from "../../core/invariant.ts";
import type { TicketNumber } from "../../core/ids.ts";
import type { HappenedKept } from "../../core/room/happenings.ts";
import type { HistoryRow } from "../../core/room/history.ts";
import { RoomJournal } from "../../core/room/journal.ts";
import { isPermitChange, type PermitChange } from "../../core/room/permit-page.ts";
import type { RoomHead, RoomStore, StoredRoom, StoredRoomChange } from "../../core/room/stored.ts";
import { after, isOver, type InstantMs } from "../../core/time.ts";
import { PERMIT_PAGES_TABLE, PermitPages } from "./permit-pages.ts";
import { RoomTables, text, whole } from "./tables.ts";

const JOURNAL_TABLE =
  "CREATE TABLE IF NOT EXISTS journal (slot INTEGER PRIMARY KEY, sequence INTEGER NOT NULL, value TEXT NOT NULL)";

/**
 * Stands in the head's row while steps are in the journal only, with the last that the tables have.
 * Versions that know no pages of permits wrote, and read, a mark without the 2.
 */
const MARK = "journal/2 ";
const MARKED = /^journal(?:\/2)? (\d+)$/;

/** How much the journal may hold before the tables are written. */
export interface JournalLimits {
  readonly steps: number;
  /** Of all its steps together; a quarter of them for one. */
  readonly characters: number;
  /** A step that comes this long after the one before it goes to the tables with what is here. */
  readonly quietMs: number;
  /** Unless it moves more permits: then many visitors have come at once, and more will follow. */
  readonly quietPermits: number;
}

/** A row has 2 MB at most, and a character three bytes. */
const LIMITS: JournalLimits = {
  steps: 1_024,
  characters: 2_000_000,
  quietMs: 2_000,
  quietPermits: 32,
};

/** The rows of the journal that the tables do not have, and what they say. */
interface OpenJournal {
  readonly journal: RoomJournal;
  readonly pages: PermitPages;
  /** Of the last step. */
  sequence: number;
  steps: number;
  characters: number;
}

/** The Room's rows in SQLite. */
export class SqlRoomStore implements RoomStore {
  readonly #storage: DurableObjectStorage;
  readonly #tables: RoomTables;
  readonly #limits: JournalLimits;
  /** Null before the first use, and after a write that failed: then the rows are read again. */
  #open: OpenJournal | null = null;

  constructor(storage: DurableObjectStorage, limits = LIMITS) {
    this.#storage = storage;
    this.#tables = new RoomTables(storage);
    this.#limits = limits;
  }

  /** False before a room's definition came, and after the room was deleted. */
  get exists(): boolean {
    return this.#tables.exists;
  }

  /** Makes the tables that are not there yet. */
  prepare(): void {
    this.#tables.prepare();
    this.#run(JOURNAL_TABLE);
    this.#run(PERMIT_PAGES_TABLE);
  }

  load(): StoredRoom {
    const open = this.#read();
    this.#open = open;
    const stored = this.#tables.load(open.journal.headText);
    return { ...stored, permits: open.pages.over(stored.permits) };
  }

  write(changes: readonly StoredRoomChange[]): void {
    if (changes.length === 0) return;
    this.#keep((open) => {
      const quietFrom = after(open.journal.clock, this.#limits.quietMs);
      const note = open.journal.note(changes);
      const isQuiet =
        isOver(quietFrom, open.journal.clock) &&
        changes.filter(isPermitChange).length <= this.#limits.quietPermits;
      if (!isQuiet && this.#hasRoomFor(note, open)) this.#append(note, open);
      else this.#checkpoint(open, isQuiet);
    });
  }

  history(since: InstantMs, rowsMax: number, before?: InstantMs): HistoryRow[] {
    this.#bring("history");
    return this.#tables.history(since, rowsMax, before);
  }

  happened(number: TicketNumber, rowsMax: number): HappenedKept {
    this.#bring("happened");
    return this.#tables.happened(number, rowsMax);
  }

  erase(): void {
    this.#open = null;
    this.#tables.erase();
    this.#run("DELETE FROM journal");
    new PermitPages(this.#storage.sql).erase();
  }

  #hasRoomFor({ length }: string, { steps, characters }: OpenJournal): boolean {
    const { steps: stepsMax, characters: charactersMax } = this.#limits;
    if (length > charactersMax / 4) return false;
    return steps < stepsMax && characters + length <= charactersMax;
  }

  /** All or nothing: what memory thinks holds only if the rows are written. */
  #keep(write: (open: OpenJournal) => void): void {
    const open = this.#open ?? this.#read();
    this.#open = null;
    this.#storage.transactionSync(() => write(open));
    this.#open = open;
  }

  /** A row of a step that was written before the tables were is replaced: a DELETE costs a row too. */
  #append(note: string, open: OpenJournal): void {
    if (open.steps === 0) this.#tables.putHead(`${MARK}${open.sequence}`);
    open.sequence += 1;
    open.steps += 1;
    open.characters += note.length;
    const slot = open.sequence % this.#limits.steps;
    this.#run("INSERT OR REPLACE INTO journal VALUES (?, ?, ?)", slot, open.sequence, note);
  }

  /**
   * Writes the tables. Permits go to their pages, and once the room is quiet to a row each; as long
   * as there is a page the journal goes on, with the whole head.
   */
  #checkpoint(open: OpenJournal, isQuiet: boolean): void {
    const { journal, pages } = open;
    const moved: PermitChange[] = [];
    for (const change of journal.rows.changes()) {
      if (isPermitChange(change)) moved.push(change);
      else this.#tables.write(change);
    }
    if (isQuiet) for (const change of pages.unpack(moved)) this.#tables.write(change);
    else pages.pack(moved);
    journal.written();
    open.steps = 0;
    open.characters = 0;
    if (pages.isEmpty) this.#tables.putHead(journal.headText);
    else this.#append(journal.note([]), open);
  }

  /** What is asked for is read from the tables. */
  #bring(kind: "history" | "happened"): void {
    const { journal } = (this.#open ??= this.#read());
    if (journal.rows.has(kind)) this.#keep((open) => this.#checkpoint(open, false));
  }

  /** Steps that the tables do not have are written to them. */
  #read(): OpenJournal {
    const head = this.#tables.headText();
    const storedBits = (chunk: number) => this.#tables.bitsOf(chunk);
    const pages = new PermitPages(this.#storage.sql);
    const mark = MARKED.exec(head ?? "");
    if (mark === null) {
      if (!pages.isEmpty) pages.erase();
      const known = head === null ? null : (JSON.parse(head) as RoomHead);
      const [last] = this.#rows("SELECT COALESCE(MAX(sequence), 0) AS sequence FROM journal");
      return {
        journal: new RoomJournal(known, storedBits),
        pages,
        sequence: last === undefined ? 0 : whole(last, "sequence"),
        steps: 0,
        characters: 0,
      };
    }
    const journal = new RoomJournal(null, storedBits);
    const since = Number(mark[1]);
    const sql = "SELECT sequence, value FROM journal WHERE sequence > ? ORDER BY sequence";
    const rows = this.#rows(sql, since);
    invariant(rows.length > 0, "a journal that the head names has steps");
    rows.forEach((row, index) => {
      invariant(whole(row, "sequence") === since + 1 + index, "no step of the journal is missing");
      journal.replay(text(row, "value"));
    });
    const open = { journal, pages, sequence: since + rows.length, steps: 0, characters: 0 };
    this.#storage.transactionSync(() => this.#checkpoint(open, false));
    return open;
  }

  #rows(sql: string, ...bindings: SqlStorageValue[]): Record<string, SqlStorageValue>[] {
    return this.#storage.sql.exec(sql, ...bindings).toArray();
  }

  #run(sql: string, ...bindings: SqlStorageValue[]): void {
    // Reading the cursor to its end finishes the statement.
    this.#storage.sql.exec(sql, ...bindings).toArray();
  }
}
