/** The audit log as the API shows it. Runs in the Worker, on the command line and in the dashboard. */
import type { AuditEntry } from "../../core/audit/entry.ts";
import type { Changes } from "../../core/differences.ts";
import { rfc3339 } from "../../core/time.ts";

export interface AuditEntryResource {
  readonly id: number;
  readonly at: string;
  readonly by: { readonly id: string; readonly name: string };
  readonly network: string | null;
  readonly reference: string;
  readonly action: string;
  readonly room: { readonly id: string; readonly name: string } | null;
  readonly target: string | null;
  /** By the setting's path what it was, and what it is. */
  readonly changes: Changes;
  /** Paths of what changed and was too long to be kept. */
  readonly left_out: readonly string[];
}

export interface AuditPageResource {
  readonly entries: readonly AuditEntryResource[];
  readonly next_before: number | null;
}

export const auditEntryResource = (entry: AuditEntry): AuditEntryResource => ({
  id: entry.id,
  at: rfc3339(entry.at),
  by: { id: entry.by.id, name: entry.by.name },
  network: entry.network,
  reference: entry.reference,
  action: entry.action,
  room: entry.room,
  target: entry.target,
  changes: entry.differences.changes,
  left_out: entry.differences.leftOut,
});
