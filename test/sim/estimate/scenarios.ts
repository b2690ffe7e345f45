import type { Draws } from "./draws.ts";
import type { Scenario } from "./crowd.ts";

const MINUTE = 60;

type Lengths = (draws: Draws) => number;
const random =
  (mean: number): Lengths =>
  (draws) =>
    draws.exponential(mean);
const alike =
  (median: number, sigma = 0.5): Lengths =>
  (draws) =>
    draws.lognormal(median, sigma);
const exactly =
  (seconds: number): Lengths =>
  () =>
    seconds;
const even =
  (least: number, most: number): Lengths =>
  (draws) =>
    draws.between(least, most);
const never: Lengths = () => Infinity;
/** One share leaves when done, the others stay until their lease is over. */
const some =
  (share: number, lengths: Lengths): Lengths =>
  (draws) =>
    draws.chance(share) ? lengths(draws) : Infinity;

/** Enough for a wait worth telling. */
const burstOf = (permitsMax: number): number => Math.max(400, 5 * permitsMax);

const burst =
  (count: number, seconds = 20) =>
  (draws: Draws) =>
    draws.within(0, seconds, count);
const stream = (perSecond: number, seconds: number) => (draws: Draws) =>
  draws.poisson(0, seconds, perSecond);
const both =
  (...parts: readonly ((draws: Draws) => readonly number[])[]) =>
  (draws: Draws): number[] =>
    parts.flatMap((part) => [...part(draws)]).sort((a, b) => a - b);
const later =
  (seconds: number, arrivals: (draws: Draws) => readonly number[]) =>
  (draws: Draws): number[] =>
    arrivals(draws).map((at) => at + seconds);

const P = (permitsMax: number) => ({ permitsMax });

/** Rooms that have been busy for a while: nothing but chance changes. */
const turningOver: readonly Scenario[] = (
  [
    ["at random, P=20", P(20), random(60), 0.5],
    ["at random, P=100", P(100), random(120), 1],
    ["at random, P=500", P(500), random(300), 1.7],
    ["alike, P=30", P(30), alike(90), 0.4],
    ["alike, P=200", P(200), alike(200, 0.4), 1.2],
    ["very unlike, P=100", P(100), alike(60, 1.2), 1],
    ["exactly as long, P=40", P(40), exactly(60), 0.8],
    ["between 30 and 90 s, P=50", P(50), even(30, 90), 1],
    ["short ones, P=10", P(10), random(5), 2.3],
    ["two kinds, P=60", P(60), some(0.5, random(20)), 0.5],
  ] as const
).map(([name, limits, visit, perSecond]) => ({
  name: `turning over: ${name}`,
  steady: true,
  limits: { ...limits, leaseMs: 120_000 },
  arrivals: both(
    stream(perSecond, 30 * MINUTE),
    later(10 * MINUTE, burst(burstOf(limits.permitsMax) * (name.startsWith("very") ? 3 : 1), 60)),
  ),
  visit,
  lookFrom: 10 * MINUTE,
}));

/** The doors open and everybody is there. */
const openings: readonly Scenario[] = (
  [
    ["at random, P=50", P(50), random(60), 500],
    ["at random, P=10", P(10), random(30), 240],
    ["at random, P=300", P(300), random(120), 2_000],
    ["alike, P=50", P(50), alike(60), 500],
    ["alike, P=100, long", P(100), alike(240, 0.6), 600],
    ["exactly as long, P=50", P(50), exactly(60), 400],
    ["between 20 and 100 s, P=80", P(80), even(20, 100), 700],
    ["very unlike, P=100", P(100), alike(40, 1.2), 1_500],
    ["P=1", P(1), alike(8), 60],
  ] as const
).map(([name, limits, visit, count]) => ({
  name: `opening: ${name}`,
  steady: false,
  limits,
  arrivals: burst(count),
  visit,
}));

/** Nobody says that they are done: visits end when their time is up. */
const expiring: readonly Scenario[] = [
  {
    name: "expiring: all, P=50, lease 60 s",
    steady: false,
    limits: { ...P(50), leaseMs: 60_000 },
    arrivals: burst(300),
    visit: never,
  },
  {
    name: "expiring: all, P=50, arriving all the time",
    steady: false,
    limits: { ...P(50), leaseMs: 60_000 },
    arrivals: stream(0.9, 25 * MINUTE),
    visit: never,
    lookFrom: 5 * MINUTE,
  },
  {
    name: "expiring: half, P=80, lease 2 min",
    steady: false,
    limits: { ...P(80), leaseMs: 120_000 },
    arrivals: burst(600),
    visit: some(0.5, random(40)),
  },
  {
    name: "expiring: nine in ten, P=100, lease 5 min",
    steady: false,
    limits: P(100),
    arrivals: burst(500),
    visit: some(0.1, random(60)),
  },
  {
    name: "expiring: overtime of 2 min",
    steady: false,
    limits: { ...P(60), visitMaxMs: 120_000 },
    arrivals: burst(400),
    visit: some(0.4, alike(70)),
  },
];

