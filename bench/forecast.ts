/** Forecasts of simulated sales against what then came, and what one costs. `node bench/forecast.ts` */
import { forecastCourse } from "../src/core/forecast/forecast.ts";
import type { ForecastOutset } from "../src/core/forecast/outset.ts";
import { outsetOf } from "../src/core/room/outset.ts";
import { instant } from "../src/core/time.ts";
import { World } from "../test/core/room/world.ts";
import { compareSale, verdictOf, type Accuracy } from "../test/sim/forecast/judge.ts";
import { SALES } from "../test/sim/forecast/sales.ts";
import { full } from "./support/options.ts";
import { publish, type Figure } from "./support/report.ts";

const SEEDS = full([1, 2], [1]);
const SOLD = full(SALES, SALES.slice(2, 3));
const TIMES = full(5, 1);

const percent = (share: number): number => Math.round(share * 1_000) / 10;
const rows = (what: string, { error, held }: Accuracy): Figure[] => [
  { what: `${what}: off by, median`, unit: "%", ours: percent(error) },
  { what: `${what}: within the range`, unit: "%", ours: percent(held) },
];

const all = SOLD.map((sale) => SEEDS.map((seed) => compareSale(sale, seed)));
const { waiting, visiting, entered, wait } = verdictOf(all.flat());

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

const cost = ([permitsMax, waitingNow]: readonly [number, number]): Figure[] => {
  const outset = roomOf(permitsMax, waitingNow);
  let [whole, longest] = [Infinity, Infinity];
  for (let time = 0; time < TIMES; time += 1) {
    const began = performance.now();
    let [before, most] = [began, 0];
    for (const _ of forecastCourse(outset)) {
      const now = performance.now();
      most = Math.max(most, now - before);
      before = now;
    }
    whole = Math.min(whole, performance.now() - began);
    longest = Math.min(longest, most);
  }
  const of = `P=${permitsMax.toLocaleString("en")}, ${waitingNow.toLocaleString("en")} wait`;
  return [
    { what: `an hour ahead, ${of}`, unit: "ms", ours: whole },
    { what: `its longest point of 60, ${of}`, unit: "ms", ours: longest },
  ];
};

publish({
  name: "forecast",
  title: "Forecasts of sales against what then came",
  about: `${SOLD.length} simulated sales, ${SEEDS.length} seeds each; in the middle of each the operator changes a limit or nothing, and the forecast that was asked right before is compared with what then came, minute by minute, 15 to 40 minutes ahead. Errors are shares of the truth, or of a twentieth of the most that ever waited where that is more. What it costs is the best of ${TIMES} runs on one core.`,
  figures: [
    ...rows("waiting", waiting),
    ...rows("inside", visiting),
    ...rows("entered", entered),
    ...rows("the wait of who joins then", wait),
    ...all.flatMap((comparisons, i) =>
      rows(`waiting, ${SOLD[i]?.name ?? ""}`, verdictOf(comparisons).waiting),
    ),
    ...(
      [
        [50, 500],
        [500, 20_000],
        [10_000, 500_000],
      ] as const
    ).flatMap(cost),
  ],
  notes: [
    "A range is meant to hold what chance and drift do. That it holds nearly always says that it is wide: an operator may count on the value less the further ahead it lies.",
    "Arrivals are taken to go on as they do. A crowd that comes later is in no forecast.",
  ],
});
