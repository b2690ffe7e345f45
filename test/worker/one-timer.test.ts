import { expect, test } from "vitest";
import { oneTimer } from "../../src/worker/platform/one-timer.ts";

/** Timers that run when the test says so, on a clock that may be set. */
const machine = () => {
  const set: { at: number; run: () => void }[] = [];
  const calls = { set: 0, stopped: 0 };
  let ms = 0;
  let clockOff = 0;
  const timer = (after: number, run: () => void): (() => void) => {
    const one = { at: ms + after, run };
    set.push(one);
    calls.set += 1;
    return () => {
      calls.stopped += 1;
      set.splice(set.indexOf(one), 1);
    };
  };
  const pass = (by: number): void => {
    const until = ms + by;
    for (;;) {
      const [next] = set.toSorted((a, b) => a.at - b.at);
      if (next === undefined || next.at > until) break;
      ms = next.at;
      set.splice(set.indexOf(next), 1);
      next.run();
    }
    ms = until;
  };
  const one = oneTimer({ timer, now: () => ms + clockOff });
  const ran: string[] = [];
  const start = (name: string, after: number) => one(after, () => ran.push(`${name} ${ms}`));
  const setClock = (by: number): void => void (clockOff += by);
  return { calls, pass, start, ran, set, setClock };
};

test("[HOLD-29] each of them runs at its time, set in any order", () => {
  const { start, pass, ran, set } = machine();
  start("late", 5_000);
  pass(300);
  start("soon", 700);
  start("sooner", 10);
  pass(10_000);
  expect(ran).toEqual(["sooner 310", "soon 1000", "late 5000"]);
  expect(set).toEqual([]);
});

test("[HOLD-29] those that are stopped do not run, and nothing is left behind", () => {
  const { start, pass, ran, calls, set } = machine();
  const stops = [start("a", 25_000), start("b", 10_000), start("c", 60_000)];
  expect(calls).toEqual({ set: 1, stopped: 0 });
  pass(40);
  for (const stop of stops) stop();
  start("d", 5_000)();
  pass(100_000);
  expect([ran, set, calls]).toEqual([[], [], { set: 1, stopped: 0 }]);
});

test("[HOLD-29] one that runs may stop others and set new ones", () => {
  const { start, pass, ran } = machine();
  const stop = start("never", 100);
  start("a", 100);
  stop();
  pass(100);
  start("b", 3_000);
  pass(2_999);
  start("c", 1);
  pass(1);
  expect(ran).toEqual(["a 100", "b 3100", "c 3100"]);
});

test.each([
  ["forth", 3_600_000],
  ["back", -3_600_000],
])("[HOLD-29] a clock that jumps an hour %s makes one late by 2 s at most", (_, byMs) => {
  const { start, pass, ran, setClock } = machine();
  start("a", 20_000);
  pass(500);
  setClock(byMs);
  start("b", 4_000);
  pass(25_000);
  const [b, a] = ran.map((line) => Number(line.split(" ")[1]));
  expect(a).toBe(20_000);
  expect(b).toBeGreaterThanOrEqual(4_000);
  expect(b).toBeLessThanOrEqual(4_500 + 2_000);
});
