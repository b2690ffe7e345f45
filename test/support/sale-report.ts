/** A report of a large sale, with round figures. */
import type { SaleReport } from "../../cli/simulate/report.ts";
import { billOf } from "../../src/core/simulation/price.ts";
import type { Sale, SaleOutcome } from "../../src/core/simulation/sale.ts";
import { LIMITS } from "./limits.ts";

const MINUTE_MS = 60_000;

const sale: Sale = {
  limits: { ...LIMITS, permitsMax: 2_000 },
  visitors: 1_000_000,
  arrivals: [{ lengthMs: 10 * MINUTE_MS, weight: 1 }],
  opening: null,
  visit: { kind: "around", meanMs: 3 * MINUTE_MS },
  toldShare: 0.5,
  claim: { kind: "between", leastMs: 1_000, mostMs: 9_000 },
  leaveShare: 0.3,
  patienceMs: 60 * MINUTE_MS,
  missShare: 0.01,
  seed: 7,
};

const outcome: SaleOutcome = {
  visitors: sale.visitors,
  joined: 998_000,
  entered: 690_000,
  left: 300_000,
  missed: 10_000,
  refused: {},
  waits: { medianMs: 1_800_000, p90Ms: 3_250_000, p99Ms: 3_600_000, longestMs: 3_660_000 },
  waitsFromStart: null,
  waitsByArrival: Array.from({ length: 121 }, (_, part) => ({
    atMs: part * 5_000,
    meanMs: part * 30_000,
  })),
  course: Array.from({ length: 76 }, (_, minute) => ({
    atMs: minute * MINUTE_MS,
    waiting: Math.max(0, Math.min(minute * 90_000, 1_050_000 - minute * 15_000)),
    visiting: Math.min(2_000, (75 - minute) * 400, minute * 2_000),
    entered: Math.min(690_000, minute * 10_000),
  })),
  waitingMost: 900_000,
  visitingMost: 2_000,
  startsMost: 400,
  lineEndsMs: 70 * MINUTE_MS,
  drawnMs: null,
  overMs: 75 * MINUTE_MS,
  waitedMs: 1_500_000_000_000,
  awakeMs: 60 * 75 * MINUTE_MS,
  lobbiesMost: 61,
  grainMs: 1_000,
};

const tenth = { ...outcome, waitingMost: 90_000, entered: 69_000 };
const never = { ...tenth, waits: null, lineEndsMs: null, waitingMost: 0, entered: 0 };

export const report: SaleReport = {
  sale,
  outcome,
  bill: billOf(outcome, sale.limits, 10),
  instead: [
    { name: "as it is", outcome: tenth },
    { name: "twice the permits", outcome: never },
  ],
  scale: 10,
  version: "0.3.0",
};
