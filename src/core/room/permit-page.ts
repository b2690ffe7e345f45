/**
 * Permits that moved while a room was busy, many to a row. A page has so many slots, and a line for
 * each of them that moved: the slot, and its permit as JSON, or nothing where it is free.
 */
import type { SlotIndex } from "../ids.ts";
import type { Permit } from "../permits/permit.ts";
import type { StoredRoomChange } from "./stored.ts";

export type PermitChange =
  | Extract<StoredRoomChange, { readonly put: "permit" }>
  | Extract<StoredRoomChange, { readonly drop: "permit" }>;

/** A row of some 70 KB, where the platform allows 2 MB. */
const PAGE_SLOTS = 256;

export const permitPageOf = (slot: SlotIndex): number => Math.floor(slot / PAGE_SLOTS);

export const isPermitChange = (change: StoredRoomChange): change is PermitChange =>
  ("put" in change ? change.put : change.drop) === "permit";

/** The page with these changes laid over it; the lines of other slots stay as they are. */
export const pageWith = (page: string, changes: readonly PermitChange[]): string => {
  const lines = new Map<string, string>();
  for (const line of linesOf(page)) lines.set(line.slice(0, line.indexOf(" ")), line);
  for (const change of changes) {
    const permit = "put" in change ? JSON.stringify(change.permit) : "";
    lines.set(`${change.slot}`, `${change.slot} ${permit}`);
  }
  return [...lines.values()].join("\n");
};

/** What the page says, in no order. */
export const changesIn = (page: string): PermitChange[] =>
  linesOf(page).map((line): PermitChange => {
    const space = line.indexOf(" ");
    const slot = Number(line.slice(0, space)) as SlotIndex;
    const permit = line.slice(space + 1);
    if (permit === "") return { drop: "permit", slot };
    return { put: "permit", slot, permit: JSON.parse(permit) as Permit };
  });

const linesOf = (page: string): string[] => (page === "" ? [] : page.split("\n"));
