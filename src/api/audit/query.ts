/** What may be asked of the audit log. */
import type { AuditQuery } from "../../core/audit/entry.ts";
import type { InstantMs } from "../../core/time.ts";
import { instantIn } from "../instants.ts";
import type { QueryError } from "../rooms/history.ts";

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;
const TEXT_LENGTH_MAX = 128;

export type AskedAudit = Omit<AuditQuery, "rooms"> & { readonly format: "json" | "jsonl" };

/** The query, or every problem with it at once. */
export const auditQuery = (
  query: (name: string) => string | undefined,
): AskedAudit | readonly QueryError[] => {
  const errors: QueryError[] = [];
  const wrong = (parameter: string, detail: string): null => {
    errors.push({ parameter, detail });
    return null;
  };
  const text = (name: string): string | null => {
    const given = query(name);
    if (given === undefined) return null;
    return given !== "" && given.length <= TEXT_LENGTH_MAX
      ? given
      : wrong(name, `must have 1 to ${TEXT_LENGTH_MAX} characters`);
  };
  const at = (name: string): InstantMs | null => {
    const given = query(name);
    if (given === undefined) return null;
    return instantIn(given) ?? wrong(name, "must be an instant such as 2026-11-20T09:00:00Z");
  };
  const whole = (name: string, most: number): number | null => {
    const given = query(name);
    if (given === undefined) return null;
    const value = /^\d{1,16}$/.test(given) ? Number(given) : 0;
    return value >= 1 && value <= most
      ? value
      : wrong(name, `must be a whole number from 1 to ${most}`);
  };
  const format = query("format") ?? "json";
  if (format !== "json" && format !== "jsonl") wrong("format", "must be json or jsonl");
  const asked = {
    ...{ room: text("room"), by: text("by"), action: text("action") },
    ...{ from: at("from"), to: at("to") },
    before: whole("before", Number.MAX_SAFE_INTEGER),
    limit: whole("limit", LIMIT_MAX) ?? LIMIT_DEFAULT,
    format: format === "jsonl" ? format : "json",
  } as const;
  if (asked.from !== null && asked.to !== null && asked.from >= asked.to)
    wrong("from", "must be earlier than to");
  return errors.length > 0 ? errors : asked;
};
