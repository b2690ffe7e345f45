import fc from "fast-check";
import { expect, test } from "vitest";
import { RoomClock } from "../../../src/core/clock.ts";
import { StartLimiter } from "../../../src/core/ring/limiter.ts";
import type { StartLimits } from "../../../src/core/ring/limiter.ts";
import { soonestOf } from "../../../src/core/ring/outlook.ts";
import { instant } from "../../../src/core/time.ts";
import { NaiveLimiter } from "./naive.ts";

const T0 = 1_700_000_040_000;
const HOUR_MS = 3_600_000;

const someLimits: fc.Arbitrary<StartLimits> = fc.record({
  perSecondMax: fc.option(fc.integer({ min: 1, max: 6 }), { freq: 4 }),
  perMinuteMax: fc.option(fc.integer({ min: 1, max: 40 })),
  ring: fc.constantFrom("calendar", "sliding"),
  guardMs: fc.constantFrom(0, 1, 100, 900),
});

type Event =
  | { readonly do: "try"; readonly times: number }
  | { readonly do: "wait"; readonly ms: number }
  | { readonly do: "give back"; readonly which: number }
  | { readonly do: "limit"; readonly limits: StartLimits };

const someEvent: fc.Arbitrary<Event> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("try" as const), times: fc.nat(8) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      ms: fc.oneof(fc.nat(120), fc.nat(1_200), fc.constantFrom(1, 999, 1_000, 60_000, HOUR_MS)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("give back" as const), which: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("limit" as const), limits: someLimits }) },
);

const history = fc.tuple(someLimits, fc.array(someEvent, { maxLength: 60, size: "max" }));

test("[RING-1] [RING-4] [RING-5] [RING-6] [RING-7] [RING-8] answers as the plain list does, in any history", () => {
  fc.assert(
    fc.property(history, ([limits, events]) => {
      const limiter = new StartLimiter(limits);
      const naive = new NaiveLimiter(limits);
      let now = T0;
      for (const event of events) {
        if (event.do === "wait") now += event.ms;
        if (event.do === "limit") {
          limiter.setLimits(event.limits);
          naive.limits = event.limits;
        }
        if (event.do === "give back") {
          const start = naive.starts.at(-1 - event.which);
          if (start === undefined) continue;
          limiter.giveBack(instant(start));
          naive.giveBack(start);
        }
        for (let i = 0; event.do === "try" && i < event.times; i++) {
          const expected = naive.nextAt(now);
          expect(limiter.nextAt(instant(now))).toBe(expected);
          expect(limiter.tryStart(instant(now)).ok).toBe(expected === now);
          if (expected === now) naive.starts.push(now);
        }
        expect(limiter.room(instant(now)) > 0).toBe(naive.mayStart(now));
      }
    }),
    { numRuns: 400 },
  );
});

/** How many of `starts` lie in any span of `windowMs`; `cells`: spans that begin at whole ones. */
const mostIn = (starts: readonly number[], windowMs: number): number =>
  Math.max(
    0,
    ...starts.map((from) => starts.filter((at) => at >= from && at < from + windowMs).length),
  );
const mostInSecond = (starts: readonly number[]): number =>
  Math.max(
    0,
    ...starts.map(
      (one) => starts.filter((at) => Math.floor(at / 1_000) === Math.floor(one / 1_000)).length,
    ),
  );

const someMoves = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.integer({ min: 1, max: 400 }) },
    { weight: 1, arbitrary: fc.constantFrom(HOUR_MS, -HOUR_MS, -1, -999, -1_000, -1_001, 59_999) },
  ),
  { maxLength: 120, size: "max" },
);

test.each(["calendar", "sliding"] as const)(
  "[RING-14] no jump of the machine's clock lets one too many start, nor a restart (%s)",
  (ring) => {
    fc.assert(
      fc.property(
        someMoves,
        fc.integer({ min: 1, max: 5 }),
        fc.nat(20),
        (moves, most, restartEvery) => {
          const limits: StartLimits = {
            perSecondMax: most,
            perMinuteMax: null,
            ring,
            guardMs: 100,
          };
          let limiter = new StartLimiter(limits);
          let clock = RoomClock.restore(null);
          const starts: number[] = [];
          let machine = T0;
          moves.forEach((moved, i) => {
            machine += moved;
            if (restartEvery > 0 && i % restartEvery === 0) {
              clock = RoomClock.restore(clock.toJSON());
              limiter = StartLimiter.restore(limits, limiter.toJSON(), clock.read(machine));
            }
            const now = clock.read(machine);
            for (let tries = 0; tries < 3; tries++) if (limiter.tryStart(now).ok) starts.push(now);
          });
          if (ring === "calendar") expect(mostInSecond(starts)).toBeLessThanOrEqual(most);
          else expect(mostIn(starts, 1_100)).toBeLessThanOrEqual(most);
        },
      ),
      { numRuns: 300 },
    );
  },
);

