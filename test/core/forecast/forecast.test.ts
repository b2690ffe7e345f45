import { describe, expect, test } from "vitest";
import type { ForecastAsk, ForecastPoint } from "../../../src/core/forecast/course.ts";
import { forecastCourse } from "../../../src/core/forecast/forecast.ts";
import {
  SPREAD_STEPS,
  type ForecastLimits,
  type ForecastOutset,
  type Learned,
  type Spread,
} from "../../../src/core/forecast/outset.ts";
import { instant, MINUTE_MS } from "../../../src/core/time.ts";

const AT = instant(1_800_000_000_000);
const spread = (value: (share: number) => number): Spread =>
  Array.from({ length: SPREAD_STEPS + 1 }, (_, i) => value(i / SPREAD_STEPS));

const LIMITS: ForecastLimits = {
  permit: "visit",
  order: "fifo",
  permitsMax: 60,
  startsPerMinuteMax: 600,
  startsPerSecondMax: null,
  ring: "calendar",
  ringGuardMs: 100,
  claimWithinMs: 60_000,
  visitMaxMs: null,
  lineMax: 5_000_000,
  paused: false,
  suspended: false,
  closed: false,
};

/** Visits of about a minute each: 60 permits let 60 a minute through. */
const LEARNED: Learned = {
  lengthsMs: spread((share) => 30_000 + share * 60_000),
  lengthsFrom: 400,
  lengthsUnseen: 0,
  missedShare: 0,
  claimMs: 0,
  leavingPerMinute: 0,
  arrivalsPerMinute: 0,
};

interface Given extends Partial<Omit<ForecastOutset, "limits" | "learned">> {
  readonly limits?: Partial<ForecastLimits>;
  readonly learned?: Partial<Learned>;
}

const outset = ({ limits, learned, ...more }: Given = {}): ForecastOutset => ({
  at: AT,
  events: [],
  waiting: 600,
  called: 0,
  visiting: 60,
  agesMs: spread((share) => share * 60_000),
  callsLastMinute: Array.from({ length: 60 }, () => 1),
  ...more,
  limits: { ...LIMITS, ...limits },
  learned: { ...LEARNED, ...learned },
});

/** A point each minute. */
const minutes = (given: Given, ask: ForecastAsk = {}, ahead = 20): ForecastPoint[] => [
  ...forecastCourse(outset(given), { horizonMs: ahead * MINUTE_MS, points: ahead, ...ask }),
];

const near = (value: number, wanted: number, share = 0.06): void => {
  expect(value).toBeGreaterThanOrEqual(wanted * (1 - share) - 3);
  expect(value).toBeLessThanOrEqual(wanted * (1 + share) + 3);
};

