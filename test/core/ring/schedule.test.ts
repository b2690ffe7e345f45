import fc from "fast-check";
import { expect, test } from "vitest";
import { StartSchedule, type ScheduleLimits } from "../../../src/core/ring/schedule.ts";
import { after, instant, type InstantMs } from "../../../src/core/time.ts";

const START = 1_800_000_000_000;
const at = (ms: number): InstantMs => instant(START + ms);
const FAR = at(1e9);

/** Asks `count` times at each of these moments and lists what was given. */
const given = (schedule: StartSchedule, asks: readonly number[], untilMs = 1e9): number[] =>
  asks.flatMap((ms) => {
    const scheduled = schedule.take(at(ms), after(at(ms), untilMs));
    return scheduled.ok ? [scheduled.startAt - START] : [];
  });

test("[SCHED-1] twenty a second: the 21st waits for the next second", () => {
  const schedule = new StartSchedule({ perSecondMax: 20, ring: "calendar", guardMs: 100 });
  const moments = given(schedule, new Array<number>(45).fill(300));
  expect(moments.filter((ms) => ms === 300)).toHaveLength(20);
  expect(moments.filter((ms) => ms === 1_000)).toHaveLength(20);
  expect(moments.filter((ms) => ms === 2_000)).toHaveLength(5);
});

test.each([
  [899, 899],
  [900, 1_000],
])("[SCHED-1] asked at %i ms with a guard of 100 ms: %i ms", (asked, moment) => {
  const schedule = new StartSchedule({ perSecondMax: 20, ring: "calendar", guardMs: 100 });
  expect(given(schedule, [asked])).toEqual([moment]);
});

test("[SCHED-2] sliding: the third of two a second begins a window after the first", () => {
  const schedule = new StartSchedule({ perSecondMax: 2, ring: "sliding", guardMs: 100 });
  expect(given(schedule, [0, 400, 450, 460])).toEqual([0, 400, 1_100, 1_500]);
});

test.each([
  [699, []],
  [700, [1_000]],
])("[SCHED-3] asked at 300 ms in a full second, patient for %i ms: %j", (patience, moments) => {
  const schedule = new StartSchedule({ perSecondMax: 1, ring: "calendar", guardMs: 0 });
  schedule.take(at(0), FAR);
  expect(given(schedule, [300], patience)).toEqual(moments);
});

test("[SCHED-3] whoever is sent away takes no moment, and hears its own exactly", () => {
  const schedule = new StartSchedule({ perSecondMax: 1, ring: "calendar", guardMs: 0 });
  schedule.take(at(0), FAR);
  expect(schedule.take(at(1), at(2))).toEqual({ ok: false, retryAt: at(1_000) });
  expect(schedule.take(at(1), at(1_000))).toEqual({ ok: true, startAt: at(1_000) });
});

test.each([
  ["calendar", 6_000],
  ["sliding", 6_600],
] as const)(
  "[SCHED-4] %s, restored after a last moment at 5.5 s: from %i ms on",
  (ring, moment) => {
    const limits: ScheduleLimits = { perSecondMax: 3, ring, guardMs: 100 };
    expect(given(new StartSchedule(limits, at(5_500)), [0])).toEqual([moment]);
    const lowered = new StartSchedule(limits, at(5_500)).changed({ ...limits, perSecondMax: 1 });
    expect(given(lowered, [0])).toEqual([moment]);
  },
);

test("[SCHED-4] what has to be written is the last moment alone", () => {
  const limits: ScheduleLimits = { perSecondMax: 3, ring: "calendar", guardMs: 100 };
  const schedule = new StartSchedule(limits);
  expect([schedule.limits, schedule.last]).toEqual([limits, 0]);
  schedule.take(at(950), FAR);
  expect(schedule.last).toBe(at(1_000));
});

test("[SCHED-4] a limit that changes before anything was given delays nothing", () => {
  for (const ring of ["calendar", "sliding"] as const) {
    const limits: ScheduleLimits = { perSecondMax: 3, ring, guardMs: 100 };
    const changed = new StartSchedule(limits).changed({ ...limits, perSecondMax: 2 });
    expect(given(changed, [0, 0, 0])).toEqual([0, 0, ring === "calendar" ? 1_000 : 1_100]);
  }
});

const arbitraryLimits = fc.record({
  perSecondMax: fc.integer({ min: 1, max: 8 }),
  ring: fc.constantFrom("calendar" as const, "sliding" as const),
  guardMs: fc.constantFrom(0, 100, 900),
});

test("[SCHED-1] [SCHED-2] [SCHED-3] hold over random askings", () => {
  fc.assert(
    fc.property(
      arbitraryLimits,
      fc.array(fc.integer({ min: 0, max: 700 }), { maxLength: 80, size: "max" }),
      (limits, gaps) => {
        const schedule = new StartSchedule(limits);
        const moments: number[] = [];
        let now = 0;
        for (const gap of gaps) {
          now += gap;
          const scheduled = schedule.take(at(now), FAR);
          expect(scheduled.ok).toBe(true);
          if (!scheduled.ok) return;
          expect(scheduled.startAt).toBeGreaterThanOrEqual(at(now));
          moments.push(scheduled.startAt - START);
        }
        expect(moments).toEqual(moments.toSorted((a, b) => a - b));
        const { perSecondMax, ring, guardMs } = limits;
        moments.forEach((moment, index) => {
          const later = moments[index + perSecondMax];
          if (ring === "calendar") expect(moment % 1_000).toBeLessThan(1_000 - guardMs);
          if (later === undefined) return;
          if (ring === "sliding") expect(later - moment).toBeGreaterThanOrEqual(1_000 + guardMs);
          else expect(Math.floor(later / 1_000)).toBeGreaterThan(Math.floor(moment / 1_000));
        });
      },
    ),
  );
});

test.each([
  [1_599, 0],
  [1_600, 1],
])("[SCHED-5] sliding, one a second, given 500: at %i ms %i is left", (ms, left) => {
  const schedule = new StartSchedule({ perSecondMax: 1, ring: "sliding", guardMs: 100 });
  schedule.take(at(500), FAR);
  expect(schedule.leftAt(at(ms))).toBe(left);
});

test.each([
  ["calendar", [2, 1, 0], 1_000, 2],
  ["sliding", [2, 1, 0], 1_100, 2],
] as const)("[SCHED-5] %s: what is left of three a second", (ring, left, later, leftLater) => {
  const schedule = new StartSchedule({ perSecondMax: 3, ring, guardMs: 100 });
  const after3 = left.map(() => {
    schedule.take(at(0), FAR);
    return schedule.leftAt(at(0));
  });
  expect(after3).toEqual(left);
  expect(schedule.leftAt(at(later - 101))).toBe(0);
  schedule.take(at(later), FAR);
  expect(schedule.leftAt(at(later))).toBe(leftLater);
});
