import { describe, expect, test } from "vitest";
import { claimAt } from "../../../static/queue/client/claim-moment.ts";
import type { Turn } from "../../../static/queue/client/claim-moment.ts";

const NOW = 1_000_000;
const CLAIM_BY = NOW + 60_000;

const turn = (given: Partial<Turn> = {}): Turn => ({
  isShown: false,
  takesIn: false,
  claimBy: CLAIM_BY,
  claimWithinMs: 60_000,
  askAgainAt: null,
  lateMs: 0,
  ...given,
});

describe("a page in sight", () => {
  test.each([false, true])("[MOMENT-2] claims at once, whatever was wished (%s)", (takesIn) => {
    expect(claimAt(turn({ isShown: true, takesIn }), NOW)).toBe(NOW);
  });

  test("[MOMENT-2] claims although it has not heard until when, and when that is over", () => {
    expect(claimAt(turn({ isShown: true, claimBy: null }), NOW)).toBe(NOW);
    expect(claimAt(turn({ isShown: true, claimBy: NOW - 1 }), NOW)).toBe(NOW);
  });

  test.each([
    [NOW + 1, NOW + 1],
    [NOW, NOW],
    [NOW - 1, NOW],
  ])("[MOMENT-2] refused for the moment, it claims again at %i: at %i", (askAgainAt, at) => {
    expect(claimAt(turn({ isShown: true, askAgainAt }), NOW)).toBe(at);
  });
});

describe("a page that nobody sees", () => {
  test.each([CLAIM_BY, CLAIM_BY - 1, NOW, NOW - 1, null])(
    "[MOMENT-2] never claims by itself (claim time until %s)",
    (claimBy) => {
      expect(claimAt(turn({ claimBy }), NOW)).toBeNull();
      expect(claimAt(turn({ claimBy, askAgainAt: NOW - 1 }), NOW)).toBeNull();
    },
  );

  test.each([
    ["20 s before a minute ends", 60_000, CLAIM_BY - 20_000],
    ["20 s before, at the longest margin", 40_000, CLAIM_BY - 20_000],
    ["half of a shorter claim time before", 39_998, CLAIM_BY - 19_999],
    ["half of the shortest one before", 5_000, CLAIM_BY - 2_500],
  ])("[MOMENT-3] on wish claims %s", (_, claimWithinMs, at) => {
    expect(claimAt(turn({ takesIn: true, claimWithinMs }), NOW)).toBe(at);
  });

  test.each([
    [1, CLAIM_BY - 20_001],
    [39_999, NOW + 1],
    [40_000, NOW],
    [60_000, NOW],
  ])("[MOMENT-3] whose timers come %i ms late claims so much earlier", (lateMs, at) => {
    expect(claimAt(turn({ takesIn: true, lateMs }), NOW)).toBe(at);
  });

  test.each([
    [CLAIM_BY - 20_001, CLAIM_BY - 20_000],
    [CLAIM_BY - 20_000, CLAIM_BY - 20_000],
    [CLAIM_BY - 19_999, CLAIM_BY - 19_999],
    [CLAIM_BY + 1, CLAIM_BY + 1],
  ])("[MOMENT-3] looked at, at %i, it claims at %i", (now, at) => {
    expect(claimAt(turn({ takesIn: true }), now)).toBe(at);
  });

  test("[MOMENT-3] that was refused for the moment goes on asking, however long its turn was made", () => {
    const refused = turn({ takesIn: true, askAgainAt: NOW + 300, claimBy: CLAIM_BY + 60_000 });
    expect(claimAt(refused, NOW)).toBe(NOW + 300);
  });

  test("[MOMENT-3] and has not heard until when claims at once, on wish", () => {
    expect(claimAt(turn({ takesIn: true, claimBy: null }), NOW)).toBe(NOW);
  });
});
