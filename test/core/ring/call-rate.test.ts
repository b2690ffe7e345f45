import { expect, test } from "vitest";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import type { StartLimits } from "../../../src/core/ring/limiter.ts";
import { callsLeft, callsPerSecondMax } from "../../../src/core/ring/call-rate.ts";
import { instant } from "../../../src/core/time.ts";
import { Draws } from "../../sim/estimate/draws.ts";

const T0 = 1_700_000_040_000;

const limits = (perMinuteMax: number, perSecondMax: number | null = null): StartLimits => ({
  perSecondMax,
  perMinuteMax,
  ring: "calendar",
  guardMs: 0,
});

/** Calls as many as it may, four times a second, from `fromMs` on; returns the count of each second. */
const callAll = (calls: StartLimiter, perMinute: number, fromMs: number, toMs: number) => {
  const seconds = new Array<number>(Math.ceil((toMs - fromMs) / 1_000)).fill(0);
  for (let ms = fromMs; ms < toMs; ms += 250) {
    const now = instant(T0 + ms);
    while (callsLeft(calls, perMinute, now) > 0) {
      expect(calls.tryStart(now).ok).toBe(true);
      const second = Math.floor((ms - fromMs) / 1_000);
      seconds[second] = (seconds[second] ?? 0) + 1;
    }
  }
  return seconds;
};

test.each([
  [100, 50],
  [101, 51],
  [1, 1],
])("[PACE-1] of %i a minute, %i are called as soon as permits are free", (perMinute, atOnce) => {
  const calls = new StartLimiter(limits(perMinute));
  expect(callAll(calls, perMinute, 0, 250)).toEqual([atOnce]);
});

test.each([60, 61, 90, 120, 599])(
  "[PACE-2] with a crowd that stays, %i a minute come evenly: no second differs from its share",
  (perMinute) => {
    const calls = new StartLimiter(limits(perMinute));
    const seconds = callAll(calls, perMinute, 0, 240_000).slice(180);
    const share = perMinute / 60;
    for (const count of seconds) expect(Math.abs(count - share)).toBeLessThan(1);
    expect(seconds.reduce((sum, count) => sum + count, 0)).toBe(perMinute);
  },
);

test("[PACE-3] the ring's own limits hold below the pace", () => {
  const calls = new StartLimiter({ ...limits(600, 3), guardMs: 100 });
  expect(callsLeft(calls, 600, instant(T0))).toBe(3);
  expect(callsLeft(calls, 600, instant(T0 + 900))).toBe(0);
});

test("[PACE-3] a number that was lowered below what was called leaves none, not fewer than none", () => {
  const calls = new StartLimiter(limits(600));
  callAll(calls, 600, 0, 250);
  calls.setLimits(limits(60));
  expect(callsLeft(calls, 60, instant(T0))).toBe(0);
});

test.each([
  [1, 1],
  [30, 1],
  [31, 2],
  [60, 2],
  [6_000, 200],
  [6_001, 201],
])("[PACE-4] of %i a minute, a second calls at most %i", (startsPerMinuteMax, most) => {
  const room = { permit: "visit", startsPerMinuteMax, startsPerSecondMax: null } as const;
  expect(callsPerSecondMax(room)).toBe(most);
  const calls = new StartLimiter(limits(startsPerMinuteMax, callsPerSecondMax(room)));
  expect(callAll(calls, startsPerMinuteMax, 0, 1_000)).toEqual([most]);
});

test("[PACE-4] a limit that is named decides, be it lower or higher; requests have no default", () => {
  const room = { permit: "visit", startsPerMinuteMax: 600 } as const;
  expect(callsPerSecondMax({ ...room, startsPerSecondMax: 7 })).toBe(7);
  expect(callsPerSecondMax({ ...room, startsPerSecondMax: 70 })).toBe(70);
  const requests = { ...room, permit: "request" } as const;
  expect(callsPerSecondMax({ ...requests, startsPerSecondMax: null })).toBe(null);
  expect(callsPerSecondMax({ ...requests, startsPerSecondMax: 7 })).toBe(7);
});

test("[PACE-4] batons at a third of the even share wait for it once in fifty at most", () => {
  const perMinute = 60;
  const room = {
    permit: "visit",
    startsPerMinuteMax: perMinute,
    startsPerSecondMax: null,
  } as const;
  const batons = 2_000;
  const late = (perSecond: number | null): number => {
    const calls = new StartLimiter(limits(perMinute, perSecond));
    const draws = new Draws(7);
    let ms = 0;
    let waited = 0;
    for (let baton = 0; baton < batons; baton += 1) {
      ms += draws.exponential(3_000);
      const now = instant(T0 + Math.floor(ms));
      if (callsLeft(calls, perMinute, now) === 0) waited += 1;
      else calls.tryStart(now);
    }
    return waited;
  };
  expect(late(callsPerSecondMax(room)) - late(null)).toBeLessThan(batons / 50);
});
