import { expect, test } from "vitest";
import { insteadOf, scaleOf } from "../../../src/core/simulation/instead.ts";
import { billOf, PRICE, TAKES } from "../../../src/core/simulation/price.ts";
import type { Sale } from "../../../src/core/simulation/sale.ts";
import { LIMITS } from "../../support/limits.ts";

const HOUR = 3_600_000;
const nobody = { joined: 0, entered: 0, waitedMs: 0, awakeMs: 0 };
const window = { returnWindowMs: HOUR };

test("[SIMULATE-7] nobody costs nothing, and each part its price", () => {
  expect(billOf(nobody, window, 5).dollars).toBe(0);
  const { requests, rows, dollars } = billOf({ ...nobody, joined: 10, entered: 4 }, window, 5);
  expect(requests).toBe(10 * TAKES.joined.requests + 4 * (TAKES.entered.requests + 5));
  expect(rows).toBeCloseTo(10 * TAKES.joined.rows + 4 * TAKES.entered.rows);
  expect(dollars).toBeGreaterThan(requests * PRICE.workerRequest + rows * PRICE.row);
});

test("[SIMULATE-7] who waits asks four times in each return window, and objects are paid by the hour", () => {
  expect(billOf({ ...nobody, waitedMs: 3 * HOUR }, window, 0).requests).toBe(12);
  const { awakeHours, dollars } = billOf({ ...nobody, awakeMs: 2 * HOUR }, window, 0);
  expect(awakeHours).toBe(2);
  expect(dollars).toBeCloseTo(0.0115, 3);
});

const sale: Sale = {
  limits: { ...LIMITS, permitsMax: 2_000 },
  visitors: 1_000_000,
  arrivals: [1],
  arriveMs: 600_000,
  visit: { kind: "around", meanMs: 180_000 },
  toldShare: 1,
  claim: { kind: "around", meanMs: 2_000 },
  leaveShare: 0,
  patienceMs: 0,
  missShare: 0,
  seed: 1,
};

test("[SIMULATE-6] a large sale is compared in a smaller one that keeps fifty permits", () => {
  expect(scaleOf(sale)).toBe(10);
  expect(scaleOf({ ...sale, limits: { ...sale.limits, permitsMax: 120 } })).toBe(2);
  expect(scaleOf({ ...sale, visitors: 500 })).toBe(1);
  const [asItIs, half] = insteadOf(sale);
  expect([asItIs?.sale.visitors, asItIs?.sale.limits.permitsMax]).toEqual([100_000, 200]);
  expect(half?.sale.limits.permitsMax).toBe(100);
});
