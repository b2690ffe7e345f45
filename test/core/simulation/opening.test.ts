/** A sale that opens at a moment, with a crowd that came before. */
import { describe, expect, test } from "vitest";
import { liveThrough } from "../../../src/core/simulation/lived-sale.ts";
import type { Sale, SaleOpening } from "../../../src/core/simulation/sale.ts";
import { LIMITS } from "../../support/limits.ts";

const MINUTE = 60_000;

const opening: SaleOpening = { prequeueMs: 10 * MINUTE, isDrawn: false, ends: null };

/** Half come before it opens, half within five minutes after it. */
const sale: Sale = {
  limits: { ...LIMITS, permitsMax: 50, startsPerMinuteMax: 1_000_000 },
  visitors: 2_000,
  arrivals: [
    { lengthMs: 10 * MINUTE, weight: 1 },
    { lengthMs: 5 * MINUTE, weight: 1 },
  ],
  opening,
  visit: { kind: "between", leastMs: 20_000, mostMs: 40_000 },
  toldShare: 1,
  claim: { kind: "between", leastMs: 0, mostMs: 0 },
  leaveShare: 0,
  patienceMs: 0,
  missShare: 0,
  seed: 1,
};

/** Mean waits of the first and the last quarter of those who came before the start. */
const earlyWaits = (changed: Sale): readonly [first: number, last: number] => {
  const early = liveThrough(changed).waitsByArrival.filter(({ atMs }) => atMs < 9.8 * MINUTE);
  const mean = (part: typeof early): number =>
    part.reduce((sum, { meanMs }) => sum + meanMs, 0) / part.length;
  const quarter = Math.floor(early.length / 4);
  return [mean(early.slice(0, quarter)), mean(early.slice(-quarter))];
};

describe("a sale that opens at a moment", () => {
  test("[SIMULATE-9] nobody goes in before, and then as many as there are permits", () => {
    const outcome = liveThrough(sale);
    const before = outcome.course.filter(({ atMs }) => atMs < 10 * MINUTE);
    expect(before.length).toBeGreaterThan(100);
    expect(before.every(({ entered, visiting }) => entered + visiting === 0)).toBe(true);
    const opened = outcome.course.find(({ entered }) => entered > 0);
    expect(opened?.atMs).toBeGreaterThanOrEqual(10 * MINUTE);
    expect(opened?.atMs).toBeLessThan(10 * MINUTE + 2_000);
    expect(opened?.visiting).toBe(50);
    expect(outcome).toMatchObject({ joined: 2_000, entered: 2_000 });
  });

  test("[SIMULATE-9] in the order in which they came the first wait longest before, and least after it", () => {
    const [first, last] = earlyWaits(sale);
    // Who came ten minutes before waits ten minutes; whoever came right before waits for a thousand.
    expect(first).toBeGreaterThan(9 * MINUTE);
    expect(last).toBeGreaterThan(9 * MINUTE);
    const { waitsFromStart } = liveThrough(sale);
    // A thousand by fifty permits, each for half a minute, are twenty turns.
    expect((waitsFromStart?.medianMs ?? 0) / MINUTE).toBeCloseTo(5, 0);
    expect((waitsFromStart?.longestMs ?? 0) / MINUTE).toBeCloseTo(10, 0);
  });

  test("[SIMULATE-9] a draw gives those who came before the same chance, whenever they came", () => {
    const drawn = { ...sale, opening: { ...opening, isDrawn: true } };
    const [first, last] = earlyWaits(drawn);
    // All begin at the same moment: whoever came earlier has waited longer by as much.
    expect((first - last) / MINUTE).toBeGreaterThan(6);
    expect((first - last) / MINUTE).toBeLessThan(9);
    expect(liveThrough(drawn)).toMatchObject({ entered: 2_000, joined: 2_000 });
    expect(liveThrough({ ...drawn, seed: 2 }).waitsByArrival).not.toEqual(
      liveThrough(drawn).waitsByArrival,
    );
  });

  test("[SIMULATE-9] nobody goes in until the draw's public value is there: drand's, or what witnesses enter", () => {
    const enteredAt = (changed: Partial<SaleOpening>): readonly (number | null | undefined)[] => {
      const outcome = liveThrough({ ...sale, opening: { ...opening, isDrawn: true, ...changed } });
      const first = outcome.course.find(({ entered, visiting }) => entered + visiting > 0)?.atMs;
      return [outcome.drawnMs, first];
    };
    const [drawnMs, first] = enteredAt({});
    // The round that is due first from five seconds after the start, of a chain with one each three.
    expect(drawnMs).toBeGreaterThanOrEqual(10 * MINUTE + 5_000);
    expect(drawnMs).toBeLessThan(10 * MINUTE + 9_500);
    // A point of the curve stands for a few seconds from its moment on.
    expect(first).toBeGreaterThan((drawnMs ?? Infinity) - 4_000);
    expect(enteredAt({ valueAfterMs: 3 * MINUTE })[1]).toBeGreaterThan(13 * MINUTE - 4_000);
    expect(enteredAt({ valueAfterMs: 3 * MINUTE })[0]).toBeCloseTo(13 * MINUTE, -3);
    // Entered too late: the Room draws without a value.
    expect(enteredAt({ valueAfterMs: 20 * MINUTE })[0]).toBeCloseTo(20 * MINUTE, -3);
    expect(liveThrough(sale).drawnMs).toBeNull();
  });

  test("[SIMULATE-9] nobody loses patience before it opens", () => {
    const leaving = { ...sale, leaveShare: 1, patienceMs: MINUTE };
    const { course, left } = liveThrough(leaving);
    const atOpening = course.findLast(({ atMs }) => atMs <= 10 * MINUTE);
    expect(atOpening?.waiting).toBeGreaterThan(990);
    expect(left).toBeGreaterThan(500);
  });

  test("[SIMULATE-9] after the event's end the room's own limits hold", () => {
    const limits = { ...sale.limits, permitsMax: 5 };
    const ends = { afterMs: 5 * MINUTE, limits };
    const { course, visitingMost } = liveThrough({ ...sale, opening: { ...opening, ends } });
    expect(visitingMost).toBe(50);
    const after = course.filter(({ atMs }) => atMs > 16 * MINUTE);
    expect(after.length).toBeGreaterThan(10);
    expect(Math.max(...after.map(({ visiting }) => visiting))).toBe(5);
  });

  test("[SIMULATE-9] where each turn is drawn, those who came last wait no longer than the first", () => {
    const random = { ...sale, limits: { ...sale.limits, order: "random" as const } };
    const [first, last] = earlyWaits(random);
    expect(first - last).toBeGreaterThan(5 * MINUTE);
  });
});
