import { expect, test } from "vitest";
import { judge } from "./judge.ts";
import { SCENARIOS } from "./scenarios.ts";

/** One or two of each kind; all of them, from more seeds, are in bench/estimate.ts. */
const SOME = [
  "turning over: at random, P=20",
  "turning over: exactly as long, P=40",
  "opening: at random, P=50",
  "opening: alike, P=100, long",
  "opening: P=1",
  "expiring: all, P=50, lease 60 s",
  "expiring: half, P=80, lease 2 min",
  "limited: 30 a minute",
  "limited: 1 a second, sliding",
  "limited: 60 a minute while P=100 fills, then by P",
  "paused: a prequeue of 5 min, fresh",
  "just changed: P halved",
  "restarted: while it fills",
  "people: an opening where a third leaves soon",
];
const SEEDS = [1];

test.each(SOME)("[ETA-10] [ETA-11] %s", (name) => {
  const scenario = SCENARIOS.find((one) => one.name === name)!;
  const { waits, error, coverage, tooSoon } = judge(scenario, SEEDS);
  expect(waits).toBeGreaterThan(50);
  expect(error).toBeLessThanOrEqual(scenario.steady ? 0.1 : 0.2);
  for (const share of coverage) expect(share).toBeGreaterThanOrEqual(0.8);
  expect(tooSoon).toBeLessThan(0.01);
});

test("[ETA-10] there are at least forty scenarios, each with a name of its own", () => {
  expect(SCENARIOS.length).toBeGreaterThanOrEqual(40);
  expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
});
