import { describe, expect, test } from "vitest";
import { LivedSale, liveThrough } from "../../../src/core/simulation/lived-sale.ts";
import type { Sale, SaleOutcome } from "../../../src/core/simulation/sale.ts";
import { LIMITS } from "../../support/limits.ts";

const MINUTE = 60_000;

/** Equal parts of a time. */
const within = (lengthMs: number, ...weights: readonly number[]): Sale["arrivals"] =>
  (weights.length === 0 ? [1] : weights).map((weight) => ({
    lengthMs: lengthMs / Math.max(1, weights.length),
    weight,
  }));

const saleOf = (change: Partial<Sale> = {}, limits: Partial<Sale["limits"]> = {}): Sale => ({
  limits: { ...LIMITS, permitsMax: 20, startsPerMinuteMax: 1_000_000, ...limits },
  visitors: 2_000,
  arrivals: within(MINUTE),
  opening: null,
  visit: { kind: "around", meanMs: 30_000 },
  toldShare: 1,
  claim: { kind: "between", leastMs: 0, mostMs: 0 },
  leaveShare: 0,
  patienceMs: 0,
  missShare: 0,
  seed: 1,
  ...change,
});

const accounted = ({ entered, left, missed, refused }: SaleOutcome): number =>
  entered + left + missed + Object.values(refused).reduce((sum, count) => sum + count, 0);

describe("a sale that is lived through", () => {
  test.each([
    ["as it comes", saleOf()],
    [
      "with those who leave and miss",
      saleOf({ leaveShare: 0.4, patienceMs: 10 * MINUTE, missShare: 0.1 }),
    ],
    ["with a short line", saleOf({}, { lineMax: 100 })],
    ["limited by the minute", saleOf({ visitors: 500 }, { startsPerMinuteMax: 60 })],
  ])(
    "[SIMULATE-1] [SIMULATE-2] everybody is counted once, and nobody too many is inside: %s",
    (_, sale) => {
      const outcome = liveThrough(sale);
      expect(accounted(outcome)).toBe(sale.visitors);
      expect(outcome.visitingMost).toBeLessThanOrEqual(sale.limits.permitsMax);
      expect(outcome.overMs).not.toBeNull();
    },
  );

  test("[SIMULATE-2] no second has more starts than the limit, and no minute", () => {
    const outcome = liveThrough(
      saleOf({ visitors: 600 }, { startsPerSecondMax: 3, startsPerMinuteMax: 90, permitsMax: 500 }),
    );
    expect(outcome.startsMost).toBe(3);
    const entered = outcome.course.map((point) => point.entered);
    const [first, second] = outcome.course;
    const aMinute = Math.floor(MINUTE / ((second?.atMs ?? 0) - (first?.atMs ?? 0)));
    expect(aMinute).toBeGreaterThan(30);
    const most = Math.max(...entered.map((now, at) => now - (entered[at - aMinute] ?? 0)));
    expect(most).toBeLessThanOrEqual(90);
  });

  test("[SIMULATE-6] a curve shows also those who were there only shortly, and ends as the sale does", () => {
    const visit = { kind: "between", leastMs: 1_000, mostMs: 1_000 } as const;
    const day = within(24 * 60 * MINUTE);
    const { course, overMs } = liveThrough(saleOf({ visitors: 3, visit, arrivals: day }));
    expect(course.length).toBeLessThanOrEqual(1_200);
    expect(course.filter(({ visiting }) => visiting === 1)).toHaveLength(3);
    expect(course.at(-1)).toEqual({ atMs: overMs, waiting: 0, visiting: 0, entered: 3 });
  });

  test("[SIMULATE-3] the same seed has the same outcome, another one another", () => {
    const sale = saleOf({ leaveShare: 0.2, patienceMs: MINUTE });
    expect(liveThrough(sale)).toEqual(liveThrough(sale));
    expect(liveThrough({ ...sale, seed: 2 })).not.toEqual(liveThrough(sale));
  });

  test("[SIMULATE-4] so many visitors take as long as so many permits need for them", () => {
    const visit = { kind: "between", leastMs: 30_000, mostMs: 30_000 } as const;
    const { lineEndsMs, waits, waitingMost } = liveThrough(saleOf({ visit, arrivals: within(0) }));
    // 2,000 visitors by 20 permits are 100 turns of 30 s, the first of which is at once.
    expect((lineEndsMs ?? 0) / 30_000).toBeCloseTo(99, -1);
    expect(lineEndsMs ?? 0).toBeGreaterThan(99 * 30_000 - 1);
    expect(lineEndsMs ?? 0).toBeLessThan(1.05 * 99 * 30_000);
    expect((waits?.medianMs ?? 0) / (lineEndsMs ?? 1)).toBeCloseTo(0.5, 1);
    expect((waits?.p90Ms ?? 0) / (lineEndsMs ?? 1)).toBeCloseTo(0.9, 1);
    expect(waitingMost).toBeGreaterThanOrEqual(1_980 - 20);
  });

  test("[SIMULATE-4] where permits are enough nobody waits", () => {
    const { waits, joined, lineEndsMs } = liveThrough(
      saleOf({ visitors: 100 }, { permitsMax: 200 }),
    );
    expect([waits?.longestMs, joined, lineEndsMs]).toEqual([0, 0, 0]);
  });

  test("[SIMULATE-5] visitors come in the parts of the time in which they are said to", () => {
    const late = liveThrough(saleOf({ arrivals: within(3 * MINUTE, 0, 0, 1) }));
    const first = late.course.find(({ waiting, visiting }) => waiting + visiting > 0);
    expect(first?.atMs).toBeGreaterThan(2 * MINUTE - 1);
    expect(late.waitsByArrival.every(({ atMs }) => atMs >= 2 * MINUTE - 2_000)).toBe(true);
  });

  test("[SIMULATE-5] a visit whose end nobody tells holds its permit for a session more", () => {
    const visit = { kind: "between", leastMs: 30_000, mostMs: 30_000 } as const;
    const told = liveThrough(saleOf({ visit, visitors: 200 }, { leaseMs: 60_000 }));
    const untold = liveThrough(saleOf({ visit, visitors: 200, toldShare: 0 }, { leaseMs: 60_000 }));
    const ratio = (untold.lineEndsMs ?? 0) / (told.lineEndsMs ?? 1);
    expect(ratio).toBeGreaterThan(2.8);
    expect(ratio).toBeLessThan(3.3);
  });

  test("[SIMULATE-5] a visit that is longer than a session is renewed", () => {
    const visit = { kind: "between", leastMs: 300_000, mostMs: 300_000 } as const;
    const { overMs, entered } = liveThrough(saleOf({ visit, visitors: 20 }, { leaseMs: 60_000 }));
    expect(entered).toBe(20);
    expect(overMs).toBeGreaterThan(300_000);
  });

  test("[SIMULATE-6] a line that nobody is called from is told as one without end, and is bounded", () => {
    const visit = { kind: "around", meanMs: 10 * MINUTE } as const;
    const lived = new LivedSale(saleOf({ visitors: 50, visit }, { paused: true }));
    while (lived.live(100_000));
    const outcome = lived.outcome();
    expect([outcome.lineEndsMs, outcome.overMs, outcome.waits]).toEqual([null, null, null]);
    expect(outcome.waitingMost).toBe(50);
    expect(outcome.course.length).toBeLessThanOrEqual(1_200);
  });
});
