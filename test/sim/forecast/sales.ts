import type { ForecastChange } from "../../../src/core/forecast/course.ts";
import type { Draws } from "../estimate/draws.ts";
import type { Scenario } from "../estimate/crowd.ts";

/** A sale, and what its operator does at one moment of it: the forecast is asked right before. */
export interface Sale {
  readonly name: string;
  readonly limits: Scenario["limits"];
  readonly arrivals: Scenario["arrivals"];
  readonly visit: Scenario["visit"];
  readonly claim?: (draws: Draws) => number;
  readonly patience?: (draws: Draws) => number;
  /** In seconds. */
  readonly at: number;
  readonly change: ForecastChange;
  /** In minutes. */
  readonly ahead: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;

const sorted = (...moments: number[][]): number[] => moments.flat().sort((a, b) => a - b);
/** A crowd in the first minute, and so many a second ever after. */
const opening =
  (crowd: number, perSecond: number, until = 80 * MINUTE): Sale["arrivals"] =>
  (draws) =>
    sorted(draws.within(0, MINUTE, crowd), draws.poisson(MINUTE, until, perSecond));
const people = (draws: Draws): number => Math.min(20, 0.5 + draws.exponential(3));

export const SALES: readonly Sale[] = [
  {
    name: "a crowd of 2,000, and the line goes down",
    limits: { permitsMax: 120, startsPerMinuteMax: 600 },
    arrivals: opening(2_000, 0.4),
    visit: (draws) => draws.lognormal(90, 0.6),
    claim: people,
    at: 12 * MINUTE,
    change: {},
    ahead: 30,
  },
  {
    name: "more come than go",
    limits: { permitsMax: 60, startsPerMinuteMax: 300 },
    arrivals: opening(200, 1.2),
    visit: (draws) => draws.exponential(75),
    claim: people,
    at: 15 * MINUTE,
    change: {},
    ahead: 40,
  },
  {
    name: "P is doubled",
    limits: { permitsMax: 50, startsPerMinuteMax: 600 },
    arrivals: opening(1_500, 0.3),
    visit: (draws) => draws.lognormal(60, 0.5),
    claim: people,
    at: 10 * MINUTE,
    change: { permitsMax: 100 },
    ahead: 30,
  },
  {
    name: "P is halved, and nobody is called until it fits",
    limits: { permitsMax: 100, startsPerMinuteMax: 600 },
    arrivals: opening(1_000, 0.5),
    visit: (draws) => draws.exponential(120),
    claim: people,
    at: 15 * MINUTE,
    change: { permitsMax: 50 },
    ahead: 30,
  },
  {
    name: "R decides: 40 a minute, raised to 80",
    limits: { permitsMax: 400, startsPerMinuteMax: 40 },
    arrivals: opening(1_500, 0.2),
    visit: (draws) => draws.exponential(150),
    claim: people,
    at: 10 * MINUTE,
    change: { startsPerMinuteMax: 80 },
    ahead: 30,
  },
  {
    name: "paused",
    limits: { permitsMax: 60, startsPerMinuteMax: 300 },
    arrivals: opening(300, 0.8),
    visit: (draws) => draws.exponential(70),
    claim: people,
    at: 12 * MINUTE,
    change: { paused: true },
    ahead: 15,
  },
  {
    name: "a fifth of the called never come, and others lose patience",
    limits: { permitsMax: 80, startsPerMinuteMax: 400, claimWithinMs: 30_000 },
    arrivals: opening(1_200, 0.5),
    visit: (draws) => draws.lognormal(70, 0.7),
    claim: (draws) => (draws.chance(0.2) ? Infinity : people(draws)),
    patience: (draws) => draws.exponential(HOUR),
    at: 15 * MINUTE,
    change: {},
    ahead: 30,
  },
  {
    name: "two a second, no more",
    limits: { permitsMax: 500, startsPerMinuteMax: 600, startsPerSecondMax: 2 },
    arrivals: opening(2_500, 0.5),
    visit: (draws) => draws.exponential(100),
    claim: people,
    at: 8 * MINUTE,
    change: {},
    ahead: 20,
  },
  {
    name: "leases run out: half of the visits end by them",
    limits: { permitsMax: 90, startsPerMinuteMax: 600, leaseMs: 180_000, leaseRenews: false },
    arrivals: opening(1_000, 0.4),
    visit: (draws) => (draws.chance(0.5) ? Infinity : draws.between(20, 120)),
    claim: people,
    at: 15 * MINUTE,
    change: {},
    ahead: 30,
  },
  {
    name: "an open room that fills",
    limits: { permitsMax: 100, startsPerMinuteMax: 600 },
    arrivals: (draws) =>
      sorted(draws.poisson(0, 10 * MINUTE, 0.5), draws.poisson(10 * MINUTE, 80 * MINUTE, 1.3)),
    visit: (draws) => draws.exponential(100),
    claim: people,
    at: 16 * MINUTE,
    change: {},
    ahead: 30,
  },
];
