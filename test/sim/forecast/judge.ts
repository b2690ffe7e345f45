import type { RoomLimits } from "../../../src/core/definition.ts";
import type { ForecastChange, ForecastPoint, Ranged } from "../../../src/core/forecast/course.ts";
import { forecastCourse } from "../../../src/core/forecast/forecast.ts";
import type { ForecastOutset } from "../../../src/core/forecast/outset.ts";
import { outsetOf } from "../../../src/core/room/outset.ts";
import { instant } from "../../../src/core/time.ts";
import { live, type Scenario, type Wait } from "../estimate/crowd.ts";
import { Draws } from "../estimate/draws.ts";
import type { Sale } from "./sales.ts";

/** What then came at one moment. */
interface Came {
  readonly waiting: number;
  readonly visiting: number;
  readonly entered: number;
}

/** Of one figure, over all moments that were compared. */
export interface Accuracy {
  readonly compared: number;
  /** Median of |forecast - true|, as a share of the truth, or of a twentieth of the most there was. */
  readonly error: number;
  /** The share of moments at which the range held the truth. */
  readonly held: number;
}

export interface SaleVerdict {
  readonly waiting: Accuracy;
  readonly visiting: Accuracy;
  readonly entered: Accuracy;
  /** Of those who joined at that moment. */
  readonly wait: Accuracy;
}

/** One moment of a figure, one forecast. */
export interface Compared {
  readonly error: number;
  readonly held: boolean;
}
export type SaleComparison = Record<keyof SaleVerdict, Compared[]>;

/** What is within this of the truth is right: nobody plans by less. */
const SLACK = 2;

const compared = (told: Ranged, truth: number, most: number): Compared => ({
  error: Math.abs(told.value - truth) / Math.max(truth, most / 20, 1),
  held: truth >= told.low - SLACK && truth <= told.high + SLACK,
});

/** Every minute of a forecast against what came. */
export const compareSale = (sale: Sale, seed: number): SaleComparison => {
  const outsets: ForecastOutset[] = [];
  const came = new Map<number, Came>();
  let bornAt = 0;
  const waits = live(scenarioOf(sale), new Draws(seed), (world, seconds) => {
    const { state, now } = world;
    bornAt = now - seconds * 1_000;
    if (seconds === sale.at - 1) outsets.push(outsetOf(state, instant(now)));
    const { entriesByUsher = 0, entriesByBaton = 0, entriesByDoor = 0 } = state.history.totals;
    const entered = entriesByUsher + entriesByBaton + entriesByDoor;
    came.set(seconds, { waiting: state.line.waiting, visiting: state.permits.held, entered });
  });
  const [outset] = outsets;
  if (outset === undefined) throw new Error(`${sale.name}: it was over before it was looked at`);
  const before = came.get(sale.at - 1)?.entered ?? 0;
  const result: SaleComparison = { waiting: [], visiting: [], entered: [], wait: [] };
  const most = Math.max(...[...came.values()].map(({ waiting }) => waiting));
  for (const point of forecast(sale, outset).slice(1)) {
    const seconds = Math.round((point.at - bornAt) / 1_000);
    const truth = came.get(seconds);
    // The line was gone, and nobody came any more.
    if (truth === undefined) break;
    const entered = truth.entered - before;
    result.waiting.push(compared(point.waiting, truth.waiting, most));
    result.visiting.push(compared(point.visiting, truth.visiting, outset.limits.permitsMax));
    result.entered.push(compared(point.entered, entered, 20 * ENTERED_LEAST));
    const wait = waitFrom(waits, point.at);
    if (wait === null || !point.end.known) continue;
    const { seconds: value, low, high } = point.end;
    result.wait.push(compared({ value, low, high }, wait, 20 * WAIT_LEAST));
  }
  return result;
};

/** Shorter waits are judged as if they were so long, in seconds. */
const WAIT_LEAST = 20;
/** As if no fewer had entered. */
const ENTERED_LEAST = 10;

const forecast = (sale: Sale, outset: ForecastOutset): ForecastPoint[] => [
  ...forecastCourse(outset, {
    change: sale.change,
    horizonMs: sale.ahead * 60_000,
    points: sale.ahead,
  }),
];

const scenarioOf = (sale: Sale): Scenario => ({
  ...sale,
  steady: false,
  lookFrom: sale.at,
  changes: [
    [sale.at - 0.5, changeOf(sale.change)],
    // What is paused would last for ever.
    [sale.at + (sale.ahead + 1) * 60, { paused: false }],
  ],
});

const changeOf = ({ closed: _closed, ...change }: ForecastChange): Partial<RoomLimits> => change;

/** How long the first waited who joined from this moment on, in seconds. */
const waitFrom = (waits: readonly Wait[], at: number): number | null => {
  let first: Wait | null = null;
  for (const wait of waits) {
    if (wait.joinedAt < at || wait.joinedAt >= at + 60_000) continue;
    if (first === null || wait.joinedAt < first.joinedAt) first = wait;
  }
  return first === null ? null : (first.calledAt - first.joinedAt) / 1_000;
};

const accuracyOf = (all: readonly Compared[]): Accuracy => {
  const errors = all.map(({ error }) => error).toSorted((a, b) => a - b);
  return {
    compared: all.length,
    error: errors[Math.floor(errors.length / 2)] ?? 0,
    held: all.filter(({ held }) => held).length / Math.max(1, all.length),
  };
};

/** Of all that was compared. */
export const verdictOf = (comparisons: readonly SaleComparison[]): SaleVerdict => {
  const of = (figure: keyof SaleVerdict): Accuracy =>
    accuracyOf(comparisons.flatMap((comparison) => comparison[figure]));
  return {
    waiting: of("waiting"),
    visiting: of("visiting"),
    entered: of("entered"),
    wait: of("wait"),
  };
};
