/**
 * How well waits are foretold: every scenario of test/sim/estimate, each from several seeds. It is no
 * measurement of time; the simulated rooms run the product's own core.
 */
import { judge } from "../test/sim/estimate/judge.ts";
import { SCENARIOS } from "../test/sim/estimate/scenarios.ts";
import { isQuick } from "./support/options.ts";
import { publish } from "./support/report.ts";
import type { Figure } from "./support/report.ts";

const SEEDS = isQuick ? [1] : [1, 2, 3, 4, 5];
const ERROR_MOST = 0.2;
const ERROR_MOST_STEADY = 0.1;
const COVERAGE_LEAST = 0.8;

const figures: Figure[] = [];
for (const scenario of SCENARIOS) {
  const verdict = judge(scenario, SEEDS);
  const most = scenario.steady ? ERROR_MOST_STEADY : ERROR_MOST;
  const worst = Math.min(...verdict.coverage);
  const shares = verdict.coverage.map((share) => share.toFixed(2)).join(" ");
  console.log(`${scenario.name}: error ${verdict.error.toFixed(3)}, held ${shares}`);
  figures.push(
    {
      what: `${scenario.name}: median error halfway`,
      ours: verdict.error,
      target: { of: "ours", most },
    },
    {
      what: "… its range held the truth, worst quarter",
      ours: worst,
      target: { of: "ours", least: COVERAGE_LEAST },
    },
    { what: "… the range's width halfway, as a share of the wait", ours: verdict.width },
    { what: "… the share of looks at which anything was told", ours: verdict.known },
  );
}
publish({
  name: "estimate",
  title: "The truth about the wait",
  about: `${SCENARIOS.length} simulated rooms, from seeds ${SEEDS.join(", ")}; of each some 150 visitors a seed are asked after a quarter, half and three quarters of their wait. Looks before the operator changed something are left out, and so is what was told as unknown (its share is in the last line of each).`,
  figures,
});
