/**
 * The journal of a Room: a step as one text, and what all of them have changed since the tables were
 * written last. Where the texts are kept is for the store.
 */
import { CHUNK_BYTES } from "../line/counted-bits.ts";
import { instant, type InstantMs } from "../time.ts";
import type { RoomHead, StoredRoomChange } from "./stored.ts";
import { UnwrittenRows, type RowChange } from "./unwritten.ts";

/** The head's fields that changed, or all of them. */
interface HeadNote {
  readonly put: "head";
  readonly fields: Readonly<Record<string, unknown>>;
  readonly whole?: true;
}

/** The bytes of a spent chunk that changed: where, and what they are now. */
interface SpentNote {
  readonly put: "spent";
  readonly chunk: number;
  readonly bytes: readonly (readonly [number, number])[];
}

/** A change as the journal has it. */
type Note = HeadNote | SpentNote | Exclude<RowChange, { readonly put: "spent" }>;

/** What the tables have of a chunk; null for nothing. */
export type StoredBits = (chunk: number) => Uint8Array | null;

/**
 * The head and the bits of spent numbers are large and change little: the journal has what changed
 * of them. It begins with the whole head, so that it can be read without the one in the tables.
 */
export class RoomJournal {
  readonly rows = new UnwrittenRows();
  /** The JSON of each field, as it was noted or read last; null where there is no head. */
  #head: Map<string, string> | null = null;
  #hasWholeHead = false;
  readonly #storedBits: StoredBits;

  constructor(head: RoomHead | null, storedBits: StoredBits) {
    if (head !== null) this.#head = fieldsOf(head);
    this.#storedBits = storedBits;
  }

  /** The head as the tables have it; null where there is none. */
  get headText(): string | null {
    return this.#head === null ? null : objectOf(this.#head);
  }

  /** The Room's clock in the last step; 0 where there was none. */
  get clock(): InstantMs {
    return instant(Number(this.#head?.get("clock") ?? 0));
  }

  /** The step as a text, from which `replay` makes the same. */
  note(changes: readonly StoredRoomChange[]): string {
    const notes: string[] = [];
    for (const change of changes) {
      if ("put" in change && change.put === "head") notes.push(this.#noteHead(change.head));
      else {
        const isSpent = "put" in change && change.put === "spent";
        notes.push(JSON.stringify(isSpent ? this.#spentNote(change) : change));
        this.rows.add(change);
      }
    }
    if (!this.#hasWholeHead && this.#head !== null) notes.unshift(this.#wholeHead(this.#head));
    return `[${notes.join(",")}]`;
  }

  replay(text: string): void {
    for (const note of JSON.parse(text) as readonly Note[]) {
      if ("put" in note && note.put === "head") this.#replayHead(note);
      else if ("put" in note && note.put === "spent") {
        const bits = this.#bitsOf(note.chunk).slice();
        for (const [at, byte] of note.bytes) bits[at] = byte;
        this.rows.add({ put: "spent", chunk: note.chunk, bits });
      } else this.rows.add(note);
    }
  }

  /** The tables have everything. */
  written(): void {
    this.rows.clear();
    this.#hasWholeHead = false;
  }

  #noteHead(head: RoomHead): string {
    const before = this.#head;
    const now = fieldsOf(head);
    this.#head = now;
    const isLess = before !== null && [...before.keys()].some((field) => !now.has(field));
    if (before === null || isLess || !this.#hasWholeHead) return this.#wholeHead(now);
    const changed = [...now].filter(([field, text]) => before.get(field) !== text);
    return `{"put":"head","fields":${objectOf(changed)}}`;
  }

  #wholeHead(head: ReadonlyMap<string, string>): string {
    this.#hasWholeHead = true;
    return `{"put":"head","whole":true,"fields":${objectOf(head)}}`;
  }

  #replayHead({ fields, whole }: HeadNote): void {
    const head = whole === true || this.#head === null ? new Map<string, string>() : this.#head;
    for (const [field, value] of Object.entries(fields)) head.set(field, JSON.stringify(value));
    this.#head = head;
  }

  #spentNote({ chunk, bits }: Extract<RowChange, { readonly put: "spent" }>): SpentNote {
    const before = this.#bitsOf(chunk);
    const bytes: (readonly [number, number])[] = [];
    bits.forEach((byte, at) => {
      if (byte !== before[at]) bytes.push([at, byte]);
    });
    return { put: "spent", chunk, bytes };
  }

  #bitsOf(chunk: number): Uint8Array {
    return this.rows.bitsOf(chunk) ?? this.#storedBits(chunk) ?? new Uint8Array(CHUNK_BYTES);
  }
}

const fieldsOf = (head: RoomHead): Map<string, string> => {
  const fields = new Map<string, string>();
  for (const [field, value] of Object.entries(head)) {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) fields.set(field, text);
  }
  return fields;
};

const objectOf = (fields: Iterable<readonly [string, string]>): string =>
  `{${Array.from(fields, ([field, text]) => `${JSON.stringify(field)}:${text}`).join(",")}}`;