test.each([
  ["calendar", 1_000],
  ["sliding", 1_100],
] as const)(
  "[RING-14] a jump adds less than a second to the wait for a start (%s)",
  (ring, usualMs) => {
    const jump = fc.oneof(
      fc.constantFrom(HOUR_MS, -HOUR_MS),
      fc.integer({ min: -HOUR_MS, max: HOUR_MS }),
    );
    fc.assert(
      fc.property(fc.array(jump, { maxLength: 4, size: "max" }), fc.nat(999), (jumps, phase) => {
        const limiter = new StartLimiter({
          perSecondMax: 20,
          perMinuteMax: null,
          ring,
          guardMs: 100,
        });
        const clock = RoomClock.restore(null);
        let [jumpedMs, lastStartAt] = [0, 0];
        for (let trueMs = 0; trueMs < 15_000; trueMs += 10) {
          if (trueMs % 3_000 === 0) jumpedMs += jumps[trueMs / 3_000 - 1] ?? 0;
          const now = clock.read(T0 + phase + trueMs + jumpedMs);
          while (limiter.tryStart(now).ok) lastStartAt = trueMs;
          expect(trueMs - lastStartAt).toBeLessThan(usualMs + 1_000 + 10);
        }
      }),
      { numRuns: 60 },
    );
  },
);

const past = fc.array(fc.tuple(fc.nat(900), fc.nat(4)), { maxLength: 40, size: "max" });

test("[RING-12] the rank-th start begins when all before it have begun as soon as they could", () => {
  fc.assert(
    fc.property(someLimits, someLimits, past, fc.nat(400), (before, limits, waits, rank) => {
      const limiter = new StartLimiter(before);
      const naive = new NaiveLimiter(limits);
      let now = T0;
      for (const [waitMs, tries] of waits) {
        now += waitMs;
        for (let i = 0; i < tries; i++)
          if (limiter.tryStart(instant(now)).ok) naive.starts.push(now);
      }
      limiter.setLimits(limits);
      const expected = naive.rankToStart(rank % 150, now);
      const told = limiter.rankToStart(rank % 150, instant(now));
      const both = limits.ring === "sliding" && limits.perMinuteMax !== null;
      if (both) expect(told).toBeLessThanOrEqual(expected);
      else expect(told).toBe(expected);
      const outlook = soonestOf(limiter.outlook(instant(now)), rank % 150);
      expect(outlook).toBeLessThanOrEqual(expected);
      if (limits.ring === "calendar") expect(outlook).toBe(expected);
    }),
    { numRuns: 150 },
  );
});

test.each([
  [0, 0],
  [19, 0],
  [20, 1],
  [999, 49],
  [1_000_000, 50_000],
])("[RING-12] at 20 a second rank %i starts in second %i", (rank, second) => {
  const limiter = new StartLimiter({
    perSecondMax: 20,
    perMinuteMax: null,
    ring: "calendar",
    guardMs: 0,
  });
  expect(limiter.rankToStart(rank, instant(T0))).toBe(T0 + second * 1_000);
});

test.each([
  [39, 1],
  [89, 4],
  [90, 60],
  [999_999, 11_111 * 60],
])("[RING-12] at 20 a second and 90 a minute rank %i starts in second %i", (rank, second) => {
  const limiter = new StartLimiter({
    perSecondMax: 20,
    perMinuteMax: 90,
    ring: "calendar",
    guardMs: 0,
  });
  expect(limiter.rankToStart(rank, instant(T0))).toBe(T0 + second * 1_000);
});

test("[RING-2] S5: 50 callers in a loop, 20 a second: exactly 20 in each busy second, also when the loop stalls for 40 s", () => {
  const limiter = new StartLimiter({
    perSecondMax: 20,
    perMinuteMax: null,
    ring: "calendar",
    guardMs: 100,
  });
  const counts = new Map<number, number>();
  const run = (fromMs: number, toMs: number) => {
    for (let ms = fromMs; ms < toMs; ms += 10) {
      for (let caller = 0; caller < 50; caller++) {
        if (!limiter.tryStart(instant(T0 + ms)).ok) continue;
        const second = Math.floor(ms / 1_000);
        counts.set(second, (counts.get(second) ?? 0) + 1);
      }
    }
  };
  run(0, 70_000);
  run(110_000, 200_000);
  expect(counts.size).toBe(160);
  expect(new Set(counts.values())).toEqual(new Set([20]));
});
