import { expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import { Promised } from "../../../src/core/room/promised.ts";
import { instant } from "../../../src/core/time.ts";

const n = ticketNumber;

test("[REQUEST-4] whoever was sent away counts for those behind it until its moment has passed", () => {
  const promised = new Promised();
  promised.add(n(7), instant(100));
  promised.add(n(9), instant(300));
  expect([7, 8, 9, 10].map((number) => promised.below(n(number)))).toEqual([0, 1, 1, 2]);
  promised.expire(instant(99));
  expect(promised.size).toBe(2);
  promised.expire(instant(100));
  expect([promised.size, promised.below(n(10))]).toEqual([1, 1]);
});

test("[REQUEST-4] sent away again, it counts until its new moment", () => {
  const promised = new Promised();
  promised.add(n(7), instant(100));
  promised.add(n(7), instant(200));
  promised.expire(instant(199));
  expect(promised.size).toBe(1);
  promised.expire(instant(200));
  expect(promised.size).toBe(0);
});

test("[REQUEST-4] one that came back or was spent counts no more, and is not missed later", () => {
  const promised = new Promised();
  promised.add(n(7), instant(100));
  promised.add(n(8), instant(100));
  promised.forget(n(7));
  promised.forget(n(7));
  expect(promised.size).toBe(1);
  promised.expire(instant(100));
  expect(promised.size).toBe(0);
});

test("[REQUEST-14] those below a number come back each in its second, and no others", () => {
  const promised = new Promised();
  expect(promised.before(n(10)).lastSecond).toBe(-Infinity);
  const moments = [
    [7, 1_500],
    [8, 3_000],
    [9, 1_999],
    [12, 9_000],
  ] as const;
  for (const [number, until] of moments) promised.add(n(number), instant(until));
  const seconds = [0, 1, 2, 3, 9];
  const returning = (number: number) => {
    const { inSecond, lastSecond } = promised.before(n(number));
    return [seconds.map((second) => inSecond(second)), lastSecond];
  };
  expect(returning(7)).toEqual([[0, 0, 0, 0, 0], -Infinity]);
  expect(returning(8)).toEqual([[0, 1, 0, 0, 0], 9]);
  expect(returning(10)).toEqual([[0, 2, 0, 1, 0], 9]);
  expect(returning(13)).toEqual([[0, 2, 0, 1, 1], 9]);
  promised.add(n(7), instant(2_000));
  expect(returning(10)).toEqual([[0, 1, 1, 1, 0], 9]);
  promised.forget(n(7));
  promised.forget(n(7));
  promised.add(n(6), instant(2_000));
  expect(returning(10)).toEqual([[0, 1, 1, 1, 0], 9]);
});
