import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { widerNetwork } from "../../../src/core/address/ip-address.ts";
import {
  bitsAt,
  loadAt,
  QUIET_PER_MINUTE,
  withOneMore,
} from "../../../src/core/strangers/network-load.ts";
import type { NetworkLoad } from "../../../src/core/strangers/network-load.ts";
import { instant, MINUTE_MS } from "../../../src/core/time.ts";

const WORK = { bits: 18, bitsMax: 22 };
const NOON = instant(Date.UTC(2026, 10, 20, 12));
const at = (ms: number) => instant(NOON + ms);

const given = (count: number, ms = 0, load?: NetworkLoad): NetworkLoad => {
  let next = withOneMore(load, at(ms));
  for (let more = 1; more < count; more++) next = withOneMore(next, at(ms));
  return next;
};

describe("how hard a puzzle is", () => {
  test.each([
    [0, 18],
    [QUIET_PER_MINUTE - 1, 18],
    [QUIET_PER_MINUTE, 19],
    [2 * QUIET_PER_MINUTE - 1, 19],
    [2 * QUIET_PER_MINUTE, 20],
    [4 * QUIET_PER_MINUTE, 21],
    [8 * QUIET_PER_MINUTE, 22],
    [1_000_000, 22],
  ])("[WORK-3] after %i of the same network in a minute: %i bits", (load, bits) => {
    expect(bitsAt(load, WORK)).toBe(bits);
  });

  test("[WORK-3] where both bounds are one, every puzzle is as hard", () => {
    for (const load of [0, 100, 1e9]) expect(bitsAt(load, { bits: 20, bitsMax: 20 })).toBe(20);
  });

  test("[WORK-3] grows with the load, and never leaves its bounds", () => {
    const load = fc.double({ min: 0, max: 1e12, noNaN: true });
    fc.assert(
      fc.property(load, load, (one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(bitsAt(less, WORK)).toBeLessThanOrEqual(bitsAt(more, WORK));
        expect(bitsAt(more, WORK)).toBeLessThanOrEqual(22);
        expect(bitsAt(less, WORK)).toBeGreaterThanOrEqual(18);
      }),
    );
  });
});

describe("the load of a network", () => {
  test("[WORK-4] counts the last minute, and forgets evenly what was before it", () => {
    const load = given(60);
    expect(loadAt(load, at(0))).toBe(60);
    expect(loadAt(load, at(MINUTE_MS - 1))).toBe(60);
    expect(loadAt(load, at(MINUTE_MS))).toBe(60);
    expect(loadAt(load, at(1.5 * MINUTE_MS))).toBe(30);
    expect(loadAt(load, at(2 * MINUTE_MS))).toBe(0);
    const later = given(10, 1.25 * MINUTE_MS, load);
    expect(later).toMatchObject({ count: 10, before: 60 });
    expect(loadAt(later, at(1.25 * MINUTE_MS))).toBe(10 + 45);
    expect(given(1, 3 * MINUTE_MS, later)).toMatchObject({ count: 1, before: 0 });
    expect(loadAt(undefined, NOON)).toBe(0);
  });

  test("[WORK-4] a clock that ran back forgets", () => {
    const load = given(60, 5 * MINUTE_MS);
    expect(loadAt(load, at(0))).toBe(0);
    expect(given(1, 0, load)).toMatchObject({ count: 1, before: 0 });
  });

  test("[WORK-4] never takes more than twice the true number for the last minute's", () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 60 });
    fc.assert(
      fc.property(gaps, (waits) => {
        let [now, load] = [0, undefined as NetworkLoad | undefined];
        const times: number[] = [];
        for (const wait of waits) {
          now += wait;
          load = withOneMore(load, at(now));
          times.push(now);
        }
        const recent = times.filter((time) => time > now - 2 * MINUTE_MS).length;
        expect(loadAt(load, at(now))).toBeLessThanOrEqual(recent);
        const running = times.filter((time) => time >= now - (now % MINUTE_MS)).length;
        expect(loadAt(load, at(now))).toBeGreaterThanOrEqual(running);
      }),
    );
  });

  test.each([
    ["192.0.2.1", "192.0.2.254", true],
    ["192.0.2.1", "192.0.3.1", false],
    ["::ffff:192.0.2.9", "192.0.2.7", true],
    ["2001:db8:1:2::1", "2001:db8:1:ffff::1", true],
    ["2001:db8:1::1", "2001:db8:2::1", false],
    ["0.0.0.1", "::1", false],
  ])("[WORK-4] %s and %s are of one network: %s", (one, other, isSame) => {
    expect(widerNetwork(one) === widerNetwork(other)).toBe(isSame);
  });

  test("[WORK-4] what is no address is a bounded name of its own", () => {
    expect(widerNetwork("x".repeat(1_000))).toHaveLength(64);
  });
});
