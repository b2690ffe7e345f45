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
