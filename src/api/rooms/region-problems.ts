/** What regions of a room cannot be, beside each other and beside the room as it stands. */
import type { FieldProblem } from "../../core/field-problem.ts";
import { isRecord } from "../fields.ts";
import { REGIONS_WITHIN, type Jurisdiction, type Region } from "../../core/regions/region.ts";

export interface RegionsInput {
  readonly regions: readonly Region[];
  readonly room_region: Region | null;
  readonly jurisdiction: Jurisdiction | null;
}

export const problemsWithRegions = (given: RegionsInput): FieldProblem[] => {
  const { regions, room_region: own, jurisdiction } = given;
  const problems: FieldProblem[] = [];
  const within: readonly Region[] | null =
    jurisdiction === null ? null : REGIONS_WITHIN[jurisdiction];
  const message = `is not in the jurisdiction ${jurisdiction}: there are ${within?.join(" and ")}`;
  const isOutside = (region: Region): boolean => within !== null && !within.includes(region);
  for (const [index, region] of regions.entries()) {
    const keys = ["seiriken", "regions", index];
    if (regions.indexOf(region) < index) problems.push({ keys, message: "is named twice" });
    if (isOutside(region)) problems.push({ keys, message });
  }
  if (own !== null && isOutside(own)) problems.push({ keys: ["seiriken", "room_region"], message });
  return problems;
};

const FIXED = ["regions", "room_region", "jurisdiction"] as const;
const NONE: RegionsInput = { regions: [], room_region: null, jurisdiction: null };

/**
 * An object stays where it was first made, and a lobby's region follows from its index. `json` is what
 * is to stand under `seiriken`, which may have other problems.
 */
export const problemsWithMove = (before: RegionsInput, json: unknown): FieldProblem[] => {
  const given = isRecord(json) ? json : {};
  return FIXED.filter(
    (name) => JSON.stringify(given[name] ?? NONE[name]) !== JSON.stringify(before[name]),
  ).map((name) => ({
    keys: ["seiriken", name],
    message:
      `can't be changed, it is ${JSON.stringify(before[name])}: a room's objects stay where they were ` +
      "first made. Make a new room",
  }));
};
