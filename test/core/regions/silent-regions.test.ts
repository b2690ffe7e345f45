import { beforeEach, expect, test } from "vitest";
import type { RoomAddress } from "../../../src/core/regions/address.ts";
import type { Region } from "../../../src/core/regions/region.ts";
import { SilentRegions } from "../../../src/core/regions/silent-regions.ts";
import type { RegionNews, RegionOfRoom } from "../../../src/core/regions/silent-regions.ts";

let now = 0;
let told: RegionNews[] = [];
let regions = new SilentRegions(() => now);

const of = (room: string, region: Region = "apac"): RegionOfRoom => ({
  room,
  address: `${room}@.weur` as RoomAddress,
  region,
});

beforeEach(() => {
  now = 1_000_000;
  told = [];
  regions = new SilentRegions(
    () => now,
    (news) => told.push(news),
  );
});

test("[REGION-9] a region is silent once it has not answered for 5 s, since the first call that it left", () => {
  expect(regions.isSilent(of("a"))).toBe(false);
  regions.asked(of("a"));
  now += 2_000;
  regions.asked(of("a"));
  now += 2_999;
  expect(regions.isSilent(of("a"))).toBe(false);
  now += 1;
  expect(regions.isSilent(of("a"))).toBe(true);
  expect(regions.isSilent(of("b"))).toBe(false);
});

test("[REGION-9] every 5 s one call tries it", () => {
  regions.asked(of("a"));
  now += 5_000;
  const asked = Array.from({ length: 16 }, () => {
    const isSilent = regions.isSilent(of("a"));
    if (!isSilent) regions.asked(of("a"));
    now += 1_000;
    return isSilent ? 0 : 1;
  });
  expect(asked).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test("[REGION-9] a request that waits is never that call, and takes it from nobody", () => {
  regions.asked(of("a"));
  now += 4_999;
  expect(regions.isSilent(of("a"), false)).toBe(false);
  now += 1;
  expect(regions.isSilent(of("a"))).toBe(true);
  now += 5_000;
  expect(regions.isSilent(of("a"), false)).toBe(true);
  expect(regions.isSilent(of("a"))).toBe(false);
  expect(told).toHaveLength(1);
});

test("[REGION-9] one answer is enough", () => {
  regions.asked(of("a"));
  now += 6_000;
  expect(regions.isSilent(of("a"))).toBe(true);
  regions.answered(of("a"));
  expect(regions.isSilent(of("a"))).toBe(false);
  regions.asked(of("a"));
  now += 4_999;
  expect(regions.isSilent(of("a"))).toBe(false);
});

test("[REGION-9] what was asked 60 s ago says nothing", () => {
  regions.asked(of("a"));
  now += 59_999;
  expect(regions.isSilent(of("a"))).toBe(true);
  now += 1;
  expect(regions.isSilent(of("a"))).toBe(false);
  regions.asked(of("a"));
  expect(regions.isSilent(of("a"))).toBe(false);
});

test("[REGION-15] of each silence it is told once, and once of its end", () => {
  regions.asked(of("a"));
  now += 4_999;
  expect(regions.isSilent(of("a"))).toBe(false);
  expect(told).toEqual([]);
  now += 1;
  for (let call = 0; call < 9; call += 1) {
    regions.isSilent(of("a"));
    regions.asked(of("a"));
    now += 3_000;
  }
  expect(told).toEqual([{ ...of("a"), silentMs: null }]);
  regions.answered(of("a"));
  regions.answered(of("a"));
  expect(told.slice(1)).toEqual([{ ...of("a"), silentMs: 5_000 + 9 * 3_000 }]);
});

test("[REGION-15] a silence that was forgotten meanwhile still ends, and one that nobody heard of does not", () => {
  regions.asked(of("a"));
  regions.asked(of("b"));
  now += 5_000;
  regions.isSilent(of("a"));
  now += 60_000;
  regions.asked(of("a"));
  regions.answered(of("a"));
  regions.answered(of("b"));
  expect(told.map(({ room, silentMs }) => [room, silentMs])).toEqual([
    ["a", null],
    ["a", 65_000],
  ]);
});

test("[REGION-15] regions of a room are told apart", () => {
  regions.asked(of("a", "weur"));
  regions.asked(of("a"));
  regions.answered(of("a"));
  now += 5_000;
  expect(regions.isSilent(of("a"))).toBe(false);
  expect(regions.isSilent(of("a", "weur"))).toBe(true);
  expect(told.map(({ region }) => region)).toEqual(["weur"]);
});