describe("what a setting would lead to", () => {
  test("[FORECAST-1] the first point is the room as it is, and the line goes as its visits end", () => {
    const points = minutes({});
    expect(points).toHaveLength(21);
    expect(points[0]).toMatchObject({
      at: AT,
      waiting: { value: 600 },
      visiting: { value: 60 },
      entered: { value: 0 },
    });
    near(points[5]!.waiting.value, 300);
    near(points[5]!.entered.value, 300);
    expect(points[15]!.waiting.value).toBe(0);
    expect(points[5]!.head).toMatchObject({ known: true });
    const { end } = points[5]!;
    near(end.known ? end.seconds : Infinity, 300, 0.12);
  });

  test("[FORECAST-2] the same question has the same answer; another seed has nearly the same", () => {
    const given = { learned: { arrivalsPerMinute: 40, missedShare: 0.1, claimMs: 3_000 } };
    expect(minutes(given, {}, 5)).toEqual(minutes(given, {}, 5));
    near(
      minutes(given, { seed: 7 }, 5)[5]!.waiting.value,
      minutes(given, {}, 5)[5]!.waiting.value,
      0.1,
    );
  });

  test("[FORECAST-3] with P doubled the line goes twice as fast", () => {
    const points = minutes({}, { change: { permitsMax: 120 } }, 5);
    near(points[3]!.visiting.value, 120, 0.1);
    near(points[4]!.entered.value, 480 + 60, 0.12);
  });

  test("[FORECAST-3] with P lowered nobody is called until those inside fit again", () => {
    const points = minutes({}, { change: { permitsMax: 30 } }, 10);
    expect(points[0]!.visiting.value).toBe(60);
    const [atOnce] = forecastCourse(outset({}), {
      change: { permitsMax: 30 },
      horizonMs: 20_000,
      points: 1,
    });
    expect(atOnce!.entered.value).toBe(0);
    const [, early] = forecastCourse(outset({}), {
      change: { permitsMax: 30 },
      horizonMs: 25_000,
      points: 1,
    });
    expect(early!.entered.value).toBe(0);
    near(points[10]!.visiting.value, 30);
    near(points[10]!.entered.value - points[5]!.entered.value, 150, 0.1);
  });

  test("[FORECAST-3] where R decides, R raised lets so many more in", () => {
    const given = { limits: { permitsMax: 1_000, startsPerMinuteMax: 30 }, visiting: 30 };
    near(minutes(given)[10]!.entered.value, 300);
    near(minutes(given, { change: { startsPerMinuteMax: 50 } })[10]!.entered.value, 500, 0.1);
    const perSecond = { startsPerMinuteMax: 600, startsPerSecondMax: 1 };
    near(minutes(given, { change: perSecond })[8]!.entered.value, 480);
  });

  test.each([{ paused: true }, { closed: true }])(
    "[FORECAST-4] while the room is %o nobody enters, and visits end",
    (change) => {
      const points = minutes({ learned: { arrivalsPerMinute: 60 } }, { change }, 10);
      expect(points[10]!.entered.value).toBe(0);
      expect(points[10]!.visiting.value).toBe(0);
      expect(points[10]!.end).toEqual({
        known: false,
        reason: change.paused ? "paused" : "closed",
      });
      // Who is sold out takes no more tickets.
      near(points[10]!.waiting.value, change.paused ? 1_200 : 600);
    },
  );

  test("[FORECAST-3] a pace holds, whatever the operator would set", () => {
    const lowered = {
      permitsMax: 20,
      startsPerMinuteMax: null,
      startsPerSecondMax: null,
      closed: false,
    };
    const points = minutes({ lowered }, { change: { permitsMax: 120 } }, 8);
    near(points[8]!.visiting.value, 20, 0.1);
    const sold = minutes({ lowered: { ...lowered, closed: true } }, {}, 3);
    expect(sold[3]!).toMatchObject({ entered: { value: 0 }, end: { reason: "closed" } });
  });

  test("[FORECAST-4] resumed, it goes on where it stands", () => {
    const given = { limits: { paused: true }, visiting: 0, agesMs: [] };
    expect(minutes(given)[10]!.entered.value).toBe(0);
    near(minutes(given, { change: { paused: false } })[10]!.entered.value, 600, 0.1);
  });

  test("[FORECAST-5] before an event starts nobody is called, from its start on its limits hold", () => {
    const event = {
      prequeueAt: AT,
      startsAt: instant(AT + 5 * MINUTE_MS),
      endsAt: instant(AT + 60 * MINUTE_MS),
      permitsMax: 30,
      startsPerMinuteMax: 600,
      queueingMethod: null,
    };
    const points = minutes({ events: [event], visiting: 0, agesMs: [] });
    expect(points[4]!.entered.value).toBe(0);
    expect(points[4]!.end).toEqual({ known: false, reason: "prequeue" });
    near(points[9]!.visiting.value, 30, 0.1);
    near(points[15]!.entered.value, 330, 0.12);
  });

  test("[FORECAST-6] who never comes costs a claim time, and who leaves shortens the line", () => {
    const missed = { missedShare: 0.3 };
    const given = { limits: { claimWithinMs: 30_000 }, learned: missed };
    // A permit is out for 60 s with whoever comes, and for 30 s · 3/7 before it with those who do not.
    near(minutes(given)[8]!.entered.value, (60 * 8 * 60) / (60 + (30 * 3) / 7), 0.1);
    const points = minutes(
      { learned: { leavingPerMinute: 0.05 } },
      { change: { paused: true } },
      10,
    );
    near(points[10]!.waiting.value, 600 * 0.95 ** 10, 0.08);
  });

  test("[FORECAST-7] what is assumed goes before what was learned", () => {
    const assume = { arrivalsPerMinute: 120, visitMs: 30_000 };
    const points = minutes({}, { assume });
    near(points[5]!.entered.value, 600, 0.15);
    const none = minutes(
      { learned: { arrivalsPerMinute: 500 } },
      { assume: { arrivalsPerMinute: 0 } },
    );
    expect(none[15]!.waiting).toMatchObject({ value: 0 });
  });

  test("[FORECAST-7] before any visit has ended nobody can say, unless their length is assumed", () => {
    const given = { learned: { lengthsMs: [], lengthsFrom: 0, lengthsUnseen: 1 } };
    const unknown = minutes(given);
    expect(unknown[5]!.end).toEqual({ known: false, reason: "no-ends" });
    expect(unknown[5]!.entered.value).toBe(0);
    near(minutes(given, { assume: { visitMs: 60_000 } })[5]!.entered.value, 300, 0.2);
  });
});

