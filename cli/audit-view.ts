/** An entry of the audit log for people: a line, and one for each setting that changed. */
import type { AuditEntryResource } from "../src/api/audit/resource.ts";

const VALUE_LENGTH_MAX = 60;

export const auditLines = (entry: AuditEntryResource): string[] => {
  const about = [entry.room?.name, entry.target].filter((word) => word != null).join(" ");
  const head = [entry.at, entry.by.name, entry.action, about].filter((word) => word !== "");
  return [
    head.join("  "),
    ...Object.entries(entry.changes).map(
      ([path, [from, to]]) => `    ${path}: ${valueText(from)} -> ${valueText(to)}`,
    ),
    ...entry.left_out.map((path) => `    ${path}: changed, too long to be kept`),
  ];
};

const valueText = (value: unknown): string => {
  const text = value === null ? "none" : JSON.stringify(value);
  return text.length > VALUE_LENGTH_MAX ? `${text.slice(0, VALUE_LENGTH_MAX)}…` : text;
};
