import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { CHUNK_BYTES } from "../../../src/core/line/counted-bits.ts";
import { Line } from "../../../src/core/line/line.ts";
import type { StoredLine } from "../../../src/core/line/kept-chunks.ts";
import { instant } from "../../../src/core/time.ts";
import { issueMany } from "./issue-many.ts";

const [here, there] = [lobbyIndex(0), lobbyIndex(7)];
const [early, later] = [instant(1_000), instant(2_000)];
const no = ticketNumber;

const standings = (line: Line, from = 1): (string | null)[] =>
  Array.from({ length: line.issued - from + 1 }, (_, at) => line.standingOf(no(from + at)));

/** here: 1 present, 2 away, 3 called, 4 spent · there: 5 present, 6 away */
const mixed = (): Line => {
  const line = new Line();
  issueMany(line, 4, here);
  issueMany(line, 2, there);
  line.markAway(no(2), early);
  line.call(no(3));
  line.spend(no(4));
  line.markAway(no(6), early);
  return line;
};

const stored = (rows: Partial<StoredLine>): StoredLine => ({
  issued: 0,
  base: 0,
  runs: [],
  spent: [],
  called: [],
  ...rows,
});

describe("settling after a start", () => {
  test("[LINE-8] everybody unspent and uncalled may be there", () => {
    const line = mixed();
    line.markAllUnconfirmed();
    expect(standings(line)).toEqual([
      "unconfirmed",
      "unconfirmed",
      "called",
      "spent",
      "unconfirmed",
      "unconfirmed",
    ]);
    expect([line.waiting, line.unconfirmed, line.presentOf(here)]).toEqual([0, 4, 0]);
  });

  test.each([
    [2, ["away", "unconfirmed", "called", "spent", "unconfirmed", "unconfirmed"]],
    [6, ["away", "away", "called", "spent", "away", "unconfirmed"]],
    [7, ["away", "away", "called", "spent", "away", "away"]],
  ])("[LINE-8] below %i everybody is known to be away", (from, expected) => {
    const line = mixed();
    line.settleAll(later);
    for (const n of [1, 2, 5, 6]) line.markAway(no(n), later);
    line.markAllUnconfirmed(from);
    expect(standings(line)).toEqual(expected);
    expect(line.awayBelow).toBe(from);
  });

  test("[LINE-11] the present numbers of a lobby that begins anew are unconfirmed, and nobody else", () => {
    const line = mixed();
    line.markUnconfirmed(here);
    expect(standings(line)).toEqual(["unconfirmed", "away", "called", "spent", "present", "away"]);
  });

  test.each(["away", "unconfirmed"] as const)(
    "[LINE-9] a report makes the missing %s",
    (missing) => {
      const line = mixed();
      line.report(here, [2, 2, 3, 4, 5, 6, 99, 0].map(no), missing, later);
      expect(standings(line)).toEqual([missing, "present", "called", "spent", "present", "away"]);
    },
  );

  test("[LINE-9] an empty report is one too, and replaces unconfirmed as well", () => {
    const line = mixed();
    line.markAllUnconfirmed();
    line.report(here, [], "away", later);
    expect(standings(line)).toEqual([
      "away",
      "away",
      "called",
      "spent",
      "unconfirmed",
      "unconfirmed",
    ]);
  });

  test("[LINE-10] who is still unconfirmed when the room has settled is away", () => {
    const line = mixed();
    line.markAllUnconfirmed();
    line.markPresent(no(2));
    line.settleAll(later);
    expect(standings(line)).toEqual(["away", "present", "called", "spent", "away", "away"]);
  });
});

describe("the rows of a line", () => {
  test("[LINE-15] rebuild it", () => {
    const line = mixed();
    const spent = line.dirtySpentChunks().map((chunk) => ({ chunk, bits: line.spentBytes(chunk) }));
    const runs = [
      { first: no(1), count: 4, lobby: here },
      { first: no(5), count: 2, lobby: there },
    ];
    const again = Line.restore(stored({ issued: 6, runs, spent, called: [no(3)] }), later);
    expect(standings(again)).toEqual(["away", "away", "called", "spent", "away", "away"]);
    expect([1, 4, 5].map((n) => again.lobbyOf(no(n)))).toEqual([here, null, there]);
    expect([...again.lobbies()]).toEqual([here, there]);
    expect(again.dirtySpentChunks()).toEqual([]);
  });

  test("[LINE-15] what no run covers, or lies below the base, is spent", () => {
    const runs = [{ first: no(8_190), count: 4, lobby: here }];
    const spent = [{ chunk: 0, bits: new Uint8Array(CHUNK_BYTES) }];
    const line = Line.restore(stored({ issued: 8_195, base: 1, runs, spent }), early);
    expect(standings(line, 8_190)).toEqual(["spent", "spent", "away", "away", "spent", "spent"]);
    expect(line.unspent).toBe(2);
  });

  test("[LINE-15] that contradict each other are a bug of ours", () => {
    const run = { first: no(3), count: 2, lobby: here };
    const restore = (rows: Partial<StoredLine>) => () => Line.restore(stored(rows), early);
    expect(restore({ issued: 3, runs: [run] })).toThrow("a run was issued");
    expect(restore({ issued: 3, runs: [{ ...run, first: no(0) }] })).toThrow("a run was issued");
    expect(restore({ issued: 4, runs: [run], called: [no(2)] })).toThrow("an unspent number");
    expect(restore({ issued: 8_190, base: 1 })).toThrow("only issued chunks");
  });

  test("[LINE-16] a chunk is dirty once for all that was spent in it", () => {
    const line = new Line();
    issueMany(line, 8_200, here);
    expect(line.dirtySpentChunks()).toEqual([]);
    for (const n of [8_199, 8_192, 2, 3, 2]) line.spend(no(n));
    expect(line.dirtySpentChunks()).toEqual([0, 1]);
    expect(line.dirtySpentChunks()).toEqual([]);
    issueMany(line, 8_192, here, "spent");
    expect(line.dirtySpentChunks()).toEqual([1, 2]);
  });

  test("[LINE-17] hold a bit for each spent number, and none for those not yet issued", () => {
    const line = new Line();
    issueMany(line, 10, here);
    line.spend(no(1));
    line.spend(no(9));
    expect([...line.spentBytes(0).subarray(0, 3)]).toEqual([0b10, 0b10, 0]);
    issueMany(line, 3, here, "spent");
    expect([...line.spentBytes(0).subarray(0, 3)]).toEqual([0b10, 0b0011_1010, 0]);
    expect(line.spentBytes(1).every((byte) => byte === 0)).toBe(true);
  });

  test("[LINE-17] hold the first number of a chunk as any other, but never 0", () => {
    const line = new Line();
    issueMany(line, 8_193, here, "spent");
    expect([line.spentBytes(0)[0], line.spentBytes(1)[0]]).toEqual([0b1111_1110, 0b11]);
  });
});

