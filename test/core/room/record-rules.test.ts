import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import type { Op } from "../../../src/core/room/commands.ts";
import { addedUp } from "../../../src/core/room/history-steps.ts";
import { History, emptyRow, type HistoryRow } from "../../../src/core/room/history.ts";
import { minuteResource } from "../../../src/api/rooms/history.ts";
import { instant } from "../../../src/core/time.ts";
import { JOIN, World } from "./world.ts";

const current = (w: World): HistoryRow => w.state.history.current ?? emptyRow(instant(0));
const told = (w: World) => minuteResource(current(w));

const claim = (number: number, joinedAt: number): Op => ({
  op: "claim",
  number: ticketNumber(number),
  joinedAt: instant(joinedAt),
});

describe("what is counted", () => {
  test("[RECORD-1] tickets are told apart from the numbers of the open door", () => {
    const w = new World({ permitsMax: 1 });
    w.entered(true);
    w.crowd(2);
    expect(told(w)).toMatchObject({ issued: 3, joined: 2, entries_by_door: 1 });
  });

  test("[RECORD-1] a place is given up once; one that was called is missed as well", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.leave(1);
    w.leave(3);
    w.leave(3);
    w.leave(99);
    expect(told(w)).toMatchObject({ left: 2, missed: 1 });
  });

  test("[RECORD-1] a visitor who has a visit gives its other ticket up by claiming with it", () => {
    const w = new World({ permitsMax: 2 });
    const visitor = "v".repeat(22) as never;
    w.crowd(2);
    w.one({ op: "claim", number: ticketNumber(1), visitor });
    w.one({ op: "claim", number: ticketNumber(2), visitor });
    expect(told(w)).toMatchObject({ left: 1, entries_by_usher: 1 });
  });

  test("[RECORD-1] refusals are told by their reason, and their sum", () => {
    const w = new World({ permitsMax: 1, lineMax: 1 });
    w.batch([JOIN, JOIN, JOIN]);
    w.configure({ closed: "sold out" });
    w.batch([JOIN]);
    w.configure({ closed: null, suspended: true });
    w.batch([JOIN]);
    expect(told(w)).toMatchObject({
      refused: 4,
      refused_line_full: 2,
      refused_room_closed: 1,
      refused_room_suspended: 1,
      refused_lobby_full: 0,
      refused_too_many_joins: 0,
    });
  });

  test("[RECORD-1] joins and entries beyond what an address may are refused as that", () => {
    const w = new World({ permitsMax: 9, joinsPerAddressPerMinuteMax: 1 });
    const address = "0123456789abcdef";
    w.batch([1, 2].map(() => ({ op: "enter", transient: false, address })));
    const other = "fedcba9876543210";
    w.batch([1, 2].map(() => ({ op: "join", address: other })));
    expect(told(w)).toMatchObject({ refused_too_many_joins: 2, refused: 2 });
  });

  test("[RECORD-1] a batch that comes again after a crash counts nothing twice", () => {
    const w = new World({ permitsMax: 1, lineMax: 2 });
    w.crowd(2);
    const batch = w.compose([JOIN, JOIN, claim(1, w.now - 5_000)]);
    const before = w.run({ type: "batch", batch });
    const counted = told(w);
    w.crash();
    expect(w.run({ type: "batch", batch }).replies).toEqual(before.replies);
    expect(told(w)).toEqual(counted);
    expect(counted).toMatchObject({ joined: 3, refused_line_full: 1, waits: 1 });
  });

  test("[RECORD-1] a step that was not written is not counted, and its batch counts when it comes again", () => {
    const w = new World({ permitsMax: 1, lineMax: 2 });
    w.crowd(2);
    const batch = w.compose([JOIN, JOIN, claim(1, w.now - 5_000)]);
    w.runLost({ type: "batch", batch });
    expect(told(w)).toMatchObject({ joined: 2, refused: 0, waits: 0 });
    w.run({ type: "batch", batch });
    expect(told(w)).toMatchObject({ joined: 3, refused: 1, waits: 1 });
  });
});

