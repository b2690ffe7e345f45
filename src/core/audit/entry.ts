/** An entry of the audit log: what an operator did. */
import type { Operator } from "../access/scopes.ts";
import type { RoomId } from "../ids.ts";
import type { InstantMs } from "../time.ts";
import type { FullDifferences } from "../differences.ts";

/** How many entries are kept; the oldest go. */
export const AUDIT_ENTRIES_MAX = 100_000;

/** Who orders a change, as it goes along with the order. */
export interface Author extends Pick<Operator, "id" | "name" | "rooms" | "isToken"> {
  /** An IPv4 address or 64 bits of IPv6; null where it can't be trusted. */
  readonly network: string | null;
  /** The reference of the request. */
  readonly reference: string;
}

/** What an operator does. */
export interface AuditAct {
  readonly action: string;
  readonly room: { readonly id: RoomId; readonly name: string } | null;
  readonly target: string | null;
  readonly differences: FullDifferences;
}

export interface AuditEntry extends AuditAct {
  /** Whole, and rising. */
  readonly id: number;
  readonly at: InstantMs;
  readonly by: Pick<Operator, "id" | "name">;
  readonly network: string | null;
  readonly reference: string;
}

/** Which entries are asked for, the newest first. */
export interface AuditQuery {
  /** Entries of these rooms alone; null: all, and those of no room. */
  readonly rooms: readonly RoomId[] | null;
  /** An id, or a name in any case. */
  readonly room: string | null;
  readonly from: InstantMs | null;
  readonly to: InstantMs | null;
  /** A token's id, or a name. */
  readonly by: string | null;
  readonly action: string | null;
  /** Only entries with lower ids. */
  readonly before: number | null;
  readonly limit: number;
}

export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** There are more below this id; null: there are none. */
  readonly nextBefore: number | null;
}
