import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import type { TicketNumber } from "../../../src/core/ids.ts";
import { Line } from "../../../src/core/line/line.ts";
import { instant } from "../../../src/core/time.ts";
import { issueMany } from "./issue-many.ts";

const [here, there] = [lobbyIndex(0), lobbyIndex(7)];
const [early, later] = [instant(1_000), instant(2_000)];
const no = ticketNumber;

const lineOf = (count: number): Line => {
  const line = new Line();
  issueMany(line, count, here);
  return line;
};

/** Everything below is spent; the next number issued is `next`. */
const lineFrom = (next: number): Line => {
  const issued = next - 1;
  const base = Math.floor(next / 8_192);
  return Line.restore({ issued, base, runs: [], spent: [], called: [] }, early);
};

const standings = (line: Line): (string | null)[] =>
  Array.from({ length: line.issued }, (_, at) => line.standingOf(no(at + 1)));

describe("issuing", () => {
  test("[LINE-1] starts at 1 and rises by one, whichever lobby asks", () => {
    const line = new Line();
    expect(line.issued).toBe(0);
    expect(Array.from({ length: 5 }, () => line.issue(there))).toEqual([1, 2, 3, 4, 5]);
    expect([line.issue(here), line.issue(there)]).toEqual([6, 7]);
    expect(line.issued).toBe(7);
    expect(line.lobbyOf(no(1))).toBe(there);
    expect(line.lobbyOf(no(6))).toBe(here);
  });

  test("[LINE-1] goes on over a restart where it was, also past spent numbers", () => {
    expect(lineFrom(12_345).issue(here)).toBe(12_345);
  });

  test("[LINE-1] crosses from chunk to chunk", () => {
    const line = lineFrom(8_190);
    issueMany(line, 5, there);
    expect([8_189, 8_190, 8_191, 8_192, 8_194, 8_195].map((n) => line.standingOf(no(n)))).toEqual([
      "spent",
      "present",
      "present",
      "present",
      "present",
      null,
    ]);
    expect([8_189, 8_190, 8_192, 8_195].map((n) => line.ahead(no(n)))).toEqual([0, 0, 2, 5]);
  });

  test("[LINE-20] as called or spent, a number never stands in the line", () => {
    const line = lineOf(1);
    issueMany(line, 2, there, "called");
    issueMany(line, 2, there, "spent");
    expect(standings(line)).toEqual(["present", "called", "called", "spent", "spent"]);
    expect([line.waiting, line.unspent, line.unspentOf(there)]).toEqual([1, 3, 2]);
    expect(line.ahead(no(6))).toBe(1);
  });

  test("asks for nonsense only through a bug of ours", () => {
    expect(() => new Line().issue(lobbyIndex(65_535))).toThrow("two bytes");
    expect(() => new Line().issue(lobbyIndex(-1))).toThrow("two bytes");
    expect(new Line().issue(lobbyIndex(65_534))).toBe(1);
    const line = lineFrom(2 ** 48);
    expect(line.issue(here)).toBe(2 ** 48);
    expect(() => line.issue(here)).toThrow("exact");
  });
});

