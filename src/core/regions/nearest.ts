/** Which of a room's regions a request is nearest to, by what the platform says of its origin. */
import type { Region, RegionList } from "./region.ts";

/** A part of Cloudflare's `request.cf`; where there is none, or it is of another form, nothing is known. */
export interface Whereabouts {
  /** Degrees, as text. */
  readonly latitude?: unknown;
  readonly longitude?: unknown;
  /** Two letters. */
  readonly continent?: unknown;
}

interface GlobePoint {
  readonly latitude: number;
  readonly longitude: number;
}

const point = (latitude: number, longitude: number): GlobePoint => ({ latitude, longitude });

/** Large data centres of each region: an object that is hinted there is not far from one of them. */
const CENTRES: Readonly<Record<Region, readonly GlobePoint[]>> = {
  wnam: [point(37.4, -121.9), point(47.6, -122.3), point(34.1, -118.2)],
  enam: [point(39.0, -77.5), point(41.9, -87.6), point(40.7, -74.0), point(32.8, -96.8)],
  sam: [point(-23.5, -46.6), point(-33.4, -70.6)],
  weur: [point(51.5, -0.1), point(52.4, 4.9), point(50.1, 8.7), point(40.4, -3.7)],
  eeur: [point(52.2, 21.0), point(48.2, 16.4), point(44.4, 26.1), point(60.2, 24.9)],
  apac: [point(1.4, 103.8), point(35.7, 139.7), point(22.3, 114.2), point(19.1, 72.9)],
  oc: [point(-33.9, 151.2), point(-36.8, 174.8)],
  afr: [point(-26.2, 28.0), point(6.5, 3.4), point(-1.3, 36.8)],
  me: [point(25.2, 55.3), point(32.1, 34.8)],
};

/** Where most people of a continent are. */
const CONTINENTS: Readonly<Record<string, GlobePoint>> = {
  AF: point(4, 15),
  AN: point(-75, 0),
  AS: point(25, 100),
  EU: point(50, 9),
  NA: point(39, -92),
  OC: point(-30, 148),
  SA: point(-17, -55),
};

const degrees = (value: unknown, most: number): number | null => {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const number = value === "" ? NaN : Number(value);
  return Math.abs(number) <= most ? number : null;
};

const pointOf = ({ latitude, longitude, continent }: Whereabouts): GlobePoint | null => {
  const north = degrees(latitude, 90);
  const east = degrees(longitude, 180);
  if (north !== null && east !== null) return point(north, east);
  return typeof continent === "string" ? (CONTINENTS[continent] ?? null) : null;
};

const radians = (value: number): number => (value * Math.PI) / 180;

/** Grows with the distance over the globe (haversine), and costs less than the distance itself. */
const apartness = (from: GlobePoint, to: GlobePoint): number => {
  const north = Math.sin(radians(to.latitude - from.latitude) / 2);
  const east = Math.sin(radians(to.longitude - from.longitude) / 2);
  const narrowing = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
  return north * north + narrowing * east * east;
};

/** Where nothing is known, the first. */
export const nearestRegion = (regions: RegionList, whereabouts: Whereabouts): Region => {
  const [first] = regions;
  const from = pointOf(whereabouts);
  if (from === null || regions.length === 1) return first;
  const away = (region: Region): number =>
    Math.min(...CENTRES[region].map((centre) => apartness(from, centre)));
  return regions.reduce((near, region) => (away(region) < away(near) ? region : near), first);
};