describe("waits", () => {
  const waited = (w: World) => {
    const { waits, wait_max_seconds } = told(w);
    return [waits, wait_max_seconds];
  };

  test("[RECORD-2] from taking the ticket to the claim, on the Room's clock", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000 });
    const joinedAt = w.now;
    w.crowd(1);
    w.tick(59_000);
    w.one(claim(1, joinedAt));
    w.one(claim(1, joinedAt));
    expect(waited(w)).toEqual([1, 59]);
  });

  test.each([
    ["ahead of the Room", 5_000, 0],
    ["far behind it", -90 * 24 * 3_600_000, 30 * 24 * 3_600],
  ])("[RECORD-2] by a lobby's clock %s a wait stays within its bounds", (_, skewMs, seconds) => {
    const w = new World({ permitsMax: 1 });
    w.crowd(1);
    w.one(claim(1, w.now + skewMs));
    expect(waited(w)).toEqual([1, seconds]);
  });

  test("[RECORD-2] who was away in between has waited from the first", () => {
    const w = new World({ permitsMax: 1, returnWindowMs: 3_600_000 });
    const joinedAt = w.now;
    w.crowd(2);
    w.visit(1);
    w.away(2);
    w.tick(600_000);
    w.end(1);
    w.back(2, 600_000);
    w.one(claim(2, joinedAt));
    expect(waited(w)).toEqual([1, 600]);
  });

  test("[RECORD-2] who enters by the open door has not waited, and a ticket's unknown time is not guessed", () => {
    const w = new World({ permitsMax: 2 });
    w.entered();
    w.crowd(1);
    w.visit(2);
    expect(waited(w)).toEqual([0, null]);
  });

  test("[RECORD-2] a request that starts in its own step has not waited, others since they came first", () => {
    const w = new World({ permit: "request", permitsMax: 1 });
    const ask = (ticket: Extract<Op, { op: "request" }>["ticket"]): Op => ({
      op: "request",
      ticket,
      holdMs: 20_000,
      address: null,
    });
    w.batch([ask(null)]);
    expect(waited(w)).toEqual([0, null]);
    w.batch([ask(null)]);
    const joinedAt = instant(w.now - 30_000);
    w.now += 4_000;
    const three = w.join();
    w.batch([ask({ number: three, heardAt: instant(w.now), joinedAt })]);
    w.now += 6_000;
    w.end(1);
    expect(waited(w)).toEqual([1, 10]);
    w.end(2);
    expect(waited(w)).toEqual([2, 40]);
  });

  test("[RECORD-2] a baton that a lobby passed ends a wait as well", () => {
    const w = new World({ permit: "request", permitsMax: 1 });
    w.batch([1, 2].map(() => ({ op: "request", ticket: null, holdMs: 20_000, address: null })));
    w.now += 3_000;
    w.one({ op: "baton", from: ticketNumber(1), to: ticketNumber(2) });
    expect(waited(w)).toEqual([1, 3]);
  });

  test("[RECORD-2] a baton that reaches the Room after a crash says itself since when its request waits", () => {
    const w = new World({ permit: "request", permitsMax: 1 });
    w.batch([1, 2].map(() => ({ op: "request", ticket: null, holdMs: 20_000, address: null })));
    const joinedAt = instant(w.now);
    w.crash();
    w.now += 3_000;
    w.one({ op: "baton", from: ticketNumber(1), to: ticketNumber(2), joinedAt });
    expect(waited(w)).toEqual([1, 3]);
  });

  test("[RECORD-2] the waits of the minute that runs outlive a crash", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(2);
    w.one(claim(1, w.now - 10_000));
    w.crash();
    w.one(claim(2, w.now - 20_000));
    expect(waited(w)).toEqual([2, 20]);
  });

  test("[RECORD-3] percentiles are right within 4.5 %, and never above the longest", () => {
    const history = new History();
    const now = instant(1_800_000_000_000);
    for (let ms = 100; ms <= 100_000; ms += 100) history.waited(instant(now - ms), now);
    const row = minuteResource(history.current ?? emptyRow(now));
    for (const [told, exact] of [
      [row.wait_p50_seconds, 50],
      [row.wait_p90_seconds, 90],
      [row.wait_p99_seconds, 99],
    ] as const)
      expect(Math.abs((told ?? 0) / exact - 1)).toBeLessThan(0.046);
    expect(row).toMatchObject({ waits: 1_000, wait_max_seconds: 100 });
    expect(row.wait_p99_seconds).toBeLessThanOrEqual(100);
  });
});

describe("what only isolates see", () => {
  const report = { bypassed: 1, arrivals: 5, origin: { answers: 3, errors: 2, latencyMs: [] } };

  test("[RECORD-4] it belongs to the minute in which it is told", () => {
    const w = new World({ permitsMax: 1 });
    w.run({ type: "snapshot", since: null, report });
    w.run({ type: "snapshot", since: null, report: { ...report, origin: null } });
    expect(told(w)).toMatchObject({
      arrivals: 10,
      bypassed: 2,
      origin_answers: 3,
      origin_errors: 2,
    });
  });

  test("[RECORD-4] telling costs no row by itself, but what was told is written within 30 s", () => {
    const w = new World({ permitsMax: 1 });
    const tell = () => w.run({ type: "snapshot", since: null, report });
    tell();
    w.now += 29_999;
    tell();
    expect(w.last?.changes).toEqual([]);
    w.now += 1;
    tell();
    expect(w.written("head")).toHaveLength(1);
    w.crash();
    expect(told(w)).toMatchObject({ arrivals: 15 });
    tell();
    expect(w.last?.changes).toEqual([]);
  });

  test("[RECORD-4] with whatever else is written it is written as well", () => {
    const w = new World({ permitsMax: 1 });
    w.run({ type: "snapshot", since: null, report });
    w.crowd(1);
    w.crash();
    expect(told(w)).toMatchObject({ arrivals: 5, joined: 1 });
  });
});