describe("large and quick rooms", () => {
  test("[FORECAST-8] a hundred times as large, it tells a hundred times as much", () => {
    const small = minutes({ learned: { arrivalsPerMinute: 30 } });
    const large = minutes({
      waiting: 60_000,
      visiting: 6_000,
      limits: { permitsMax: 6_000, startsPerMinuteMax: 60_000 },
      learned: { arrivalsPerMinute: 3_000 },
    });
    for (const i of [3, 6, 9]) {
      near(large[i]!.waiting.value / 100, small[i]!.waiting.value, 0.1);
      near(large[i]!.entered.value / 100, small[i]!.entered.value, 0.1);
    }
  });

  test("[FORECAST-8] the rear of a line of a million is counted, though it is not lived through", () => {
    const points = minutes({ waiting: 1_000_000, learned: { arrivalsPerMinute: 600 } }, {}, 10);
    near(points[10]!.waiting.value, 1_000_000 + 6_000 - 600, 0.001);
    near(points[10]!.entered.value, 600, 0.1);
  });

  test("[FORECAST-8] requests of a tenth of a second pass as they would", () => {
    const points = minutes({
      limits: { permit: "request", permitsMax: 10, startsPerMinuteMax: 100_000 },
      waiting: 0,
      visiting: 5,
      agesMs: spread((share) => share * 100),
      learned: { lengthsMs: spread(() => 100), arrivalsPerMinute: 3_000 },
    });
    near(points[10]!.entered.value, 30_000, 0.1);
    expect(points[10]!.waiting.value).toBeLessThan(100);
  });

  test("[FORECAST-8] however large the room, an hour takes a bounded time, in small pieces", () => {
    const began = performance.now();
    let [longest, before] = [0, began];
    const large = outset({
      waiting: 5_000_000,
      visiting: 100_000,
      limits: { permitsMax: 100_000, startsPerMinuteMax: 100_000 },
      learned: { arrivalsPerMinute: 100_000 },
    });
    for (const _ of forecastCourse(large, { points: 10_000, horizonMs: 60 * MINUTE_MS })) {
      longest = Math.max(longest, performance.now() - before);
      before = performance.now();
    }
    // A third of a second alone on a quiet machine.
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(longest).toBeLessThan(2_000);
  });
});

test("[FORECAST-9] the range widens with time, and holds its value", () => {
  const points = minutes({
    learned: { arrivalsPerMinute: 60, lengthsMs: spread((s) => s * 120_000) },
  });
  for (const { waiting, visiting, entered } of points)
    for (const { value, low, high } of [waiting, visiting, entered]) {
      expect(low).toBeLessThanOrEqual(value);
      expect(high).toBeGreaterThanOrEqual(value);
    }
  const width = (i: number): number => points[i]!.entered.high - points[i]!.entered.low;
  expect(width(1)).toBeGreaterThan(0);
  expect(width(10)).toBeGreaterThan(2 * width(1));
});
