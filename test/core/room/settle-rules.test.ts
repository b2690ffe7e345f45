import { describe, expect, test } from "vitest";
import { lobbyIndex, ticketNumber } from "../../../src/core/ids.ts";
import type { Op } from "../../../src/core/room/commands.ts";
import { settlingMs } from "../../../src/core/room/state.ts";
import { instant } from "../../../src/core/time.ts";
import { World } from "./world.ts";

const ONE = lobbyIndex(0);
const TWO = lobbyIndex(1);

/** Numbers 1 and 2 visit, 3 to 6 wait: odd ones in lobby 0, even ones in lobby 1. */
const twoLobbies = () => {
  const w = new World({ permitsMax: 2 });
  for (let number = 1; number <= 6; number += 1) w.join({ lobby: number % 2 === 1 ? ONE : TWO });
  w.visit(1);
  w.visit(2);
  return w;
};
const finish = (w: World, visit: 1 | 2) =>
  void w.run({ type: "end", visit: w.place(visit)!.number, afterMs: 0 });

describe("after a start the room settles", () => {
  test("[SETTLE-1] every unspent number may be present: nobody overtakes one that has not reported", () => {
    const w = twoLobbies();
    w.crash();
    finish(w, 1);
    w.report([5], { lobby: ONE });
    expect([w.justCalled, w.state.permits.free]).toEqual([[], 1]);
    expect(w.place(6)).toMatchObject({ ahead: 2 });
    w.report([4, 6], { lobby: TWO });
    expect(w.justCalled).toEqual([4]);
  });

  test("[SETTLE-2] a number is called while fewer than the free permits stand below it", () => {
    const w = twoLobbies();
    w.crash();
    finish(w, 1);
    finish(w, 2);
    w.report([5], { lobby: ONE });
    expect(w.justCalled).toEqual([5]);
    const w2 = twoLobbies();
    w2.crash();
    finish(w2, 1);
    finish(w2, 2);
    w2.report([6], { lobby: TWO });
    expect(w2.justCalled).toEqual([]);
    w2.report([3, 5], { lobby: ONE });
    expect(w2.justCalled).toEqual([3, 5]);
  });

  test.each([
    [1, [], [4]],
    [2, [5], [4]],
  ])(
    "[SETTLE-2] with %i starts a second and permits for all, whoever may be there keeps a start",
    (startsPerSecondMax, first, then) => {
      const w = new World({ permitsMax: 10, startsPerSecondMax: 2, ringGuardMs: 0 });
      for (let number = 1; number <= 6; number += 1)
        w.join({ lobby: number % 2 === 1 ? ONE : TWO });
      w.configure({ startsPerSecondMax });
      w.crash();
      w.tick(1_000);
      w.report([5], { lobby: ONE });
      expect(w.justCalled).toEqual(first);
      w.report([4, 6], { lobby: TWO });
      expect(w.justCalled).toEqual(then);
    },
  );

  test("[SETTLE-3] it ends as soon as every lobby has reported: the missing are away", () => {
    const w = twoLobbies();
    w.crash();
    finish(w, 1);
    w.report([6], { lobby: TWO });
    expect(w.standing(4)).toBe("away");
    w.report([5], { lobby: ONE });
    expect([w.justCalled, w.state.settlesUntil]).toEqual([[5], null]);
  });

  test("[SETTLE-4] it ends when its time is over, and not 1 ms earlier", () => {
    const w = twoLobbies();
    w.crash();
    finish(w, 1);
    w.report([6], { lobby: TWO });
    w.tick(3_999);
    expect([w.justCalled, w.state.line.unconfirmed]).toEqual([[], 2]);
    w.tick(1);
    expect([w.justCalled, w.state.line.unconfirmed]).toEqual([[6], 0]);
    expect(w.state.settlesUntil).toBe(null);
  });

  test.each([
    [1, 4_000],
    [80_000, 4_000],
    [80_040, 4_001],
    [1_000_000, 27_000],
  ])("[SETTLE-4] with %i numbers that may return it lasts at most %i ms", (numbers, ms) => {
    expect(settlingMs(numbers)).toBeCloseTo(ms, 9);
  });

  test("[SETTLE-5] whoever comes back while it settles is present, in whichever way", () => {
    const w = twoLobbies();
    w.crash();
    finish(w, 1);
    w.back(3, 5_000);
    expect(w.justCalled).toEqual([3]);
  });

  test("[SETTLE-6] a room without unspent numbers has nothing to settle", () => {
    const w = new World();
    w.renew(w.entered().visit);
    w.crash();
    expect(w.state.settlesUntil).toBe(null);
    expect(w.enter()).toMatchObject({ kind: "visit" });
  });

  test("[SETTLE-7] calls and visits outlive a start, with their times", () => {
    const w = twoLobbies();
    finish(w, 1);
    const { claimBy } = w.place(3)!;
    w.crash();
    expect(w.place(3)).toMatchObject({ state: "called", claimBy });
    expect(w.visit(3).visit).toBe(3);
    expect(w.look(2)).toMatchObject({ kind: "visit" });
  });
});

