import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { VisitLengths } from "../../../src/core/estimate/visit-lengths.ts";
import { ticketNumber } from "../../../src/core/ids.ts";

const SECOND = 1_000;

/** Visits that lasted for so many seconds, one after the other. */
const learned = (...seconds: number[]): VisitLengths => {
  const lengths = new VisitLengths();
  seconds.forEach((length, index) => {
    lengths.began(ticketNumber(index + 1), 1);
    lengths.ended(ticketNumber(index + 1), length * SECOND);
  });
  return lengths;
};

const running = (...seconds: number[]) =>
  seconds.map((age, index) => ({ visit: ticketNumber(1_000 + index), ageMs: age * SECOND }));

const NONE = running();

describe("how long visits last", () => {
  test("[ETA-7] before any has ended nothing is known of their end", () => {
    const survival = new VisitLengths().survival(running(10, 20), Infinity);
    expect(survival).toMatchObject({ learnedFrom: 0, unseen: 1 });
    expect(survival.at(1e9)).toBe(1);
  });

  test("[ETA-7] of lengths that have all ended it is the share that lasted longer", () => {
    const survival = learned(10, 20, 30, 40).survival(NONE, Infinity);
    for (const [seconds, share] of [
      [5, 1],
      [15, 0.75],
      [25, 0.5],
      [35, 0.25],
      [45, 0],
    ] as const)
      expect(survival.at(seconds * SECOND)).toBeCloseTo(share, 1);
  });

  test("[ETA-7] those that still run have lasted at least as long as they run", () => {
    // Of 10 that began together one has ended after 10 s: nine in ten last longer, not none.
    const early = learned(10).survival(running(...new Array<number>(9).fill(12)), Infinity);
    expect(early.at(11 * SECOND)).toBeGreaterThan(0.85);
    expect(early.unseen).toBeCloseTo(0.9, 1);
    const blind = learned(10).survival(NONE, Infinity);
    expect(blind.at(11 * SECOND)).toBeCloseTo(0, 2);
  });

  test("[ETA-7] the estimate is that of Kaplan and Meier, by hand", () => {
    // Ended after 10, 30 and 50 s; running since 20 and 40 s: 4/5, then 2/3 of it, then none.
    const survival = learned(10, 30, 50).survival(running(20, 40), Infinity);
    expect(survival.at(12 * SECOND)).toBeCloseTo(0.8, 2);
    expect(survival.at(33 * SECOND)).toBeCloseTo(0.8 * (2 / 3), 2);
    expect(survival.at(54 * SECOND)).toBeCloseTo(0, 2);
  });

  test("[ETA-7] no visit outlasts the longest there may be", () => {
    const survival = learned(10).survival(running(...new Array<number>(5).fill(30)), 60 * SECOND);
    expect(survival.at(59_999)).toBeGreaterThan(0.1);
    expect(survival.at(60_000)).toBe(0);
  });

  test("[ETA-7] it never rises, and lies between 0 and 1", () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 4_000 }), { maxLength: 40 });
    fc.assert(
      fc.property(lengths, lengths, (ended, ages) => {
        const survival = learned(...ended).survival(running(...ages), Infinity);
        let before = 1;
        for (let ms = 0; ms < 1e7; ms = ms * 1.3 + 100) {
          const share = survival.at(ms);
          expect(share).toBeLessThanOrEqual(before + 1e-12);
          expect(share).toBeGreaterThanOrEqual(0);
          before = share;
        }
      }),
      { numRuns: 100 },
    );
  });

  test("[ETA-7] what changes is followed: after 2,000 short visits the long ones are forgotten", () => {
    const lengths = learned(
      ...new Array<number>(500).fill(100),
      ...new Array<number>(2_000).fill(10),
    );
    expect(lengths.survival(NONE, Infinity).at(50 * SECOND)).toBeLessThan(0.01);
  });

  test("[ETA-7] in a busy room those that run do not make visits seem longer", () => {
    // 300 permits, 1,200 visits of random length: the mean that is learned is the true one.
    const lengths = new VisitLengths();
    let seed = 7;
    const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
    const out: { visit: ReturnType<typeof ticketNumber>; from: number; until: number }[] = [];
    let now = 0;
    for (let number = 1; number <= 1_500; number += 1) {
      if (out.length === 300) {
        out.sort((a, b) => a.until - b.until);
        const first = out.shift()!;
        now = first.until;
        lengths.ended(first.visit, first.until - first.from);
      }
      const visit = ticketNumber(number);
      lengths.began(visit, 300);
      out.push({ visit, from: now, until: now - Math.log(1 - random()) * 60 * SECOND });
    }
    const ages = out.map(({ visit, from }) => ({ visit, ageMs: now - from }));
    const survival = lengths.survival(ages, Infinity);
    let mean = 0;
    for (let ms = 0; ms < 1e6; ms += 500) mean += survival.at(ms) * 500;
    expect(mean / SECOND).toBeGreaterThan(54);
    expect(mean / SECOND).toBeLessThan(66);
  });

  test("[ETA-5] what is written is what is known, some hundred bins at most", () => {
    const lengths = learned(...Array.from({ length: 5_000 }, (_, i) => 1 + ((i * 7) % 900)));
    const state = lengths.toJSON();
    expect(state.length).toBeLessThanOrEqual(800);
    const next = VisitLengths.restore(JSON.parse(JSON.stringify(state)) as typeof state);
    for (const ms of [5_000, 60_000, 300_000, 800_000])
      expect(next.survival(NONE, Infinity).at(ms)).toBeCloseTo(
        lengths.survival(NONE, Infinity).at(ms),
        2,
      );
  });

  test("[ETA-7] weights stay numbers, however many visits there are", () => {
    const lengths = new VisitLengths();
    for (let i = 1; i <= 50_000; i += 1) {
      lengths.began(ticketNumber(i), 1);
      if (i % 3 === 0) lengths.cut(ticketNumber(i));
      else lengths.ended(ticketNumber(i), 10 * SECOND);
    }
    const survival = lengths.survival(NONE, Infinity);
    expect(survival.learnedFrom).toBeGreaterThan(200);
    expect(survival.learnedFrom).toBeLessThan(400);
  });
});