describe("standing", () => {
  test("[LINE-2] each lobby's present are counted, and a lobby without numbers has none", () => {
    const line = lineOf(3);
    issueMany(line, 2, there);
    const counts = () => [here, there, lobbyIndex(9)].map((lobby) => line.presentOf(lobby));
    expect(counts()).toEqual([3, 2, 0]);
    line.markAway(no(1), early);
    line.call(no(4));
    expect(counts()).toEqual([2, 1, 0]);
    line.markPresent(no(1));
    expect([counts(), line.unspentOf(lobbyIndex(9))]).toEqual([[3, 1, 0], 0]);
  });

  test("[LINE-12] the table of positions is of all that stand in the line", () => {
    const line = lineOf(5);
    line.markAway(no(2), early);
    line.call(no(3));
    expect([...line.positions().spots]).toEqual([1, 4, 5]);
    expect([...line.positions(2).spots]).toEqual([1, 5]);
  });

  test("[LINE-3] spent is final", () => {
    const line = lineOf(2);
    expect(line.spend(no(1))).toBe(true);
    expect(line.spend(no(1))).toBe(false);
    expect(line.markPresent(no(1))).toBe(false);
    expect(line.markAway(no(1), later)).toBe(false);
    expect(line.call(no(1))).toBe(false);
    expect(line.uncall(no(1), later)).toBe(false);
    line.report(here, [no(1), no(2)], "away", later);
    line.markAllUnconfirmed();
    expect(standings(line)).toEqual(["spent", "unconfirmed"]);
  });

  test("[LINE-4] a called number is ahead of nobody, and returns to where it stood", () => {
    const line = lineOf(3);
    expect(line.call(no(2))).toBe(true);
    expect(line.call(no(2))).toBe(false);
    expect(line.markPresent(no(2))).toBe(false);
    expect(line.markAway(no(2), later)).toBe(false);
    expect([line.ahead(no(3)), line.waiting, line.unspent]).toEqual([1, 2, 3]);
    expect(line.uncall(no(2), later)).toBe(true);
    expect(line.uncall(no(2), later)).toBe(false);
    expect(line.markPresent(no(2))).toBe(true);
    expect([...line.callable(3)]).toEqual([1, 2, 3]);
  });

  test("[LINE-4] a missed call leaves it away", () => {
    const line = lineOf(2);
    line.call(no(1));
    line.uncall(no(1), later);
    expect(standings(line)).toEqual(["away", "present"]);
    expect(line.call(no(1))).toBe(false);
  });

  test("[LINE-21] who comes back stands where the number stands", () => {
    const line = lineOf(4);
    expect(line.markAway(no(2), early)).toBe(true);
    expect(line.markAway(no(2), early)).toBe(false);
    expect([line.ahead(no(2)), line.ahead(no(4))]).toEqual([1, 2]);
    issueMany(line, 3, there);
    expect(line.markPresent(no(2))).toBe(true);
    expect([line.ahead(no(2)), line.ahead(no(3)), line.ahead(no(7))]).toEqual([1, 2, 6]);
    expect([...line.callable(2)]).toEqual([1, 2]);
  });

  test.each([0, -1, 3, 2 ** 48, Number.NaN])("[LINE-14] %d was never issued", (n) => {
    const line = lineOf(2);
    expect(line.standingOf(no(n))).toBeNull();
    expect(line.lobbyOf(no(n))).toBeNull();
    const changes = [line.markPresent(no(n)), line.markAway(no(n), later), line.spend(no(n))];
    expect([...changes, line.call(no(n)), line.uncall(no(n), later)]).not.toContain(true);
    expect(standings(line)).toEqual(["present", "present"]);
  });

  test("[LINE-14] below the base a number is spent", () => {
    const line = lineFrom(3 * 8_192);
    expect(line.standingOf(no(1))).toBe("spent");
    expect(line.standingOf(no(3 * 8_192 - 1))).toBe("spent");
    expect(line.markPresent(no(8_192))).toBe(false);
    expect(line.ahead(no(8_192))).toBe(0);
  });
});

describe("calling", () => {
  /** unconfirmed 1 and 4 · present 2, 3 and 5. */
  const settling = (): Line => {
    const line = lineOf(5);
    line.markAllUnconfirmed();
    for (const n of [2, 3, 5]) line.markPresent(no(n));
    return line;
  };

  test("[LINE-5] unconfirmed numbers are ahead while they last", () => {
    const line = settling();
    expect([line.ahead(no(2)), line.ahead(no(5)), line.unconfirmed]).toEqual([1, 4, 2]);
    line.settleAll(later);
    expect([line.ahead(no(2)), line.ahead(no(5)), line.unconfirmed]).toEqual([0, 2, 0]);
  });

  test.each([
    [-1, []],
    [0, []],
    [1, []],
    [2, [2]],
    [3, [2, 3]],
    [4, [2, 3]],
    [5, [2, 3, 5]],
    [1_000, [2, 3, 5]],
  ])("[LINE-6] while the room settles, %i free permits may go to %j", (free, callable) => {
    expect([...settling().callable(free)]).toEqual(callable);
  });

  test("[LINE-6] one that keeps a permit back does so also for the next walk", () => {
    const line = settling();
    for (const n of line.callable(3)) line.call(n);
    expect([...line.callable(1)]).toEqual([]);
    expect(line.head()).toBeNull();
    line.settleAll(later);
    expect(line.head()).toBe(5);
  });

  test.each([
    ["called", (line: Line, n: TicketNumber) => line.call(n)],
    ["spent", (line: Line, n: TicketNumber) => line.spend(n)],
    ["sent away", (line: Line, n: TicketNumber) => line.markAway(n, later)],
    ["left alone", () => true],
  ])("[LINE-7] the walk is the same when who is met gets %s", (_, change) => {
    const line = lineFrom(8_189);
    issueMany(line, 9, here);
    const met: number[] = [];
    for (const n of line.callable(6)) {
      met.push(n);
      change(line, n);
    }
    expect(met).toEqual([8_189, 8_190, 8_191, 8_192, 8_193, 8_194]);
  });

  test("[LINE-5] the k-th in line has k ahead", () => {
    const line = settling();
    line.call(no(2));
    expect([-1, 0, 1, 3, 4].map((k) => line.memberAt(k))).toEqual([null, 1, 3, 5, null]);
  });
});
