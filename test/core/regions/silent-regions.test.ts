import { beforeEach, expect, test } from "vitest";
import { SilentRegions } from "../../../src/core/regions/silent-regions.ts";

let now = 0;
let regions = new SilentRegions(() => now);

beforeEach(() => {
  now = 1_000_000;
  regions = new SilentRegions(() => now);
});

test("[REGION-9] a region is silent once it has not answered for 5 s, since the first call that it left", () => {
  expect(regions.isSilent("a")).toBe(false);
  regions.asked("a");
  now += 2_000;
  regions.asked("a");
  now += 2_999;
  expect(regions.isSilent("a")).toBe(false);
  now += 1;
  expect(regions.isSilent("a")).toBe(true);
  expect(regions.isSilent("b")).toBe(false);
});

test("[REGION-9] every 5 s one call tries it", () => {
  regions.asked("a");
  now += 5_000;
  const asked = Array.from({ length: 16 }, () => {
    const isSilent = regions.isSilent("a");
    if (!isSilent) regions.asked("a");
    now += 1_000;
    return isSilent ? 0 : 1;
  });
  expect(asked).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test("[REGION-9] one answer is enough", () => {
  regions.asked("a");
  now += 6_000;
  expect(regions.isSilent("a")).toBe(true);
  regions.answered("a");
  expect(regions.isSilent("a")).toBe(false);
  regions.asked("a");
  now += 4_999;
  expect(regions.isSilent("a")).toBe(false);
});

test("[REGION-9] what was asked 60 s ago says nothing", () => {
  regions.asked("a");
  now += 59_999;
  expect(regions.isSilent("a")).toBe(true);
  now += 1;
  expect(regions.isSilent("a")).toBe(false);
  regions.asked("a");
  expect(regions.isSilent("a")).toBe(false);
});
