/**
 * What the history by the minute costs: rows and processor time for each visitor, with it and
 * without. `npx node bench/record.ts [--quick]`
 */
import { alternate } from "./support/alternate.ts";
import { countsOf, sumOf, type Counts } from "./support/counts.ts";
import { liveThrough } from "./support/lives.ts";
import { full } from "./support/options.ts";
import { publish } from "./support/report.ts";
import { serve } from "./support/serve.ts";
import { median } from "./support/stats.ts";

const ROUNDS = full(3, 1);
const VISITORS = full(1_000, 200);
const PERMITS = 100;
const STAY_MS = 200;

interface Cost {
  readonly rows: number;
  readonly historyRows: number;
  readonly calls: number;
  readonly cpuMs: number;
}

/** A whole sale on a server of its own, until its last minute is over. */
const sale = async (main: URL): Promise<Cost> => {
  const served = await serve({ main });
  const cpuBefore = served.cpuMs();
  const { counts } = await countsOf(served.url, () =>
    liveThrough(served, { visitors: VISITORS, permits: PERMITS, stayMs: STAY_MS }),
  );
  const cpuMs = (served.cpuMs() - cpuBefore) / VISITORS;
  await served.stop();
  return { ...perVisitor(counts), cpuMs };
};

const perVisitor = (counts: Counts) => {
  const each = (...names: string[]): number => sumOf(counts, ...names) / VISITORS;
  return {
    rows: each("rows "),
    // The last minute of a sale is written after its end.
    historyRows: each("rows Room history") + 1 / VISITORS,
    calls: each("call "),
  };
};

const { withIt, without } = await alternate(
  {
    withIt: () => sale(new URL("./instrument/counted.ts", import.meta.url)),
    without: () => sale(new URL("./instrument/without-record.ts", import.meta.url)),
  },
  ROUNDS,
);
const of = (costs: readonly Cost[], figure: keyof Cost) =>
  median(costs.map((cost) => cost[figure]));
const both = (figure: keyof Cost) => ({ ours: of(withIt, figure), baseline: of(without, figure) });

publish({
  name: "record",
  title: "The record by the minute",
  about:
    `${VISITORS} visitors' whole lives (page, ticket, socket, claim, three pages, end) through a room ` +
    `of ${PERMITS} permits, each time on a fresh server; the baseline is the same product whose Room ` +
    `counts nothing. Medians of ${ROUNDS} rounds, alternating.`,
  figures: [
    {
      what: "rows of the history per visitor",
      ours: of(withIt, "historyRows"),
      target: { of: "ours", most: 0.05 },
    },
    { what: "all rows written per visitor", ...both("rows") },
    { what: "object calls per visitor", ...both("calls") },
    { what: "processor time per visitor", unit: "ms", ...both("cpuMs") },
  ],
  notes: [
    "All rows differ between rounds with how visitors fall into batches, by more than the history has. " +
      "The minute that runs stands in the head row, which every step that changes anything writes anyway.",
    "A minute with anything in it costs one row, a second one once the row of 45 days ago goes, and the " +
      "alarm at its end: so below 20 visitors a minute a visitor's share is more than 0.05 of a row.",
  ],
});
