import { expect, test } from "vitest";
import { nearestRegion, type Whereabouts } from "../../../src/core/regions/nearest.ts";
import { REGIONS, type RegionList } from "../../../src/core/regions/region.ts";

const ALL = REGIONS satisfies RegionList;

const at = (latitude: number, longitude: number): Whereabouts => ({
  latitude: String(latitude),
  longitude: String(longitude),
});

test.each([
  ["Vancouver", at(49.3, -123.1), "wnam"],
  ["Montreal", at(45.5, -73.6), "enam"],
  ["Buenos Aires", at(-34.6, -58.4), "sam"],
  ["Lisbon", at(38.7, -9.1), "weur"],
  ["Kyiv", at(50.5, 30.5), "eeur"],
  ["Osaka", at(34.7, 135.5), "apac"],
  ["Delhi", at(28.6, 77.2), "apac"],
  ["Fiji, beyond the date line", at(-17.7, -179.5), "oc"],
  ["Cape Town", at(-33.9, 18.4), "afr"],
  ["Riyadh", at(24.7, 46.7), "me"],
] as const)("[REGION-1] %s is nearest to its own region", (_, whereabouts, region) => {
  expect(nearestRegion(ALL, whereabouts)).toBe(region);
});

test("[REGION-1] of the regions that a room has the nearest, however far it is", () => {
  expect(nearestRegion(["weur", "apac"], at(-34.6, -58.4))).toBe("weur");
  expect(nearestRegion(["weur", "apac"], at(-33.9, 151.2))).toBe("apac");
  // Over the Pacific, not over the map's middle.
  expect(nearestRegion(["weur", "wnam"], at(35.7, 139.7))).toBe("wnam");
  expect(nearestRegion(["sam"], at(50, 8))).toBe("sam");
});

test("[REGION-1] coordinates may be numbers, and a pole or the date line is a place", () => {
  const regions = ["oc", "weur", "wnam"] as const;
  expect(nearestRegion(regions, { latitude: 49.3, longitude: -123.1 })).toBe("wnam");
  expect(nearestRegion(regions, at(90, 0))).toBe("weur");
  expect(nearestRegion(["weur", "oc"], at(-17, 180))).toBe("oc");
});

test.each([
  ["AF", "afr"],
  ["AS", "apac"],
  ["EU", "weur"],
  ["NA", "enam"],
  ["OC", "oc"],
  ["SA", "sam"],
])("[REGION-1] without coordinates the continent %s says %s", (continent, region) => {
  expect(nearestRegion(ALL, { continent })).toBe(region);
  expect(nearestRegion(ALL, { continent, latitude: "", longitude: "" })).toBe(region);
});

test.each([
  ["nothing", {}],
  ["a continent that is none", { continent: "T1" }],
  ["a name of every object", { continent: "constructor" }],
  ["coordinates that are none", { latitude: "north", longitude: "8" }],
  ["coordinates off the globe", { latitude: "91", longitude: "8" }],
  ["half of a place", { longitude: "8" }],
  ["its other half", { latitude: "50" }],
  ["types that could be read as numbers", { latitude: true, longitude: [8] }],
  ["other types", { latitude: null, longitude: {}, continent: 7 }],
])("[REGION-1] by %s it is the first", (_, whereabouts) => {
  expect(nearestRegion(["oc", "weur", "wnam"], whereabouts)).toBe("oc");
});
