import { describe, expect, test } from "vitest";
import { lobbyIndex } from "../../../src/core/ids.ts";
import { LobbyPicker } from "../../../src/core/lobby/lobby-picker.ts";

const OPEN = [3, 4, 5].map(lobbyIndex);

/** Draws the last, the one before it and so on, and then the last again. */
const stage = () => {
  const limits: number[] = [];
  const clock = { now: 1_000 };
  const drawBelow = (limit: number): number => {
    limits.push(limit);
    return limit - 1 - ((limits.length - 1) % limit);
  };
  const picker = new LobbyPicker(() => clock.now, drawBelow);
  const come = (count: number, group = "shop", open = OPEN) =>
    Array.from({ length: count }, () => picker.pick(group, open));
  return { clock, limits, come };
};

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

describe("[GATHER-12] which lobby newcomers get", () => {
  test("one of those that take joins, drawn for each of them", () => {
    const { come, limits } = stage();
    expect(come(200)).toEqual(times(67, [5, 4, 3]).flat().slice(0, 200));
    expect(limits).toEqual(times(200, 3));
  });

  test("of a crowd 64 in a row get the same", () => {
    const { come, limits } = stage();
    come(200);
    // The last of the 200 got 4, and 63 more do.
    expect(come(63 + 64 + 1)).toEqual([...times(63, 4), ...times(64, 3), 5]);
    expect(limits).toHaveLength(202);
  });

  test("a crowd of 250 ms goes on for the next, however few come then", () => {
    const { come, clock } = stage();
    come(200);
    clock.now += 499;
    expect(come(3)).toEqual([4, 4, 4]);
    clock.now += 250;
    expect(come(3)).toEqual([3, 5, 4]);
  });

  test("no crowd: 199 in 250 ms, and as many after it", () => {
    const { come, clock, limits } = stage();
    for (let at = 0; at < 4; at += 1) {
      come(199);
      clock.now += 250;
    }
    expect(limits).toHaveLength(4 * 199);
  });

  test("a crowd half a second ago is none", () => {
    const { come, clock, limits } = stage();
    come(200);
    clock.now += 500;
    come(2);
    expect(limits).toHaveLength(202);
  });

  test("one that takes no more joins is given to nobody", () => {
    const { come } = stage();
    come(200);
    expect(come(2)).toEqual([4, 4]);
    expect(come(3, "shop", [3, 5].map(lobbyIndex))).toEqual([5, 5, 5]);
  });

  test("each room, and each region of it, has its own crowd", () => {
    const { come, limits } = stage();
    come(200);
    come(199, "bank");
    come(199, "shop/weur");
    expect(limits).toHaveLength(598);
    expect(come(2)).toEqual([4, 4]);
  });

  test("of one lobby nothing is drawn, and of none there is none", () => {
    const { come, limits } = stage();
    expect(come(300, "shop", OPEN.slice(0, 1))).toEqual(times(300, 3));
    expect(come(1, "shop", [])).toEqual([null]);
    expect(limits).toEqual([]);
  });

  test("a clock that was set back counts anew", () => {
    const { come, clock, limits } = stage();
    come(200);
    clock.now -= 1;
    come(2);
    expect(limits).toHaveLength(202);
    clock.now += 249;
    come(1);
    expect(limits).toHaveLength(203);
  });
});
