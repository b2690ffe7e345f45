import { expect, test } from "vitest";
import { ticketNumber } from "../../../src/core/ids.ts";
import type { Spot } from "../../../src/core/line/order.ts";
import { ScheduledReturns } from "../../../src/core/room/scheduled-returns.ts";
import { instant } from "../../../src/core/time.ts";

const n = ticketNumber;
const spot = (value: number): Spot => value as Spot;

test("[REQUEST-4] whoever was sent away counts for those behind it until its moment has passed", () => {
  const scheduledReturns = new ScheduledReturns();
  scheduledReturns.add(n(7), spot(7), instant(100));
  scheduledReturns.add(n(9), spot(9), instant(300));
  expect([7, 8, 9, 10].map((number) => scheduledReturns.ahead(spot(number)))).toEqual([0, 1, 1, 2]);
  scheduledReturns.expire(instant(99));
  expect(scheduledReturns.size).toBe(2);
  scheduledReturns.expire(instant(100));
  expect([scheduledReturns.size, scheduledReturns.ahead(spot(10))]).toEqual([1, 1]);
});

test("[REQUEST-4] sent away again, it counts until its new moment", () => {
  const scheduledReturns = new ScheduledReturns();
  scheduledReturns.add(n(7), spot(7), instant(100));
  scheduledReturns.add(n(7), spot(7), instant(200));
  scheduledReturns.expire(instant(199));
  expect(scheduledReturns.size).toBe(1);
  scheduledReturns.expire(instant(200));
  expect(scheduledReturns.size).toBe(0);
});

test("[REQUEST-4] one that came back or was spent counts no more, and is not missed later", () => {
  const scheduledReturns = new ScheduledReturns();
  scheduledReturns.add(n(7), spot(7), instant(100));
  scheduledReturns.add(n(8), spot(8), instant(100));
  scheduledReturns.forget(n(7));
  scheduledReturns.forget(n(7));
  expect(scheduledReturns.size).toBe(1);
  scheduledReturns.expire(instant(100));
  expect(scheduledReturns.size).toBe(0);
});

test("[REQUEST-14] those below a number come back each in its second, and no others", () => {
  const scheduledReturns = new ScheduledReturns();
  expect(scheduledReturns.before(spot(10)).lastSecond).toBe(-Infinity);
  const moments = [
    [7, 1_500],
    [8, 3_000],
    [9, 1_999],
    [12, 9_000],
  ] as const;
  for (const [number, until] of moments)
    scheduledReturns.add(n(number), spot(number), instant(until));
  const seconds = [0, 1, 2, 3, 9];
  const returning = (number: number) => {
    const { inSecond, lastSecond } = scheduledReturns.before(spot(number));
    return [seconds.map((second) => inSecond(second)), lastSecond];
  };
  expect(returning(7)).toEqual([[0, 0, 0, 0, 0], -Infinity]);
  expect(returning(8)).toEqual([[0, 1, 0, 0, 0], 9]);
  expect(returning(10)).toEqual([[0, 2, 0, 1, 0], 9]);
  expect(returning(13)).toEqual([[0, 2, 0, 1, 1], 9]);
  scheduledReturns.add(n(7), spot(7), instant(2_000));
  expect(returning(10)).toEqual([[0, 1, 1, 1, 0], 9]);
  scheduledReturns.forget(n(7));
  scheduledReturns.forget(n(7));
  scheduledReturns.add(n(6), spot(6), instant(2_000));
  expect(returning(10)).toEqual([[0, 1, 1, 1, 0], 9]);
});
