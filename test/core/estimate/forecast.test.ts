import { describe, expect, test } from "vitest";
import { forecast, turnInMs, type ForecastInput } from "../../../src/core/estimate/forecast.ts";
import { startsAhead } from "../../../src/core/estimate/starts.ts";
import type { Survival } from "../../../src/core/estimate/visit-lengths.ts";

const UNLIMITED = startsAhead({
  lastMinute: [],
  perMinuteMax: 1e9,
  perSecondMax: Infinity,
  perSecondWindowMs: 1_000,
  owed: 0,
});

const SURE = { learnedFrom: 1_000, unseen: 0 };
const atRandom = (meanMs: number): Survival => ({ ...SURE, at: (ms) => Math.exp(-ms / meanMs) });
const exactly = (lengthMs: number): Survival => ({ ...SURE, at: (ms) => (ms < lengthMs ? 1 : 0) });

const busy = (change: Partial<ForecastInput>): ForecastInput => ({
  permitsMax: 100,
  agesMs: Array.from({ length: 100 }, (_, i) => i * 600),
  endsInMs: [],
  calledForMs: [],
  survival: atRandom(60_000),
  claimMs: 0,
  callsPerEntry: 1,
  leavingPerMs: 0,
  starts: UNLIMITED,
  ...change,
});

const seconds = (outset: ForecastInput, rank: number): number =>
  turnInMs(forecast(outset, 1), rank) / 1_000;

describe("the forecast", () => {
  test.each([1, 50, 500, 5_000, 50_000])(
    "[ETA-8] 100 permits, a minute each: rank %i has its turn after %i times 0.6 s",
    (rank) => {
      expect(seconds(busy({}), rank)).toBeGreaterThan(rank * 0.6 * 0.94 - 1);
      expect(seconds(busy({}), rank)).toBeLessThan(rank * 0.6 * 1.06 + 1);
    },
  );

  test("[ETA-8] doors that open: permits that are free go at once, the next when visits end", () => {
    const fresh = busy({ agesMs: [], survival: exactly(60_000) });
    expect(seconds(fresh, 100)).toBe(0);
    expect(seconds(fresh, 101)).toBeGreaterThan(55);
    expect(seconds(fresh, 199)).toBeLessThan(65);
    expect(seconds(fresh, 250)).toBeGreaterThan(110);
    expect(seconds(fresh, 250)).toBeLessThan(130);
  });

  test("[ETA-8] above P nobody enters until what is out fits again", () => {
    const over = busy({ permitsMax: 50 });
    const halved = seconds(over, 1);
    // Of 100 half have ended after 42 s.
    expect(halved).toBeGreaterThan(36);
    expect(halved).toBeLessThan(48);
  });

  test("[ETA-8] a release that is due counts at its moment", () => {
    const ends = new Array<number>(100).fill(30_000);
    const released = busy({ agesMs: [], endsInMs: ends });
    expect(seconds(released, 1)).toBeGreaterThan(25);
    expect(seconds(released, 100)).toBeLessThan(35);
  });

  test("[ETA-8] those who are called and come late, or never, hold their permits meanwhile", () => {
    const prompt = seconds(busy({}), 1_000);
    expect(seconds(busy({ claimMs: 60_000 }), 1_000) / prompt).toBeCloseTo(2, 0);
    expect(seconds(busy({ callsPerEntry: 1.25 }), 1_000) / prompt).toBeCloseTo(0.8, 1);
  });

  test("[ETA-8] those who leave before their turn bring the others forward", () => {
    // 600 s without; with one in a thousand leaving each second ln(1.6) of 1,000 s.
    const left = seconds(busy({ leavingPerMs: 1e-6 }), 1_000);
    expect(left).toBeGreaterThan(440);
    expect(left).toBeLessThan(500);
  });

  test("[ETA-8] limits of starts keep back, and unused ones do not add up", () => {
    const starts = startsAhead({
      lastMinute: new Array<number>(60).fill(1),
      perMinuteMax: 60,
      perSecondMax: Infinity,
      perSecondWindowMs: 1_000,
      owed: 0,
    });
    const limited = seconds(busy({ starts, survival: atRandom(6_000) }), 600);
    expect(limited).toBeGreaterThan(560);
    expect(limited).toBeLessThan(640);
  });

  test("[ETA-9] beyond a day nothing is forecast", () => {
    const slow = busy({ permitsMax: 1, agesMs: [0], survival: atRandom(3_600_000) });
    expect(turnInMs(forecast(slow, 1), 20)).toBeLessThan(86_400_000);
    expect(turnInMs(forecast(slow, 1), 30)).toBe(Infinity);
  });

  test("[ETA-4] whoever stands further back waits no less", () => {
    for (const outset of [busy({}), busy({ agesMs: [] }), busy({ leavingPerMs: 1e-5 })]) {
      const course = forecast(outset, 1);
      let before = 0;
      for (let rank = 1; rank < 100_000; rank = Math.ceil(rank * 1.1)) {
        const ms = turnInMs(course, rank);
        expect(ms).toBeGreaterThanOrEqual(before);
        before = ms;
      }
    }
  });
});