describe("a room that knows who was away", () => {
  /** Numbers 1 and 2 visit; 3 and 5 are away, 4 and 6 wait. */
  const twoAway = () => {
    const w = twoLobbies();
    w.away(3, 5);
    return w;
  };
  const seconds = (count: number) => Array.from({ length: count });
  const standings = (w: World) => [3, 4, 5, 6].map((n) => w.state.line.standingOf(ticketNumber(n)));

  test("[SETTLE-10] below the first in line everybody stays away; who stands behind may be present", () => {
    const w = twoAway();
    w.crash();
    expect(standings(w)).toEqual(["away", "unconfirmed", "unconfirmed", "unconfirmed"]);
    expect([w.place(6)?.ahead, w.snapshot().waiting]).toEqual([2, 3]);
  });

  test("[SETTLE-10] whoever comes back before the first in line is written in the same step", () => {
    const w = twoAway();
    w.present(5);
    expect(w.written("head")).toEqual([]);
    w.present(3);
    expect(w.written("head")).toMatchObject([{ head: { awayBelow: 3 } }]);
    w.crash();
    expect(standings(w)).toEqual(["unconfirmed", "unconfirmed", "unconfirmed", "unconfirmed"]);
  });

  test.each([
    ["the last in line is away", (w: World) => w.away(4, 6)],
    ["the last lobby falls silent", (w: World) => seconds(100).forEach(() => w.tick(1_000))],
    ["the settling is over", (w: World) => (w.crash(), w.tick(4_000))],
  ] as const)("[SETTLE-10] when %s, a room that sleeps wakes settled and open", (_, empty) => {
    const w = twoAway();
    empty(w);
    finish(w, 1);
    w.tick();
    expect(w.last?.changes).toEqual([]);
    w.crash();
    expect([w.state.settlesUntil, w.snapshot().mode]).toEqual([null, "open"]);
    expect(w.enter()).toMatchObject({ kind: "visit" });
    w.present(4);
    expect(w.place(4)).toMatchObject({ state: "waiting", ahead: 0 });
  });

  test("[SETTLE-10] in a room of requests the next one starts at once", () => {
    const w = new World({ permit: "request", permitsMax: 1 });
    const ask = (): Op => ({ op: "request", ticket: null, holdMs: 20_000, address: null });
    w.one(ask());
    w.one(ask());
    w.one({ op: "withdraw", number: ticketNumber(2) });
    w.end(1);
    w.crash();
    expect(w.one(ask())).toMatchObject({ kind: "visit", visit: { visit: 3 } });
  });

  test("[SETTLE-10] a room that an older version wrote settles for everybody", () => {
    const w = twoAway();
    const { head } = w.store.load();
    const { awayBelow, ...older } = head!;
    expect(awayBelow).toBe(4);
    w.store.write([{ put: "head", head: older }]);
    w.crash();
    expect(standings(w)).toEqual(["unconfirmed", "unconfirmed", "unconfirmed", "unconfirmed"]);
  });
});

