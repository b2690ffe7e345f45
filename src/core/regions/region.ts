/**
 * Where objects of a room may live, in Cloudflare's words
 * (https://developers.cloudflare.com/durable-objects/reference/data-location/).
 */

/** Location hints: an object is made near there, for ever, where the platform can. */
export const REGIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "oc", "afr", "me"] as const;
export type Region = (typeof REGIONS)[number];

/** The regions that a room names: one at least, each once. */
export type RegionList = readonly [Region, ...Region[]];

/** Jurisdictions: an object runs and stores nowhere else. */
export const JURISDICTIONS = ["eu", "us", "fedramp"] as const;
export type Jurisdiction = (typeof JURISDICTIONS)[number];

const EUROPE: readonly Region[] = ["weur", "eeur"];
const STATES: readonly Region[] = ["wnam", "enam"];

/** The regions that a jurisdiction has a part of: a hint at any other would be a wish against it. */
export const REGIONS_WITHIN = {
  eu: EUROPE,
  us: STATES,
  fedramp: STATES,
} as const satisfies Record<Jurisdiction, readonly Region[]>;

/** What an operator has said of where a room lives, beside the regions of its lobbies. */
export interface RoomHome {
  /** Null: the first of its lobbies' regions, if there are any. */
  readonly region: Region | null;
  readonly jurisdiction: Jurisdiction | null;
}
