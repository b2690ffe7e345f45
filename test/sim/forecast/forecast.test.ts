import { expect, test } from "vitest";
import { compareSale, verdictOf } from "./judge.ts";
import { SALES } from "./sales.ts";

/** A few of them; all, from more seeds, are in bench/forecast.ts. */
const SOME = ["P is doubled", "R decides: 40 a minute, raised to 80"];

test.each(SOME)("[FORECAST-10] %s: what came was foretold", (name) => {
  const sale = SALES.find((one) => one.name === name)!;
  const { waiting, visiting, entered, wait } = verdictOf([compareSale(sale, 1)]);
  for (const figure of [waiting, visiting, entered, wait]) {
    expect(figure.compared).toBeGreaterThan(10);
    expect(figure.held).toBeGreaterThanOrEqual(0.75);
  }
  expect(waiting.error).toBeLessThan(0.15);
  expect(entered.error).toBeLessThan(0.1);
  expect(visiting.error).toBeLessThan(0.15);
  expect(wait.error).toBeLessThan(0.3);
});

test("[FORECAST-10] there are ten sales, each with a name of its own", () => {
  expect(SALES).toHaveLength(10);
  expect(new Set(SALES.map(({ name }) => name)).size).toBe(10);
});