describe("a lobby begins anew", () => {
  const bornAgain = { lobby: TWO, instance: "b" };

  test("[SETTLE-8] its numbers keep their places for the time of a reconnect", () => {
    const w = twoLobbies();
    w.leave(3);
    w.report([], bornAgain);
    finish(w, 1);
    expect([w.justCalled, w.state.permits.free]).toEqual([[], 1]);
    w.answer([], { ...bornAgain, present: [w.place(4)!.number] });
    expect(w.justCalled).toEqual([4]);
  });

  test("[SETTLE-8] after 4 s the missing are away, and those behind them are called", () => {
    const w = twoLobbies();
    w.leave(3);
    w.report([], bornAgain);
    finish(w, 1);
    w.tick(3_999);
    expect(w.justCalled).toEqual([]);
    w.tick(1);
    expect([w.justCalled, w.standing(4)]).toEqual([[5], "away"]);
  });

  test("[SETTLE-8] its first list leaves the missing their grace, its second is believed", () => {
    const w = twoLobbies();
    w.run({ type: "batch", batch: { ...w.compose([], bornAgain), roster: null } });
    expect([w.state.line.unconfirmed, w.state.line.waiting]).toEqual([2, 2]);
    w.report([4], bornAgain);
    expect([w.state.line.unconfirmed, w.state.line.waiting]).toEqual([1, 3]);
    w.report([4], bornAgain);
    expect([w.state.line.unconfirmed, w.state.line.waiting, w.state.settlesUntil]).toEqual([
      0,
      3,
      null,
    ]);
  });

  test("[SETTLE-8] a second one that begins anew has its whole time; one without anybody needs none", () => {
    const w = twoLobbies();
    w.report([], { lobby: lobbyIndex(5), instance: "b" });
    expect(w.state.settlesUntil).toBeNull();
    const silent = w.compose([], { lobby: lobbyIndex(6), instance: "b" });
    w.run({ type: "batch", batch: { ...silent, roster: null } });
    expect(w.state.settlesUntil).toBeNull();
    w.report([], bornAgain);
    w.now += 1_000;
    w.report([], { lobby: ONE, instance: "b" });
    w.tick(3_999);
    expect(w.state.line.unconfirmed).toBe(4);
    w.tick(1);
    expect([w.state.line.unconfirmed, w.state.settlesUntil]).toEqual([0, null]);
  });

  test("[SETTLE-8] nor does it cut short a longer time that runs", () => {
    const w = twoLobbies();
    const until = instant(w.now + 27_000);
    w.state.settlesUntil = until;
    w.report([], bornAgain);
    expect(w.state.settlesUntil).toBe(until);
  });

  test("[SETTLE-8] numbers of other lobbies stay as they are", () => {
    const w = twoLobbies();
    w.report([], bornAgain);
    finish(w, 1);
    expect(w.justCalled).toEqual([3]);
  });

  test("[SETTLE-9] one that lived through the room's restart is believed about who is missing", () => {
    const w = twoLobbies();
    w.crash();
    w.report([5], { lobby: ONE });
    expect(w.standing(3)).toBe("away");
  });

  test("[SETTLE-9] one that never sent a join is known again, too", () => {
    const w = new World({ permitsMax: 1 });
    w.crowd(3);
    w.report([], { lobby: ONE, instance: "b" });
    w.answer([], { lobby: ONE, instance: "b", present: [2, 3].map((n) => w.place(n)!.number) });
    w.crash();
    w.report([3], { lobby: ONE, instance: "b" });
    expect([w.standing(2), w.state.settlesUntil]).toEqual(["away", null]);
  });
});
