import { describe, expect, test } from "vitest";
import type { RoomLimits } from "../../../src/core/definition.ts";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Op } from "../../../src/core/room/commands.ts";
import { JOIN, World } from "./world.ts";

/** A busy room: every 20 ms everybody who is called claims, and half of them are done. */
const startsOf = (limits: Partial<RoomLimits>, ms: number) => {
  const w = new World({ permitsMax: 500, ...limits });
  w.crowd(4_000);
  const starts: number[] = [];
  for (const until = w.now + ms; w.now < until; w.now += 20) {
    const out = [...w.state.permits.all()].map(({ permit }) => permit);
    const ops = out.flatMap(({ state, number }): Op[] => {
      if (state === "called") return [{ op: "claim", number }];
      return number % 2 === 0 ? [{ op: "end", visit: number, afterMs: 0 }] : [];
    });
    for (const reply of w.batch(ops)) {
      if (reply.kind === "visit" && reply.isNew) starts.push(Number(w.last?.now));
    }
  }
  return starts;
};

const perSecond = (starts: readonly number[]): number[] => {
  const counts = new Map<number, number>();
  for (const at of starts) {
    const second = Math.floor(at / 1_000);
    counts.set(second, (counts.get(second) ?? 0) + 1);
  }
  return [...counts.values()];
};

/** The most that lies in any window of so many milliseconds. */
const mostWithin = (starts: readonly number[], ms: number): number => {
  let most = 0;
  for (let from = 0, to = 0; to < starts.length; to += 1) {
    while ((starts[to] ?? 0) - (starts[from] ?? 0) >= ms) from += 1;
    most = Math.max(most, to - from + 1);
  }
  return most;
};

describe("starts", () => {
  test("[LIMIT-1] in every second exactly R start while there is somebody to start", () => {
    const seconds = perSecond(startsOf({ startsPerSecondMax: 20 }, 10_000));
    expect(seconds).toEqual(new Array(10).fill(20));
  });

  test("[LIMIT-1] nothing starts in the guarded end of a second", () => {
    const starts = startsOf({ startsPerSecondMax: 60, ringGuardMs: 100 }, 5_000);
    expect(Math.max(...starts.map((at) => at % 1_000))).toBeLessThan(900);
  });

  test("[LIMIT-2] a sliding ring lets at most R start in any 1,000 ms and the guard", () => {
    const starts = startsOf({ startsPerSecondMax: 20, ring: "sliding", ringGuardMs: 100 }, 10_000);
    expect(mostWithin(starts, 1_100)).toBe(20);
    expect(starts.length).toBeGreaterThanOrEqual(180);
  });

  test("[LIMIT-3] at most so many start in any 60 consecutive seconds", () => {
    const starts = startsOf({ startsPerMinuteMax: 90 }, 180_000);
    const seconds = starts.map((at) => Math.floor(at / 1_000) * 1_000);
    expect(mostWithin(seconds, 60_000)).toBe(90);
    expect(starts).toHaveLength(270);
  });

  test("[LIMIT-4] entries by the door and claims count together", () => {
    const w = new World({ permitsMax: 20, startsPerSecondMax: 2 });
    w.entered();
    w.entered();
    expect(w.enter()).toEqual({ kind: "queue" });
    w.now += 1_000;
    w.join();
    w.entered();
    w.visit(3);
    expect(w.enter()).toEqual({ kind: "queue" });
  });

  test("[LIMIT-4] who has entered by the door is not called again in the same second", () => {
    const w = new World({ permitsMax: 20, startsPerSecondMax: 2 });
    w.entered();
    expect(w.enter()).toMatchObject({ kind: "visit", isNew: true });
    w.join();
    expect(w.called).toBe(0);
  });

  test("[LIMIT-5] a crash does not empty the ring", () => {
    const w = new World({ permitsMax: 20, startsPerSecondMax: 2 });
    w.crowd(2);
    w.visit(1);
    w.crash();
    w.visit(2);
    w.now += 900;
    w.crash();
    expect(w.snapshot().mode).toBe("queues");
    w.now += 100;
    expect(w.snapshot().mode).toBe("open");
  });

  test("[LIMIT-6] new limits hold at once, and what has started counts against them", () => {
    const w = new World({ permitsMax: 20, startsPerSecondMax: 3 });
    w.crowd(3);
    w.visit(1);
    w.visit(2);
    w.configure({ startsPerSecondMax: 2 });
    expect(w.claim(3)).toMatchObject({ kind: "not-yet" });
    w.configure({ startsPerSecondMax: 3 });
    expect(w.claim(3)).toMatchObject({ kind: "visit" });
  });
});

test.each([
  [{ permitsMax: 60 }, true],
  [{ startsPerMinuteMax: 600 }, true],
  [{ startsPerSecondMax: 2 }, true],
  [{ startsPerSecondMax: 1, message: "hello", leaseMs: 60_000 }, false],
])("[ETA-3] after a change to %j the estimate may move freely: %s", (limits, isYoung) => {
  const w = new World({ permitsMax: 50, startsPerSecondMax: 1 });
  w.crowd(100);
  for (let number = 1; number <= 30; number += 1) {
    w.tick(1_000);
    w.visit(number);
  }
  const [, , before] = w.state.rate.toJSON();
  w.configure(limits);
  const [, , after] = w.state.rate.toJSON();
  expect(before).toBeGreaterThan(20);
  expect(after).toBe(isYoung ? 10 : before);
});

