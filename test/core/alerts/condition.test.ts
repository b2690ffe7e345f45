import { describe, expect, test } from "vitest";
import { observe, type ConditionState } from "../../../src/core/alerts/condition.ts";
import { instant } from "../../../src/core/time.ts";

const TIMES = { beginsAfterMs: 10_000, endsAfterMs: 60_000 };
const AT = 1_800_000_000_000;

/** What is told, second by second, of what holds in these seconds. */
const told = (holds: (second: number) => boolean | null, seconds: number): string[] => {
  let state: ConditionState | null = null;
  const turns: string[] = [];
  for (let second = 0; second < seconds; second += 1) {
    const seen = observe(state, holds(second), TIMES, instant(AT + second * 1_000));
    state = seen.state;
    if (seen.turn !== null) turns.push(`${seen.turn} ${second}`);
  }
  return turns;
};

describe("[ALERT-1] what began and ended is told once", () => {
  test.each([
    [9_999, null],
    [10_000, "began"],
  ])("held for %i ms: %s", (ms, turn) => {
    const first = observe(null, true, TIMES, instant(AT));
    expect(observe(first.state, true, TIMES, instant(AT + ms)).turn).toBe(turn);
  });

  test.each([
    [59_999, null],
    [60_000, "ended"],
  ])("away for %i ms: %s", (ms, turn) => {
    const state = { isOn: true, since: instant(AT - 90_000), heldAt: instant(AT) };
    expect(observe(state, false, TIMES, instant(AT + ms)).turn).toBe(turn);
  });

  test("a line that flaps for an hour begins once and ends once", () => {
    const flaps = (second: number) => second < 3_600 && second % 10 < 5;
    expect(told(flaps, 4_000)).toEqual(["began 10", "ended 3654"]);
  });

  test("what never holds for long is never told", () => {
    expect(told((second) => second % 30 < 8, 3_600)).toEqual([]);
  });

  test("a gap of as long as it takes to begin is bridged, a longer one begins anew", () => {
    const broken = (gap: number) => (second: number) => second < 6 || second >= 6 + gap;
    expect(told(broken(9), 40)).toEqual(["began 15"]);
    expect(told(broken(11), 40)).toEqual(["began 27"]);
  });

  test("while nobody can say, nothing turns", () => {
    expect(told((second) => (second < 5 ? true : null), 100)).toEqual([]);
    expect(told((second) => (second < 20 ? true : second < 900 ? null : false), 1_000)).toEqual([
      "began 10",
      "ended 959",
    ]);
  });
});