/** Not permits but starts are what is short. */
const limited: readonly Scenario[] = (
  [
    ["120 a minute", { ...P(1_000), startsPerMinuteMax: 120 }, random(60), 1_200],
    ["30 a minute", { ...P(100), startsPerMinuteMax: 30 }, alike(60), 200],
    ["2 a second", { ...P(500), startsPerSecondMax: 2 }, random(60), 1_000],
    ["1 a second, sliding", { ...P(200), startsPerSecondMax: 1, ring: "sliding" }, alike(80), 400],
    [
      "5 a second and 200 a minute",
      { ...P(1_000), startsPerSecondMax: 5, startsPerMinuteMax: 200 },
      random(90),
      900,
    ],
  ] as const
).map(([name, limits, visit, count]) => ({
  name: `limited: ${name}`,
  steady: true,
  limits,
  arrivals: burst(count),
  visit,
}));

const mixed: Scenario = {
  name: "limited: 60 a minute while P=100 fills, then by P",
  steady: false,
  limits: { ...P(100), startsPerMinuteMax: 60 },
  arrivals: burst(600),
  visit: alike(150, 0.4),
};

const paused: readonly Scenario[] = [
  {
    name: "paused: a prequeue of 5 min, fresh",
    steady: false,
    limits: { ...P(50), paused: true },
    arrivals: (draws) => draws.within(0, 5 * MINUTE, 500),
    visit: random(60),
    changes: [[5 * MINUTE, { paused: false }]],
  },
  {
    name: "paused: a prequeue, limited by the minute",
    steady: false,
    limits: { ...P(80), paused: true, startsPerMinuteMax: 120 },
    arrivals: (draws) => draws.within(0, 5 * MINUTE, 700),
    visit: alike(60),
    changes: [[5 * MINUTE, { paused: false }]],
  },
  {
    name: "paused: for 3 min in the middle",
    steady: false,
    limits: P(40),
    arrivals: both(stream(0.6, 25 * MINUTE), later(5 * MINUTE, burst(200))),
    visit: random(60),
    changes: [
      [8 * MINUTE, { paused: true }],
      [11 * MINUTE, { paused: false }],
    ],
    lookFrom: 5 * MINUTE,
  },
];

const changed: readonly Scenario[] = (
  [
    ["P halved", P(100), P(50), random(60)],
    ["P doubled", P(50), P(100), random(60)],
    ["P to a fifth", P(100), P(20), alike(60)],
    ["P fivefold", P(20), P(100), alike(60)],
    [
      "a minute's number halved",
      { ...P(500), startsPerMinuteMax: 120 },
      { startsPerMinuteMax: 60 },
      random(60),
    ],
    ["a limit per second is new", P(100), { startsPerSecondMax: 1 }, random(40)],
  ] as const
).map(([name, limits, what, visit]) => ({
  name: `just changed: ${name}`,
  steady: false,
  limits,
  arrivals: both(stream(1, 8 * MINUTE), later(4 * MINUTE, burst(500, 30))),
  visit,
  changes: [[6 * MINUTE, what]],
  lookFrom: 4 * MINUTE,
}));

const restarted: readonly Scenario[] = [
  {
    name: "restarted: while it turns over",
    steady: false,
    limits: P(60),
    arrivals: both(stream(0.8, 20 * MINUTE), later(4 * MINUTE, burst(600))),
    visit: random(60),
    changes: [[7 * MINUTE, "crash"]],
    lookFrom: 4 * MINUTE,
  },
  {
    name: "restarted: while it fills",
    steady: false,
    limits: { ...P(100), startsPerMinuteMax: 90 },
    arrivals: burst(500),
    visit: alike(120),
    changes: [[40, "crash"]],
  },
];

const people: readonly Scenario[] = [
  {
    name: "people: one in five does not come",
    steady: true,
    limits: { ...P(40), claimWithinMs: 30_000 },
    arrivals: both(stream(0.4, 25 * MINUTE), later(8 * MINUTE, burst(600))),
    visit: random(60),
    claim: (draws) => (draws.chance(0.2) ? Infinity : draws.between(0.2, 3)),
    lookFrom: 8 * MINUTE,
  },
  {
    name: "people: they come after 10 s on average",
    steady: true,
    limits: P(40),
    arrivals: both(stream(0.5, 25 * MINUTE), later(8 * MINUTE, burst(250))),
    visit: alike(60),
    claim: (draws) => draws.between(2, 18),
    lookFrom: 8 * MINUTE,
  },
  {
    name: "people: half leave within 5 min",
    steady: true,
    limits: P(40),
    arrivals: both(stream(0.9, 30 * MINUTE), later(10 * MINUTE, burst(200))),
    visit: random(60),
    patience: (draws) => draws.exponential(7 * MINUTE),
    lookFrom: 10 * MINUTE,
  },
  {
    name: "people: an opening where a third leaves soon",
    steady: false,
    limits: P(50),
    arrivals: burst(600),
    visit: random(60),
    patience: (draws) => (draws.chance(0.35) ? draws.exponential(2 * MINUTE) : Infinity),
  },
  {
    name: "people: visits grow longer as shelves empty",
    steady: false,
    limits: P(60),
    arrivals: both(stream(1, 20 * MINUTE), later(4 * MINUTE, burst(300))),
    visit: (draws, at) => draws.exponential(40 + Math.min(40, at / 20)),
    lookFrom: 4 * MINUTE,
  },
];

export const SCENARIOS: readonly Scenario[] = [
  ...turningOver,
  ...openings,
  ...expiring,
  ...limited,
  mixed,
  ...paused,
  ...changed,
  ...restarted,
  ...people,
];