describe("hours and days", () => {
  const AT = Date.UTC(2026, 10, 20, 9, 58);
  const row = (minute: number, waits: readonly number[], more: Partial<HistoryRow>): HistoryRow => {
    const history = new History(emptyRow(instant(AT + minute * 60_000)));
    const now = instant(AT + minute * 60_000);
    for (const ms of waits) history.waited(instant(now - ms), now);
    return { ...(history.current ?? emptyRow(now)), ...more };
  };

  test("[RECORD-5] counts are added, peaks the highest, percentiles those of all together", () => {
    const rows = [
      row(0, [1_000, 1_000], { issued: 2, waitingMax: 9, refusedBy: { "line-full": 1 } }),
      row(1, [], { issued: 3, waitingMax: 4, arrivals: 2, outMax: 7 }),
      row(2, [64_000], { issued: 5, waitingMax: 1, refusedBy: { "line-full": 2, busy: 1 } }),
    ];
    const hours = addedUp(rows, "hour").map(minuteResource);
    expect(hours).toMatchObject([
      { minute: "2026-11-20T09:00:00.000Z", issued: 5, arrivals: 2, waiting_max: 9, out_max: 7 },
      { minute: "2026-11-20T10:00:00.000Z", issued: 5, refused_line_full: 2, wait_max_seconds: 64 },
    ]);
    expect(hours[0]).toMatchObject({ waits: 2, wait_max_seconds: 1, refused_line_full: 1 });
    const [day] = addedUp(rows, "day").map(minuteResource);
    expect(day).toMatchObject({ issued: 10, waits: 3, wait_p50_seconds: expect.closeTo(1, 1) });
    expect(day).toMatchObject({ refused_line_full: 3, wait_max_seconds: 64 });
    expect(addedUp(rows, "minute")).toBe(rows);
  });

  test("[RECORD-10] how well waits were foretold is told in percent, of hours and days as well", () => {
    const held = { etaChecked: 3, etaHeld: 2, etaErrorPercent: 40 };
    const rows = [row(0, [], held), row(1, [], { etaChecked: 1, etaHeld: 1, etaErrorPercent: 5 })];
    expect(minuteResource(rows[0] ?? emptyRow(instant(0)))).toMatchObject({
      waits_within_range_percent: 66.7,
      waits_error_percent_mean: 13.3,
    });
    expect(addedUp(rows, "hour").map(minuteResource)).toMatchObject([
      { waits_checked: 4, waits_within_range_percent: 75, waits_error_percent_mean: 11.3 },
    ]);
    expect(minuteResource(emptyRow(instant(0)))).toMatchObject({
      waits_within_range_percent: null,
      waits_error_percent_mean: null,
    });
  });

  test("[RECORD-7] rows of an earlier version are read: what they do not have was not counted", () => {
    const { joined: _, left: __, ...old } = emptyRow(instant(AT));
    const before = { ...old, issued: 4, etaChecked: undefined };
    const stored = JSON.parse(JSON.stringify(before)) as HistoryRow;
    expect(minuteResource(stored)).toMatchObject({ issued: 4, joined: 0, waits: 0, left: 0 });
    expect(addedUp([stored, stored], "day").map(minuteResource)).toMatchObject([
      { issued: 8, joined: 0, wait_p50_seconds: null, refused_line_full: 0 },
    ]);
    const history = new History(stored);
    history.count("left", instant(AT));
    history.refused("line-full", instant(AT));
    history.waited(instant(AT - 10), instant(AT));
    expect(history.current).toMatchObject({ issued: 4, left: 1, refusedBy: { "line-full": 1 } });
  });
});

test("[RECORD-8] the record writes no row of its own: as many rows as visits, misses and leaves need", () => {
  const w = new World({ permitsMax: 2 });
  let rows = 0;
  const run = (act: () => unknown): void => {
    act();
    rows +=
      w.last?.changes.filter((change) => "put" in change && change.put === "history").length ?? 0;
  };
  for (let visitor = 1; visitor <= 100; visitor += 1) {
    run(() => w.crowd(1, { lobby: lobbyIndex(0) }));
    run(() => w.one(claim(visitor, w.now - 1_000)));
    run(() => w.end(visitor));
  }
  run(() => w.tick(60_000));
  expect(rows).toBe(1);
});
