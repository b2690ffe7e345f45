import { describe, expect, test } from "vitest";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import type { StartLimits } from "../../../src/core/ring/limiter.ts";
import { soonestOf } from "../../../src/core/ring/outlook.ts";
import { instant } from "../../../src/core/time.ts";
import { NaiveLimiter } from "./naive.ts";

const T0 = 1_700_000_040_000;
const RANKS = Array.from({ length: 28 }, (_, rank) => rank);

const limits = (changed: Partial<StartLimits>): StartLimits => ({
  perSecondMax: null,
  perMinuteMax: null,
  ring: "calendar",
  guardMs: 0,
  ...changed,
});

/** The limiter and its naive twin after the same starts, at most those that the limits let begin. */
const twins = (under: StartLimits, past: readonly number[]) => {
  const limiter = new StartLimiter(under);
  const naive = new NaiveLimiter(under);
  for (const ms of past) if (limiter.tryStart(instant(T0 + ms)).ok) naive.starts.push(T0 + ms);
  return { limiter, naive };
};

/** When each rank begins if all before it begin as soon as they can. */
const momentsOf = (naive: NaiveLimiter, now: number): number[] => {
  const future = new NaiveLimiter(naive.limits);
  future.starts.push(...naive.starts);
  let at = now;
  return RANKS.map(() => {
    at = future.nextAt(at);
    future.starts.push(at);
    return at - T0;
  });
};

const PASTS = [[], [0, 0, 300], [0, 20_500, 20_600, 41_000, 59_900]];
const NOWS = [59_950, 61_000, 75_300];

describe("calendar", () => {
  const under: [string, Partial<StartLimits>][] = [
    ["2 a second", { perSecondMax: 2 }],
    ["2 a second and a guard", { perSecondMax: 2, guardMs: 100 }],
    ["5 a minute", { perMinuteMax: 5 }],
    ["2 a second and 5 a minute", { perSecondMax: 2, perMinuteMax: 5, guardMs: 100 }],
    ["1 a second and 60 a minute", { perSecondMax: 1, perMinuteMax: 60 }],
  ];
  test.each(under)("[RING-12] %s: each rank is told exactly when it can start", (_, changed) => {
    for (const past of PASTS) {
      for (const now of NOWS) {
        const { limiter, naive } = twins(limits(changed), past);
        const told = RANKS.map((rank) => limiter.rankToStart(rank, instant(T0 + now)) - T0);
        expect(told, `${JSON.stringify(past)} at ${now}`).toEqual(momentsOf(naive, T0 + now));
      }
    }
  });

  test("[RING-12] without limits everybody can start now", () => {
    const { limiter } = twins(limits({}), [0]);
    expect(limiter.rankToStart(1_000_000, instant(T0 + 5))).toBe(T0 + 5);
  });

  test("[RING-12] far back, each minute is like the one before it", () => {
    const { limiter } = twins(limits({ perMinuteMax: 3, perSecondMax: 2 }), []);
    const told = [0, 2, 3, 300, 302].map((rank) => limiter.rankToStart(rank, instant(T0)) - T0);
    expect(told).toEqual([0, 1_000, 60_000, 6_000_000, 6_001_000]);
  });
});

describe("sliding", () => {
  const under: [string, Partial<StartLimits>][] = [
    ["2 a second", { perSecondMax: 2 }],
    ["3 a second and a guard", { perSecondMax: 3, guardMs: 100 }],
  ];
  test.each(under)("[RING-12] %s: each rank is told exactly when it can start", (_, changed) => {
    for (const past of PASTS) {
      for (const now of NOWS) {
        const { limiter, naive } = twins(limits({ ring: "sliding", ...changed }), past);
        const moments = momentsOf(naive, T0 + now);
        const told = RANKS.map((rank) => limiter.rankToStart(rank, instant(T0 + now)) - T0);
        expect(told, `${JSON.stringify(past)} at ${now}`).toEqual(moments);
        const outlook = limiter.outlook(instant(T0 + now));
        for (const rank of RANKS) {
          const early = (moments[rank] ?? 0) - (soonestOf(outlook, rank) - T0);
          expect(early).toBeGreaterThanOrEqual(0);
          expect(early).toBeLessThanOrEqual(1_100);
        }
      }
    }
  });

  test("[RING-12] with a minute's limit alone each rank is told exactly when it can start", () => {
    for (const past of PASTS) {
      const minute = limits({ ring: "sliding", perMinuteMax: 5 });
      const { limiter, naive } = twins(minute, past);
      const now = instant(T0 + 61_000);
      const moments = momentsOf(naive, now);
      expect(RANKS.map((rank) => limiter.rankToStart(rank, now) - T0)).toEqual(moments);
      expect(RANKS.map((rank) => soonestOf(limiter.outlook(now), rank) - T0)).toEqual(moments);
    }
  });

  test("[RING-12] with a minute's limit as well nobody is told too late a moment", () => {
    for (const past of PASTS) {
      const both = limits({ ring: "sliding", perSecondMax: 2, perMinuteMax: 5 });
      const { limiter, naive } = twins(both, past);
      const moments = momentsOf(naive, T0 + 61_000);
      RANKS.forEach((rank) => {
        const told = limiter.rankToStart(rank, instant(T0 + 61_000)) - T0;
        expect(told).toBeLessThanOrEqual(moments[rank] ?? 0);
        expect(told).toBeGreaterThanOrEqual((moments[rank] ?? 0) - 2_000);
      });
    }
  });
});

test.each([
  [{}, { windowMs: null, left: null }],
  [{ perSecondMax: 3 }, { windowMs: null, left: 1, perSecondMax: 3 }],
  [
    { perSecondMax: 3, ring: "sliding", guardMs: 100 },
    { windowMs: 1_100, left: 1 },
  ],
  [
    { perSecondMax: 2, perMinuteMax: 9 },
    { nextAt: T0 + 1_000, left: 0, perMinuteMax: 9 },
  ],
] as const)("[RING-12] with %j whoever is not here reckons with %j", (changed, expected) => {
  const { limiter } = twins(limits(changed), [0, 0]);
  expect(limiter.outlook(instant(T0))).toMatchObject({ at: T0, ...expected });
  limiter.setLimits(limits({ ...changed, perSecondMax: 1 }));
  expect(limiter.outlook(instant(T0)).left).toBe(0);
});
