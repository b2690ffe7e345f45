import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import { roomStatusOf } from "../../../src/core/room/view.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const ONE = lobbyIndex(0);
const TWO = lobbyIndex(1);

describe("silence", () => {
  test.each([
    [94_999, "waiting"],
    [95_000, "away"],
  ])("[LOBBY-1] after %i ms without a word from a lobby its numbers are %s", (ms, standing) => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000 });
    w.crowd(2);
    for (const until = w.now + ms; w.now < until;) w.tick(Math.min(1_000, until - w.now));
    expect(w.standing(2)).toBe(standing);
  });

  test.each([
    [34_999, "waiting"],
    [35_000, "away"],
  ])("[REGION-16] in a room with regions after %i ms: %s", (ms, standing) => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000, regions: ["weur", "apac"] });
    w.crowd(2);
    for (const until = w.now + ms; w.now < until;) w.tick(Math.min(1_000, until - w.now));
    expect(w.standing(2)).toBe(standing);
  });

  test("[LOBBY-1] a lobby that speaks again is asked whom it holds", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000 });
    w.crowd(2);
    for (let second = 0; second < 95; second += 1) w.tick(1_000);
    expect(w.answer([])).toMatchObject({ reportWanted: true });
    expect(w.report([2])).toMatchObject({ reportWanted: false });
    expect(w.standing(2)).toBe("waiting");
  });

  test("[LOBBY-1] of two lobbies only the silent one's numbers are away", () => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000 });
    w.crowd(2, { lobby: ONE });
    w.crowd(1, { lobby: TWO });
    for (let second = 0; second < 100; second += 1) {
      w.now += 1_000;
      w.answer([], { lobby: TWO });
    }
    expect([w.standing(2), w.standing(3)]).toEqual(["away", "waiting"]);
  });

  test("[LOBBY-2] the room's own sleep, or a jump of its clock, is nobody's silence", () => {
    const w = new World({ permitsMax: 1, leaseMs: 60_000, claimWithinMs: 600_000 });
    w.crowd(3, { lobby: ONE });
    w.crowd(2, { lobby: TWO });
    w.visit(1);
    w.now += 86_400_000;
    w.report([4, 5], { lobby: TWO });
    expect([w.justCalled, w.standing(3), w.standing(4)]).toEqual([[2], "waiting", "waiting"]);
    for (let second = 0; second < 95; second += 1) w.tick(1_000);
    expect(w.standing(3)).toBe("away");
  });
});

describe("the room's own absence", () => {
  test.each([
    [10_000, "away"],
    [10_001, "waiting"],
  ])("[LOBBY-2] a gap of %i ms between two steps, ten times: %s", (ms, standing) => {
    const w = new World({ permitsMax: 1, claimWithinMs: 600_000 });
    w.crowd(2);
    for (let gap = 0; gap < 10; gap += 1) w.tick(ms);
    expect(w.standing(2)).toBe(standing);
  });

  test("[LOBBY-1] with nobody in line a room sleeps, and asks who is there when it wakes", () => {
    const w = new World();
    expect(w.answer([])).toMatchObject({ reportWanted: false });
    w.now += 100_000;
    expect(w.answer([])).toMatchObject({ reportWanted: true });
  });
});

