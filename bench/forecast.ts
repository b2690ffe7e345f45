/** Forecasts of simulated sales against what then came, and what one costs. `node bench/forecast.ts` */
import { forecastCourse } from "../src/core/forecast/forecast.ts";
import type { ForecastOutset } from "../src/core/forecast/outset.ts";
import { outsetOf } from "../src/core/room/outset.ts";
import { instant } from "../src/core/time.ts";
import { World } from "../test/core/room/world.ts";
import {
  compareSale,
  verdictOf,
  type Accuracy,
  type SaleVerdict,
} from "../test/sim/forecast/judge.ts";
import { SALES } from "../test/sim/forecast/sales.ts";

const SEEDS = [1, 2];

const percent = (share: number): string => `${(share * 100).toFixed(0)}%`;
const shown = ({ error, held }: Accuracy): string => `${percent(error)} / ${percent(held)}`;
const row = (name: string, { waiting, visiting, entered, wait }: SaleVerdict): string =>
  `| ${[name, ...[waiting, visiting, entered, wait].map(shown)].join(" | ")} |`;

console.log("Median error / share of minutes within the range told\n");
console.log("| sale | waiting | visiting | entered | wait of who joins then |");
console.log("| --- | --- | --- | --- | --- |");
const all = SALES.map((sale) => SEEDS.map((seed) => compareSale(sale, seed)));
all.forEach((comparisons, i) => console.log(row(SALES[i]?.name ?? "", verdictOf(comparisons))));
console.log(row("all", verdictOf(all.flat())));

/** A room of so many permits in which everything is at work. */
const roomOf = (permitsMax: number, waiting: number): ForecastOutset => {
  const world = new World({ permitsMax: 50, startsPerMinuteMax: 600 });
  world.crowd(1_000);
  for (let second = 0; second < 120; second += 1) {
    for (const number of world.justCalled) world.visit(number);
    const [oldest] = [...world.state.permits.all()];
    if (oldest?.permit.state === "held") world.end(oldest.permit.number);
    world.tick(1_000);
  }
  const outset = outsetOf(world.state, instant(world.now));
  const startsPerMinuteMax = permitsMax * 12;
  const limits = { ...outset.limits, permitsMax, startsPerMinuteMax };
  return { ...outset, limits, waiting, visiting: permitsMax };
};

console.log("\n| an hour ahead, 60 points | whole | longest point |");
console.log("| --- | --- | --- |");
for (const [permitsMax, waiting] of [
  [50, 500],
  [500, 20_000],
  [10_000, 500_000],
] as const) {
  const outset = roomOf(permitsMax, waiting);
  let [whole, longest] = [Infinity, 0];
  for (let time = 0; time < 5; time += 1) {
    const began = performance.now();
    let before = began;
    longest = 0;
    for (const _ of forecastCourse(outset)) {
      const now = performance.now();
      longest = Math.max(longest, now - before);
      before = now;
    }
    whole = Math.min(whole, performance.now() - began);
  }
  console.log(
    `| P=${permitsMax}, ${waiting} waiting | ${whole.toFixed(0)} ms | ${longest.toFixed(1)} ms |`,
  );
}
