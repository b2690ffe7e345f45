// Many thousand comparisons: vitest's expect would take most of the time.
import assert from "node:assert/strict";
import type { TicketNumber } from "../../../src/core/ids.ts";
import { RoomJournal } from "../../../src/core/room/journal.ts";
import { MemoryRoomStore } from "../../../src/core/room/memory-store.ts";
import {
  changesIn,
  isPermitChange,
  pageWith,
  permitPageOf,
} from "../../../src/core/room/permit-page.ts";
import type {
  RoomHead,
  RoomStore,
  StoredRoom,
  StoredRoomChange,
} from "../../../src/core/room/stored.ts";
import type { InstantMs } from "../../../src/core/time.ts";
import { contentsOf } from "./stored-contents.ts";

/**
 * A store whose steps go to a journal, and to its tables at random, permits to pages or to rows of
 * their own, with a twin in which each step goes to the tables. Whenever it is loaded, both have to
 * say the same.
 */
export class JournaledStore implements RoomStore {
  readonly #random: (below: number) => number;
  readonly #direct = new MemoryRoomStore();
  readonly #tables = new MemoryRoomStore();
  readonly #pages = new Map<number, string>();
  #texts: string[] = [];
  #journal = this.#begun(null);
  /** How many steps were read from the journal, and how often the tables were written. */
  replayed = 0;
  checkpoints = 0;

  constructor(random: (below: number) => number) {
    this.#random = random;
  }

  load(): StoredRoom {
    const hasHead = this.#texts.length === 0;
    const journal = this.#begun(hasHead ? this.#tables.load().head : null);
    for (const text of this.#texts) journal.replay(text);
    this.replayed += this.#texts.length;
    this.#journal = journal;
    this.#checkpoint();
    this.#unpack();
    const stored = this.#tables.load();
    assert.deepEqual(contentsOf(stored), contentsOf(this.#direct.load()));
    return stored;
  }

  write(changes: readonly StoredRoomChange[]): void {
    if (changes.length === 0) return;
    this.#direct.write(changes);
    this.#texts.push(this.#journal.note(changes));
    if (this.#random(12) === 0) this.#checkpoint();
  }

  history(since: InstantMs, rowsMax: number, before?: InstantMs) {
    this.#checkpoint();
    return this.#tables.history(since, rowsMax, before);
  }

  happened(number: TicketNumber, rowsMax: number) {
    this.#checkpoint();
    return this.#tables.happened(number, rowsMax);
  }

  erase(): void {
    this.#direct.erase();
    this.#tables.erase();
    this.#pages.clear();
    this.#texts = [];
    this.#journal = this.#begun(null);
  }

  #begun(head: RoomHead | null): RoomJournal {
    return new RoomJournal(head, (chunk) => this.#bitsOf(chunk));
  }

  #bitsOf(chunk: number): Uint8Array | null {
    return [...this.#tables.load().spent].find((row) => row.chunk === chunk)?.bits ?? null;
  }

  #checkpoint(): void {
    this.checkpoints += 1;
    if (this.#random(2) === 0) this.#unpack();
    const isPacking = this.#random(2) === 0 || this.#pages.size > 0;
    for (const change of this.#journal.rows.changes())
      if (isPacking && isPermitChange(change)) {
        const page = permitPageOf(change.slot);
        this.#pages.set(page, pageWith(this.#pages.get(page) ?? "", [change]));
      } else this.#tables.write([change]);
    const { headText } = this.#journal;
    if (headText !== null)
      this.#tables.write([{ put: "head", head: JSON.parse(headText) as RoomHead }]);
    this.#journal.written();
    this.#texts = [];
  }

  #unpack(): void {
    for (const page of this.#pages.values()) this.#tables.write(changesIn(page));
    this.#pages.clear();
  }
}
