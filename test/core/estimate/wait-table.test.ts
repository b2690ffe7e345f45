import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { etaOf, type Eta } from "../../../src/core/estimate/eta.ts";
import type { ForecastInput } from "../../../src/core/estimate/forecast.ts";
import { startsAhead } from "../../../src/core/estimate/starts.ts";
import { waitTable } from "../../../src/core/estimate/wait-table.ts";
import { StartLimiter, type StartLimits } from "../../../src/core/ring/limiter.ts";
import { instant } from "../../../src/core/time.ts";

const T0 = 1_800_000_000_000;
const NOW = instant(T0);
const FREE: StartLimits = { perSecondMax: null, perMinuteMax: null, ring: "calendar", guardMs: 0 };

/** 100 permits, visits of a minute at random, well known; `waiting` in line. */
const room = (change: Partial<ForecastInput> = {}): ForecastInput => ({
  permitsMax: 100,
  agesMs: Array.from({ length: 100 }, (_, i) => i * 600),
  endsInMs: [],
  calledForMs: [],
  survival: { at: (ms) => Math.exp(-ms / 60_000), learnedFrom: 300, unseen: 0 },
  claimMs: 0,
  callsPerEntry: 1,
  leavingPerMs: 0,
  starts: startsAhead({
    lastMinute: [],
    perMinuteMax: 1e9,
    perSecondMax: Infinity,
    perSecondWindowMs: 1_000,
    owed: 0,
  }),
  ...change,
});

const outlookOf = (limits: StartLimits = FREE) => new StartLimiter(limits).outlook(NOW);
const tableOf = (outset: ForecastInput, waiting = 1_000, limits = FREE) =>
  waitTable(outset, waiting, null, outlookOf(limits));

const known = (eta: Eta) => {
  if (!eta.known) throw new Error(`unknown: ${eta.reason}`);
  return eta;
};

describe("what somebody is told", () => {
  test("[ETA-4] a range around the wait, wide for few and narrow for many", () => {
    const table = tableOf(room(), 10_000);
    const far = known(etaOf(table, 9_999, NOW));
    expect(far.seconds).toBeGreaterThan(5_700);
    expect(far.seconds).toBeLessThan(6_300);
    expect((far.high - far.low) / far.seconds).toBeLessThan(0.5);
    const near = known(etaOf(table, 29, NOW));
    expect((near.high - near.low) / near.seconds).toBeGreaterThan(0.6);
  });

  test("[ETA-4] low <= seconds <= high, never less further back, never before the ring allows it", () => {
    const rooms = fc.record({
      permits: fc.integer({ min: 1, max: 300 }),
      visiting: fc.integer({ min: 0, max: 400 }),
      meanMs: fc.integer({ min: 500, max: 600_000 }),
      learnedFrom: fc.integer({ min: 1, max: 400 }),
      unseen: fc.constantFrom(0, 0.1, 0.5, 1),
      leavingPerMs: fc.constantFrom(0, 1e-7, 1e-5),
      perSecondMax: fc.option(fc.integer({ min: 1, max: 20 })),
      ring: fc.constantFrom("calendar" as const, "sliding" as const),
    });
    fc.assert(
      fc.property(rooms, ({ permits, visiting, meanMs, learnedFrom, unseen, ...more }) => {
        const limits = { ...FREE, perSecondMax: more.perSecondMax, ring: more.ring, guardMs: 100 };
        const outset = room({
          permitsMax: permits,
          agesMs: Array.from({ length: visiting }, (_, i) => (i * meanMs) / 50),
          survival: { at: (ms) => Math.exp(-ms / meanMs), learnedFrom, unseen },
          leavingPerMs: more.leavingPerMs,
        });
        const table = tableOf(outset, 5_000, limits);
        const limiter = new StartLimiter({ ...limits, guardMs: 0 });
        let before = { low: 0, seconds: 0, high: 0 };
        for (const ahead of [0, 1, 2, 7, 40, 333, 999, 5_000, 60_000]) {
          const eta = etaOf(table, ahead, NOW);
          if (!eta.known) break;
          expect(eta.low).toBeLessThanOrEqual(eta.seconds);
          expect(eta.seconds).toBeLessThanOrEqual(eta.high);
          expect(eta.low).toBeGreaterThanOrEqual(before.low);
          expect(eta.seconds).toBeGreaterThanOrEqual(before.seconds);
          expect(eta.high).toBeGreaterThanOrEqual(before.high);
          const soonest = (limiter.rankToStart(ahead, NOW) - NOW) / 1_000;
          expect(eta.low).toBeGreaterThanOrEqual(Math.floor(soonest));
          before = eta;
        }
      }),
      { numRuns: 80 },
    );
  });

  test("[ETA-4] as time goes by the same table tells as much less", () => {
    const table = tableOf(room());
    const first = known(etaOf(table, 500, NOW));
    expect(known(etaOf(table, 500, instant(T0 + 10_000))).seconds).toBe(first.seconds - 10);
  });

  test.each(["paused", "closed"] as const)(
    "[ETA-9] in a room that is %s nobody knows",
    (reason) => {
      const table = waitTable(room(), 10, reason, outlookOf());
      expect(etaOf(table, 0, NOW)).toEqual({ known: false, reason });
    },
  );

  test("[ETA-9] until seven in ten visits have been seen to end only those are told whose permit is free", () => {
    const fresh = (unseen: number) =>
      room({
        agesMs: new Array<number>(90).fill(5_000),
        survival: { at: (ms) => Math.exp(-ms / 60_000), learnedFrom: 20, unseen },
      });
    expect(etaOf(tableOf(fresh(0.31)), 10, NOW)).toEqual({ known: false, reason: "no-ends" });
    expect(etaOf(tableOf(fresh(0.31)), 9, NOW)).toMatchObject({ known: true, seconds: 0 });
    expect(etaOf(tableOf(fresh(0.3)), 10, NOW).known).toBe(true);
  });

  test("[ETA-9] more than a day is told as such", () => {
    const slow = room({
      permitsMax: 1,
      agesMs: [0],
      survival: { at: (ms) => Math.exp(-ms / 3_600_000), learnedFrom: 300, unseen: 0 },
    });
    expect(etaOf(tableOf(slow), 500, NOW)).toEqual({ known: false, reason: "long" });
  });

  test("[ETA-4] the less is known the wider the range", () => {
    const widthOf = (learnedFrom: number, unseen: number): number => {
      const survival = { at: (ms: number) => Math.exp(-ms / 60_000), learnedFrom, unseen };
      const { seconds, low, high } = known(etaOf(tableOf(room({ survival })), 900, NOW));
      return (high - low) / seconds;
    };
    expect(widthOf(10, 0)).toBeGreaterThan(1.5 * widthOf(400, 0));
    expect(widthOf(400, 0.3)).toBeGreaterThan(1.5 * widthOf(400, 0));
  });
});