describe("what a lobby is told", () => {
  test("[LOBBY-3] a lobby alone does not gather; of n active ones each waits 2n ms, at most 250", () => {
    const w = new World();
    expect(w.answer([])).toMatchObject({ waitMs: 0 });
    expect(w.answer([], { lobby: TWO })).toMatchObject({ waitMs: 4 });
    w.now += 9_999;
    expect(w.answer([], { lobby: TWO })).toMatchObject({ waitMs: 4 });
    w.now += 1;
    expect(w.answer([], { lobby: TWO })).toMatchObject({ waitMs: 0 });
    for (let index = 2; index < 200; index += 1) w.answer([], { lobby: lobbyIndex(index) });
    expect(w.answer([])).toMatchObject({ waitMs: 250 });
  });

  test("[LOBBY-4] after a start each lobby is asked whom it holds until it says so", () => {
    const w = new World();
    expect(w.answer([])).toMatchObject({ reportWanted: false });
    w.crash();
    expect(w.answer([])).toMatchObject({ reportWanted: true });
    expect(w.answer([])).toMatchObject({ reportWanted: true });
    expect(w.report([])).toMatchObject({ reportWanted: false });
    expect(w.answer([])).toMatchObject({ reportWanted: false });
  });

  test("[LOBBY-5] a call leaves with the step that made it, to the lobby of its number", () => {
    const w = new World({ permitsMax: 1 });
    w.join({ lobby: ONE });
    w.join({ lobby: TWO });
    w.leave(1);
    const claimBy = w.now + 60_000;
    expect([...w.last!.calls]).toMatchObject([[TWO, [{ number: 2, claimBy }]]]);
  });

  test("[LOBBY-5] a lobby that reports, or repeats a batch, hears every call that is unanswered", () => {
    const w = new World({ permitsMax: 3 });
    w.crowd(3);
    w.visit(2);
    w.tick();
    expect(w.told).toEqual([]);
    w.report([3]);
    expect(w.told).toEqual([1, 3]);
    w.answer([], { lobby: TWO, roster: [] });
    expect([...w.last!.calls]).toEqual([]);
    const batch = w.compose([]);
    w.run({ type: "batch", batch });
    expect(w.told).toEqual([]);
    w.run({ type: "batch", batch });
    expect(w.told).toEqual([1, 3]);
  });

  test("[LOBBY-5] one that reports in the very step in which a request begins hears of its visit", () => {
    const w = new World({ permit: "request", permitsMax: 2 });
    const ask = { op: "request", ticket: null, holdMs: 20_000, address: null } as const;
    for (let n = 1; n <= 3; n += 1) w.one(ask);
    w.batch([{ op: "end", visit: ticketNumber(1), afterMs: 0 }], { roster: [ticketNumber(3)] });
    expect([...w.last!.calls]).toMatchObject([[ONE, [{ number: 3, visit: { visit: 3 } }]]]);
  });

  test("[LOBBY-5] and of the calls that are unanswered as well", () => {
    const w = new World({ permit: "request", permitsMax: 2, paused: true });
    const ask = (number: number | null) => {
      const ticket = number && { number: ticketNumber(number), heardAt: instant(w.now) };
      return w.one({ op: "request", ticket: ticket || null, holdMs: 20_000, address: null });
    };
    for (let n = 1; n <= 3; n += 1) ask(null);
    w.crash();
    w.configure({ paused: false });
    w.report([1, 2, 3]);
    for (const number of [1, 3]) ask(number);
    w.batch([{ op: "end", visit: ticketNumber(1), afterMs: 0 }], {
      roster: [2, 3].map(ticketNumber),
    });
    const [lobby, calls] = [...w.last!.calls][0]!;
    expect([lobby, calls.map(({ number, visit }) => [number, visit?.visit])]).toEqual([
      ONE,
      [
        [3, 3],
        [2, undefined],
      ],
    ]);
  });

  test("[LOBBY-10] a lobby that is spoken to hears its unanswered calls again every 4 s", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(3);
    w.now += 3_999;
    w.answer([]);
    expect(w.told).toEqual([]);
    w.now += 1;
    w.answer([]);
    expect(w.told).toEqual([1, 2]);
    w.now += 1;
    w.answer([]);
    expect(w.told).toEqual([]);
    w.tick(3_999);
    expect([w.told, w.justCalled]).toEqual([[1, 2], []]);
  });

  test("[LOBBY-6] lobbies with somebody in line hear once a second where everyone stands", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3, { lobby: ONE });
    expect(w.last).toMatchObject({ positionsFor: [ONE], positionsTable: { nearUntil: 3 } });
    expect(w.last?.positionsTable?.positions.spots).toEqual(Float64Array.of(2, 3));
    w.crowd(1, { lobby: TWO });
    w.tick(999);
    expect(w.last).toMatchObject({ positionsFor: [], positionsTable: null });
    w.tick(1);
    expect(w.last?.positionsFor).toEqual([ONE, TWO]);
  });

  test("[LOBBY-6] they hear of a change of the room at once, and again a second later", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3, { lobby: ONE });
    w.now += 400;
    w.configure({ message: "Soon" });
    expect(w.last?.positionsFor).toEqual([ONE]);
    w.tick(999);
    expect(w.last?.positionsFor).toEqual([]);
    w.tick(1);
    expect(w.last?.positionsFor).toEqual([ONE]);
  });

  test("[LOBBY-6] one whose visitors are all away, called or in does not", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(2, { lobby: ONE });
    w.visit(1);
    w.crowd(2, { lobby: TWO });
    w.away(3, 4);
    w.crowd(1, { lobby: lobbyIndex(2) });
    w.tick(1_000);
    expect(w.last?.positionsFor).toEqual([2]);
  });

  test("[LOBBY-11] near its turn is whoever is among the next ten, the free permits and 20 s of entries", () => {
    const w = new World({ permitsMax: 20 });
    w.crowd(100);
    expect(w.last?.positionsTable?.nearUntil).toBe(31);
    for (let number = 1; number <= 10; number += 1) w.visit(number);
    w.tick(1_000);
    expect(w.last?.positionsTable?.nearUntil).toBe(51);
    w.configure({ paused: true });
    for (let visit = 1; visit <= 4; visit += 1) w.end(visit);
    w.tick(1_000);
    expect(w.last?.positionsTable?.nearUntil).toBe(55);
  });

  test("[LOBBY-12] of the room as a whole it may tell mode, messages, line, window and waits", () => {
    const w = new World({ permitsMax: 1, message: "hello", returnWindowMs: 60_000 });
    w.crowd(3);
    expect(roomStatusOf(w.state, instant(w.now))).toMatchObject({
      boot: "boot-1",
      mode: "queues",
      message: "hello",
      closed: null,
      waiting: 2,
      returnWindowMs: 60_000,
      waits: { at: w.now, unknown: null, outlook: { at: w.now, perMinuteMax: 100_000 } },
    });
  });

  test("[LOBBY-6] while the room settles all that may have somebody in line are told", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2, { lobby: ONE });
    w.crowd(1, { lobby: TWO });
    w.crash();
    w.tick();
    expect(w.last?.positionsFor).toEqual([ONE, TWO]);
  });
});

