/** Changes of several steps, made into the fewest rows that say the same. */
import { CHUNK_BITS } from "../line/counted-bits.ts";
import { plainCopy } from "../plain-copy.ts";
import { instant } from "../time.ts";
import type { StoredEnd, StoredRoomChange } from "./stored.ts";

/** All but the head, which the journal keeps by its fields. */
export type RowChange = Exclude<StoredRoomChange, { readonly put: "head" }>;
type Put<Kind extends string> = Extract<RowChange, { readonly put: Kind }>;
type Kind = Extract<RowChange, { readonly put: string }>["put"] | "line";
type RangeDrop = Extract<
  RowChange,
  { readonly drop: "ended" | "history" | "alert" | "line" | "happened" }
>;

/** More visits than these are kept in another row. */
const ENDED_MAX = 5_000;

const isRange = (change: RowChange): change is RangeDrop =>
  "drop" in change && RANGES.has(change.drop);

const RANGES: ReadonlySet<string> = new Set<RangeDrop["drop"]>([
  ...(["ended", "history", "alert", "line", "happened"] as const),
]);

/** The row that a change names. */
const rowOf = (change: Exclude<RowChange, RangeDrop>): number => {
  if ("drop" in change) {
    if (change.drop === "permit") return change.slot;
    return change.drop === "miss" ? change.number : change.first;
  }
  switch (change.put) {
    case "estimate":
    case "events":
    case "pace":
      return 0;
    case "draw":
      return change.draw.record.closed.first;
    case "issue":
      return change.run.first;
    case "spent":
      return change.chunk;
    case "permit":
      return change.slot;
    case "miss":
      return change.number;
    case "ended":
      return change.row;
    case "lobby":
      return change.row.lobby;
    case "history":
      return change.row.minute;
    case "happened":
      return change.row.id;
    case "alert":
      return change.alert.sequence;
    default:
      return change satisfies never;
  }
};

/** Of two drops of one kind the one that takes more. */
const wider = (one: RangeDrop, other: RangeDrop): RangeDrop =>
  endOf(one) > endOf(other) ? one : other;

const endOf = (drop: RangeDrop): number => {
  if ("belowChunk" in drop) return drop.belowChunk;
  if ("before" in drop) return drop.before;
  return "upTo" in drop ? drop.upTo : drop.until;
};

/** Does the drop of a range take this row? */
const takes = (drop: RangeDrop, put: RowChange): boolean => {
  if (!("put" in put)) return false;
  switch (drop.drop) {
    case "ended":
      return put.put === "ended" && put.until <= drop.until;
    case "history":
      return put.put === "history" && put.row.minute < drop.before;
    case "alert":
      return put.put === "alert" && put.alert.sequence <= drop.upTo;
    case "happened":
      if (put.put !== "happened") return false;
      return "upTo" in drop ? put.row.id <= drop.upTo : put.row.until < drop.before;
    case "line":
      if (put.put === "spent") return put.chunk < drop.belowChunk;
      if (put.put !== "issue") return false;
      return put.run.first + put.run.count <= drop.belowChunk * CHUNK_BITS;
    default:
      return drop satisfies never;
  }
};

/**
 * What steps have changed that the tables do not have yet: of each row the last change. Ranges that
 * are dropped go first, since what stands here of such a range was put after it.
 */
export class UnwrittenRows {
  readonly #rows = new Map<Kind, Map<number, RowChange>>();
  /** Of each kind the widest. */
  readonly #ranges = new Map<string, RangeDrop>();
  #lastRun: Put<"issue">["run"] | null = null;

  /** Is anything of this kind here that the tables do not have? */
  has(kind: Kind): boolean {
    return (
      (this.#rows.get(kind)?.size ?? 0) > 0 ||
      [...this.#ranges.values()].some(({ drop }) => drop === kind)
    );
  }

  bitsOf(chunk: number): Uint8Array | null {
    const change = this.#rows.get("spent")?.get(chunk);
    return change !== undefined && "bits" in change ? change.bits : null;
  }

  /** Takes a copy: what the room changes later does not change it. */
  add(change: RowChange): void {
    if (isRange(change)) this.#dropRange(change);
    else if ("put" in change && change.put === "issue") this.#issue(change.run);
    else {
      const kind = "put" in change ? change.put : change.drop;
      this.#set(kind, rowOf(change), plainCopy(change));
    }
  }

  /** In an order in which they may be written. */
  *changes(): Generator<RowChange> {
    yield* this.#ranges.values();
    for (const [kind, rows] of this.#rows) {
      if (kind === "ended") yield* this.#ended();
      else yield* rows.values();
    }
  }

  clear(): void {
    this.#rows.clear();
    this.#ranges.clear();
    this.#lastRun = null;
  }

  #set(kind: Kind, row: number, change: RowChange): void {
    const rows = this.#rows.get(kind);
    if (rows === undefined) this.#rows.set(kind, new Map([[row, change]]));
    else rows.set(row, change);
  }

  /** A run that goes on where the last one ended, at the same lobby, makes it longer. */
  #issue(run: Put<"issue">["run"]): void {
    const last = this.#lastRun;
    const goesOn =
      last !== null && last.lobby === run.lobby && last.first + last.count === run.first;
    const kept = goesOn ? { ...last, count: last.count + run.count } : { ...run };
    this.#lastRun = kept;
    this.#set("issue", kept.first, { put: "issue", run: kept });
  }

  #dropRange(change: RangeDrop): void {
    const name = "before" in change ? `${change.drop} before` : change.drop;
    this.#ranges.set(name, wider({ ...change }, this.#ranges.get(name) ?? change));
    const kinds: readonly Kind[] = change.drop === "line" ? ["spent", "issue"] : [change.drop];
    for (const kind of kinds)
      for (const [row, put] of this.#rows.get(kind) ?? []) {
        if (takes(change, put)) this.#rows.get(kind)?.delete(row);
      }
    if (change.drop === "line") this.#lastRun = null;
  }

  /** Visits that ended in many steps share a row, which goes with the last pass of them. */
  *#ended(): Generator<RowChange> {
    let visits: StoredEnd[] = [];
    let until = instant(0);
    let last: number | null = null;
    for (const [row, change] of this.#rows.get("ended") ?? []) {
      if (!("put" in change) || change.put !== "ended") continue;
      if (last !== null && visits.length + change.visits.length > ENDED_MAX) {
        yield { put: "ended", row: last, visits, until };
        visits = [];
        until = instant(0);
      }
      visits.push(...change.visits);
      until = instant(Math.max(until, change.until));
      last = row;
    }
    if (last !== null) yield { put: "ended", row: last, visits, until };
  }
}
