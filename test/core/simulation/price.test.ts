import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { insteadOf, scaleOf } from "../../../src/core/simulation/instead.ts";
import { MEASURED } from "../../../src/core/simulation/measured.ts";
import { billOf, PRICE, TAKES } from "../../../src/core/simulation/price.ts";
import type { Sale } from "../../../src/core/simulation/sale.ts";
import { LIMITS } from "../../support/limits.ts";

const HOUR = 3_600_000;
const nobody = { joined: 0, entered: 0, refused: {}, waitedMs: 0, awakeMs: 0 };
const window = { returnWindowMs: HOUR };

test("[SIMULATE-7] nobody costs nothing, and each part its price", () => {
  expect(billOf(nobody, window, 5).dollars).toBe(0);
  const { requests, rows, dollars } = billOf({ ...nobody, joined: 10, entered: 4 }, window, 5);
  expect(requests).toBe(10 * TAKES.joined.requests + 4 * (TAKES.entered.requests + 5));
  expect(rows).toBeCloseTo(10 * TAKES.joined.rows + 4 * TAKES.entered.rows);
  expect(dollars).toBeGreaterThan(requests * PRICE.workerRequest + rows * PRICE.row);
});

test("[SIMULATE-7] who is turned away has asked for the page and a ticket, and no more", () => {
  const refused = { "line-full": 1_000, closed: 500 };
  const bill = billOf({ ...nobody, refused }, window, 5);
  expect(bill.requests).toBe(3_000);
  expect(bill.rows).toBe(0);
  const { objectCalls, dollars } = billOf({ ...nobody, joined: 1_500 }, window, 5);
  expect(bill.objectCalls).toBeCloseTo(objectCalls - 1_500);
  expect(bill.dollars).toBeGreaterThan(0);
  expect(bill.dollars).toBeLessThan(dollars);
});

test("[SIMULATE-7] who waits asks four times in each return window, and objects are paid by the hour", () => {
  expect(billOf({ ...nobody, waitedMs: 3 * HOUR }, window, 0).requests).toBe(12);
  const { awakeHours, dollars } = billOf({ ...nobody, awakeMs: 2 * HOUR }, window, 0);
  expect(awakeHours).toBe(2);
  expect(dollars).toBeCloseTo(0.0115, 3);
});

/** What stands in bench/RESULTS.md beside these words, in the column of what was measured here. */
const measured = (section: string, what: RegExp): number => {
  const results = readFileSync("bench/RESULTS.md", "utf8");
  const [, part = ""] = results.split(`<!-- ${section} -->`);
  const row = part.split("\n").find((line) => what.test(line)) ?? "";
  return Number((row.split("|")[2] ?? "").replaceAll(",", ""));
};

const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part, 0);

/** Counts are nearly the same on every machine; processor time is not, and costs next to nothing. */
const COUNTED = 1.15;
const TIMED = 1.6;

test.each([
  ["tickets", /Worker requests per visitor/, sumOf(MEASURED.requests), COUNTED],
  ["tickets", /object calls and alarms per visitor/, sumOf(MEASURED.objectCalls), COUNTED],
  ["tickets", /rows written per visitor/, sumOf(MEASURED.rows), COUNTED],
  ["tickets", /processor time per visitor/, MEASURED.cpuMs, TIMED],
  ["tickets", /processor time \(µs\/ticket\)/, MEASURED.requestCpuMs.ticket * 1_000, TIMED],
  ["pass", /processor time \(µs\/request\)/, MEASURED.requestCpuMs.inside * 1_000, TIMED],
])(
  "[SIMULATE-10] what a visitor takes is what was measured: %s, %s; if not, change src/core/simulation/measured.ts",
  (section, what, figure, tolerance) => {
    const now = measured(section, what);
    expect(figure / now).toBeGreaterThan(1 / tolerance);
    expect(figure / now).toBeLessThan(tolerance);
  },
);

test("[SIMULATE-10] the crowd that it is told for is the one of the benchmark", () => {
  const [, part = ""] = readFileSync("bench/RESULTS.md", "utf8").split("<!-- tickets -->");
  expect(part).toContain(
    `requests. ${MEASURED.crowd.visitors} visitors, ${MEASURED.crowd.permits} permits;`,
  );
});

test("[SIMULATE-10] a visitor's life as it was measured costs what the benchmark says", () => {
  const lived = { ...nobody, joined: 1e6, entered: 1e6 };
  const { dollars } = billOf(lived, window, MEASURED.requests.inside);
  const now = measured("tickets", /price of a million visitors/);
  expect(dollars / now).toBeGreaterThan(0.9);
  expect(dollars / now).toBeLessThan(1.1);
});

const sale: Sale = {
  limits: { ...LIMITS, permitsMax: 2_000 },
  visitors: 1_000_000,
  arrivals: [{ lengthMs: 600_000, weight: 1 }],
  opening: null,
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

const namesOf = (of: Sale): string[] => insteadOf(of).map(({ name }) => name);

test("[SIMULATE-11] fewer starts a minute are among the other settings, more where there is a limit", () => {
  // 2,000 permits, each held for 182 s, are 659 starts a minute.
  const unlimited = { ...sale, limits: { ...sale.limits, startsPerMinuteMax: 1_000_000 } };
  expect(namesOf(unlimited)).toContain("330 starts a minute");
  const gentler = insteadOf(unlimited).find(({ name }) => name === "330 starts a minute");
  expect(gentler?.sale.limits.startsPerMinuteMax).toBe(33);
  expect(namesOf(unlimited)).not.toContain("twice the starts a minute");
  const limited = { ...sale, limits: { ...sale.limits, startsPerMinuteMax: 900 } };
  const [, , , half, twice] = insteadOf(limited);
  expect([half?.name, half?.sale.limits.startsPerMinuteMax]).toEqual([
    "half the starts a minute",
    45,
  ]);
  expect([twice?.name, twice?.sale.limits.startsPerMinuteMax]).toEqual([
    "twice the starts a minute",
    180,
  ]);
});

test("[SIMULATE-11] a limit a second is made smaller by the minute, and never rounded to nothing", () => {
  const slow = { ...sale, limits: { ...sale.limits, startsPerSecondMax: 3 } };
  expect(scaleOf(slow)).toBe(3);
  expect(insteadOf(slow)[0]?.sale.limits).toMatchObject({
    startsPerMinuteMax: 60,
    startsPerSecondMax: null,
  });
});

test("[SIMULATE-11] what would change nothing is left out", () => {
  const one = { ...sale, visitors: 1, limits: { ...sale.limits, permitsMax: 1 } };
  expect(namesOf(one)).not.toContain("half the permits");
  expect(namesOf(one)).not.toContain("half the visitors");
  const short = { ...sale, limits: { ...sale.limits, visitMaxMs: 60_000 } };
  expect(namesOf(short)).not.toContain("visits cut at their mean");
});

test("[SIMULATE-11] the limits that a room has after its event are changed as well", () => {
  const ends = { afterMs: HOUR, limits: { ...sale.limits, permitsMax: 400 } };
  const opened = { ...sale, opening: { prequeueMs: HOUR, isDrawn: false, ends } };
  const [asItIs, half] = insteadOf(opened);
  expect(asItIs?.sale.opening?.ends?.limits.permitsMax).toBe(40);
  expect(half?.sale.opening?.ends?.limits.permitsMax).toBe(20);
});