describe("which lobbies take joins", () => {
  const open = (w: World) => w.snapshot().lobbiesOpen;

  test("[LOBBY-7] at least `lobbies` are open, and one more with every 4,096 unspent tickets", () => {
    const w = new World({ permitsMax: 1, lobbiesMin: 2 });
    expect(open(w)).toEqual([0, 1]);
    w.crowd(8_191, { lobby: TWO });
    expect(open(w)).toEqual([0, 1]);
    w.crowd(1, { lobby: ONE });
    expect(open(w)).toEqual([0, 1, 2]);
  });

  test("[LOBBY-7] a lobby closes at 8,192 unspent tickets, and opens again below", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(8_192);
    expect(open(w)).toEqual([1, 2, 3]);
    w.leave(1);
    expect(open(w)).toEqual([0, 1]);
  });
});

describe("presence", () => {
  test("[LOBBY-8] a lobby says who is present and who is away; what it lists replaces both", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(5);
    w.away(2, 3);
    expect([2, 3, 4].map((n) => w.standing(n))).toEqual(["away", "away", "waiting"]);
    w.report([2, 5]);
    expect([2, 3, 4, 5].map((n) => w.standing(n))).toEqual(["waiting", "away", "away", "waiting"]);
  });

  test("[LOBBY-8] heard in the same batch as lost: present", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(2);
    w.answer([], { away: [ticketNumber(2)], present: [ticketNumber(2)] });
    expect(w.standing(2)).toBe("waiting");
  });

  test("[LOBBY-9] called, visiting and spent numbers, and those of others, are passed over", () => {
    const w = new World({ permitsMax: 2 });
    w.crowd(3, { lobby: ONE });
    w.crowd(2, { lobby: TWO });
    w.visit(1);
    w.leave(3);
    w.away(5);
    w.report([1, 2, 3, 5], { lobby: ONE });
    expect([1, 2, 3, 4, 5].map((n) => w.standing(n))).toEqual([
      "visiting",
      "called",
      "ended",
      "waiting",
      "away",
    ]);
    w.report([], { lobby: ONE });
    w.away(1, 2, 3);
    expect([w.standing(1), w.standing(2)]).toEqual(["visiting", "called"]);
  });
});