describe("sweeping", () => {
  /** Chunk 0 is fully issued; 1 to 3 of it are unspent and away since `early`. */
  const stale = (issued = 8_191): Line => {
    const line = new Line();
    issueMany(line, 3, here);
    issueMany(line, issued - 3, here, "spent");
    for (const n of [1, 2, 3]) line.markAway(no(n), early);
    line.dirtySpentChunks();
    return line;
  };
  const nothing = { dropped: 0 };

  test.each([
    [999, false],
    [1_000, true],
    [1_001, true],
  ])("[LINE-22] away since 1,000, swept up to %i: gone is %s", (before, gone) => {
    const line = stale();
    line.sweep(instant(before));
    expect(line.unspent).toBe(gone ? 0 : 3);
  });

  test("[LINE-22] the last of a chunk to become away counts for all of it", () => {
    const line = stale();
    line.markPresent(no(3));
    line.markAway(no(3), later);
    expect(line.sweep(early)).toEqual({ base: 0, ...nothing });
    line.sweep(later);
    expect(line.unspent).toBe(0);
  });

  test.each([
    ["present", (line: Line) => line.markPresent(no(2))],
    ["called", (line: Line) => line.markPresent(no(2)) && line.call(no(2))],
    ["unconfirmed", (line: Line) => line.markAllUnconfirmed()],
  ])("[LINE-22] one that is %s keeps its whole chunk", (_, keep) => {
    const line = stale();
    keep(line);
    expect(line.sweep(later)).toEqual({ base: 0, ...nothing });
    expect(line.unspent).toBe(3);
  });

  test.each([
    [8_190, 0, 3],
    [8_191, 1, 0],
  ])("[LINE-22] [LINE-18] with %i issued the base is %i", (issued, base, unspent) => {
    const line = stale(issued);
    expect(line.sweep(later).base).toBe(base);
    expect([line.base, line.unspent]).toEqual([base, unspent]);
    expect(line.standingOf(no(1))).toBe(unspent > 0 ? "away" : "spent");
  });

  test("[LINE-23] a restart starts everybody's time anew", () => {
    const runs = [{ first: no(1), count: 8_191, lobby: here }];
    const line = Line.restore(stored({ issued: 8_191, runs }), later);
    line.sweep(early);
    expect(line.unspent).toBe(8_191);
    line.sweep(later);
    expect(line.unspent).toBe(0);
  });

  test("[LINE-18] a kept chunk holds the base, and those above it are spent in place", () => {
    const line = stale();
    issueMany(line, 8_192, there);
    issueMany(line, 8_192, here, "spent");
    line.dirtySpentChunks();
    line.report(there, [], "away", early);
    line.markPresent(no(1));
    expect(line.sweep(early)).toEqual({ base: 0, dropped: 0 });
    expect(line.dirtySpentChunks()).toEqual([1]);
    expect([...line.lobbies()]).toEqual([here]);
    for (const n of [1, 2, 3]) line.spend(no(n));
    expect(line.sweep(early)).toEqual({ base: 3, dropped: 3 });
  });

  test("[LINE-16] [LINE-18] what is dropped needs no row", () => {
    const line = stale();
    line.spend(no(1));
    expect(line.sweep(later)).toEqual({ base: 1, dropped: 1 });
    expect(line.dirtySpentChunks()).toEqual([]);
    expect(line.sweep(later)).toEqual({ base: 1, ...nothing });
  });

  test("[LINE-16] a sweep leaves what is dirty from the base up", () => {
    const line = stale();
    issueMany(line, 2, here);
    line.spend(no(8_192));
    expect(line.sweep(later)).toEqual({ base: 1, dropped: 1 });
    expect(line.dirtySpentChunks()).toEqual([1]);
  });
});
