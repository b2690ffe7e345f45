import { expect, test } from "vitest";
import { Ring } from "../../../src/core/ring/ring.ts";
import { instant } from "../../../src/core/time.ts";

const at = (ms: number) => instant(1_700_000_000_000 + ms);

test.each([
  [0, 1],
  [999, 1],
  [1_000, 0],
])("[RING-10] a start counts in its second: %i ms later the second holds %i", (later, count) => {
  const ring = new Ring();
  ring.add(at(0));
  expect(ring.count(at(later))).toBe(count);
});

test.each([
  [59_999, 1],
  [60_000, 0],
  [120_000, 0],
  [3_600_000, 0],
])("[RING-10] %i ms later the minute holds %i, though nothing ran in between", (later, sum) => {
  const ring = new Ring();
  ring.add(at(0));
  expect(ring.minuteCount(at(later))).toBe(sum);
});

test("[RING-10] the cell of a minute ago is used again, and starts from nothing", () => {
  const ring = new Ring();
  for (let i = 0; i < 7; i++) ring.add(at(0));
  ring.add(at(60_000));
  expect(ring.count(at(60_000))).toBe(1);
  expect(ring.count(at(0))).toBe(0);
});

test("[RING-10] a second that the ring has passed is not written", () => {
  const ring = new Ring();
  ring.add(at(60_000));
  ring.add(at(0));
  expect(ring.minuteCount(at(60_000))).toBe(1);
});

test("[RING-11] the last minute is sixty counts, oldest first, the running second last", () => {
  const ring = new Ring();
  ring.add(at(0));
  ring.add(at(58_000));
  ring.add(at(59_999));
  ring.add(at(59_000));
  const minute = ring.lastMinute(at(59_500));
  expect(minute).toHaveLength(60);
  expect([minute[0], minute[58], minute[59]]).toEqual([1, 1, 2]);
  expect([ring.count(at(59_500)), ring.minuteCount(at(59_500))]).toEqual([2, 4]);
});

test("[RING-9] it is written oldest first, also where the cells begin again", () => {
  const ring = new Ring();
  ring.add(at(35_000));
  ring.add(at(45_000));
  ring.add(at(70_000));
  expect(ring.toJSON()).toEqual([1_700_000_035, 1, 1_700_000_045, 1, 1_700_000_070, 1]);
});

test("[RING-10] the very first second counts as any other", () => {
  const ring = new Ring();
  ring.add(instant(999));
  expect([ring.count(instant(0)), ring.count(instant(1_000))]).toEqual([1, 0]);
});

test("[RING-9] what is written is the seconds in use, and it comes back as it was", () => {
  const ring = new Ring();
  ring.add(at(0));
  ring.add(at(30_000));
  ring.add(at(30_001));
  const written = JSON.parse(JSON.stringify(ring)) as number[];
  expect(written).toEqual([1_700_000_000, 1, 1_700_000_030, 2]);
  expect(new Ring(written).lastMinute(at(31_000))).toEqual(ring.lastMinute(at(31_000)));
});

test("[RING-10] the sum of a minute follows what is added and taken back, asked for again and again", () => {
  const ring = new Ring();
  const minute = (ms: number) => ring.minuteCount(at(ms));
  expect(minute(0)).toBe(0);
  ring.add(at(0));
  ring.add(at(999));
  expect([minute(0), minute(999)]).toEqual([2, 2]);
  ring.remove(at(500));
  ring.add(at(2_000));
  expect([minute(2_000), ring.count(at(2_000)), minute(2_000)]).toEqual([2, 1, 2]);
  ring.remove(at(0));
  expect(minute(2_000)).toBe(1);
  ring.add(at(3_000));
  expect([minute(2_999), minute(3_000)]).toEqual([1, 2]);
  expect(minute(62_000)).toBe(1);
  ring.remove(at(2_000));
  expect(minute(62_000)).toBe(1);
  ring.remove(at(3_000));
  expect(minute(62_000)).toBe(0);
});
