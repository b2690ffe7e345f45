import { lobbyIndex } from "../../../src/core/ids.ts";
import type { RegionList } from "../../../src/core/regions/region.ts";

export const REGIONS = ["weur", "enam", "apac", "oc"] as const satisfies RegionList;
export type Here = (typeof REGIONS)[number];

/** Lobbies are dealt out to regions in turn. */
export const firstLobby = (region: Here) => lobbyIndex(REGIONS.indexOf(region));

/** One way between data centres, in milliseconds, as published round trips between large clouds halve. */
const APART: Readonly<Record<string, number>> = {
  "enam weur": 42,
  "apac weur": 78,
  "oc weur": 138,
  "apac enam": 112,
  "enam oc": 102,
  "apac oc": 48,
};

/** Within a region; also between a visitor and the Worker nearby. */
const NEAR_MS = [5, 15] as const;
const JITTER = 0.1;

/** One way, with the day's luck: `unit` from 0 to 1. */
export const onTheWayMs = (from: Here, to: Here, unit: number): number => {
  if (from === to) return NEAR_MS[0] + unit * (NEAR_MS[1] - NEAR_MS[0]);
  const apart = APART[[from, to].toSorted().join(" ")];
  if (apart === undefined) throw new Error(`no way from ${from} to ${to}`);
  return apart * (1 + JITTER * unit);
};

/** From when to when nothing passes, and between whom. */
export interface Cut {
  readonly from: number;
  readonly until: number;
  readonly region: Here;
  /** Its lobbies are gone, while those near them reach every other region. Else it is the other way round. */
  readonly isDead: boolean;
}

export const isCutOff = (cut: Cut | null, from: Here, to: Here, now: number): boolean => {
  if (cut === null || cut.isDead || now < cut.from || now >= cut.until) return false;
  return (to === cut.region) !== (from === cut.region);
};