describe("the room's clock", () => {
  test("[LIMIT-7] no jump of the machine's clock lets one too many start, or stalls the room", () => {
    let steps = 0;
    const jumps = [-86_400_000, 3_600_000, -1_500, -7, 999, -3_599_000];
    const w = new World({ permitsMax: 4_000, startsPerSecondMax: 20, leaseMs: 1e12 });
    w.crowd(4_000);
    const begun: number[] = [];
    let elapsed = 0;
    for (; elapsed < 20_000; elapsed += 20, steps += 1) {
      w.now += steps % 150 === 149 ? (jumps[(steps - 149) / 150] ?? 20) : 20;
      const ops = [...w.state.permits.all()].flatMap(({ permit }): Op[] =>
        permit.state === "called" ? [{ op: "claim", number: permit.number }] : [],
      );
      for (const reply of w.batch(ops)) {
        if (reply.kind === "visit") begun.push(Number(w.last?.now));
      }
    }
    expect(Math.max(...perSecond(begun))).toBe(20);
    expect(begun).toEqual(begun.toSorted((a, b) => a - b));
    expect(begun.length).toBeGreaterThanOrEqual(20 * 12);
  });

  test("[LIMIT-7] a start that was written is never followed by an earlier reading of the clock", () => {
    const w = new World({ permitsMax: 9, startsPerSecondMax: 1 });
    w.entered();
    const before = Number(w.last?.now);
    w.now -= 3_600_000;
    w.crash();
    expect(w.enter()).toEqual({ kind: "queue" });
    expect(Number(w.last?.now)).toBeGreaterThanOrEqual(before);
    w.now += 2_000;
    expect(w.enter()).toMatchObject({ kind: "visit" });
  });
});

describe("calls", () => {
  test("[CALL-10] no more are called in a second than may start in it", () => {
    const w = new World({ permitsMax: 100, startsPerSecondMax: 7 });
    w.crowd(50);
    expect(w.called).toBe(7);
    w.tick(999);
    expect(w.called).toBe(7);
    w.tick(1);
    expect(w.called).toBe(14);
  });

  test("[CALL-10] nor more after a crash: what was called counts", () => {
    const w = new World({ permitsMax: 100, startsPerSecondMax: 2 });
    w.crowd(5);
    w.crash();
    w.report([1, 2, 3, 4, 5]);
    expect(w.called).toBe(2);
    w.tick(1_000);
    expect(w.called).toBe(4);
  });

  test("[CALL-10] a call that is given up in its second makes room for another", () => {
    const w = new World({ permitsMax: 100, startsPerSecondMax: 2 });
    w.crowd(5);
    w.leave(1);
    expect(w.justCalled).toEqual([3]);
    w.batch([{ op: "leave", number: ticketNumber(2) }, JOIN]);
    expect(w.justCalled).toEqual([4]);
  });

  test("[CALL-10] a missed call does not count against the minute's number", () => {
    const w = new World({ permitsMax: 1, startsPerMinuteMax: 1, claimWithinMs: 10_000 });
    w.crowd(2);
    w.tick(10_000);
    expect([w.standing(1), w.justCalled]).toEqual(["away", [2]]);
  });

  test("[CALL-11] half of a minute's number is called as fast as a second may, the rest evenly", () => {
    const w = new World({ permitsMax: 1_000, startsPerMinuteMax: 120 });
    w.now = Math.ceil(w.now / 60_000) * 60_000;
    w.crowd(500);
    expect(w.called).toBe(4);
    for (let second = 1; second < 15; second += 1) {
      w.tick(1_000);
      expect(w.justCalled).toHaveLength(4);
    }
    expect(w.called).toBe(60);
    for (let second = 15; second < 45; second += 1) {
      w.tick(1_000);
      expect(w.justCalled).toHaveLength(2);
    }
    for (let second = 45; second < 60; second += 1) w.tick(1_000);
    expect(w.called).toBe(120);
  });

  test("[CALL-11] with a limit per second of the operator's that one decides, also a higher one", () => {
    const w = new World({ permitsMax: 1_000, startsPerMinuteMax: 120, startsPerSecondMax: 50 });
    w.crowd(500);
    expect(w.called).toBe(50);
    w.tick(1_000);
    expect(w.justCalled).toHaveLength(10);
  });

  test("[CALL-11] a limit of one a minute calls one a minute", () => {
    const w = new World({ permitsMax: 10, startsPerMinuteMax: 1, claimWithinMs: 600_000 });
    w.crowd(3);
    const calledAt = [0];
    for (let second = 1; second <= 130; second += 1) {
      w.now += 1_000;
      w.answer([]);
      if (w.justCalled.length > 0) calledAt.push(second);
    }
    expect(calledAt).toEqual([0, 60, 120]);
  });
});
