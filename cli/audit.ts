import type { AuditEntryResource } from "../src/api/audit/resource.ts";
import { ManagementClient } from "./api-client.ts";
import { AUDIT_HELP, parseAuditCommand } from "./audit-command.ts";
import { auditLines } from "./audit-view.ts";
import { runAsCommand, say, sayJson } from "./command.ts";

const PAGE = 1_000;

await runAsCommand(async () => {
  const request = parseAuditCommand(process.argv.slice(2), process.env, Date.now());
  if (request.kind === "help") {
    process.stdout.write(`${AUDIT_HELP}\n`);
    return;
  }
  const client = new ManagementClient(request.deployment);
  let left = request.limit ?? Number.POSITIVE_INFINITY;
  let before: number | null = null;
  do {
    const more: object = before === null ? {} : { before: String(before) };
    const query = { ...request.query, ...more, limit: String(Math.min(left, PAGE)) };
    const page = await client.auditPage(query);
    for (const entry of page.entries) tell(entry, request.asLines);
    left -= page.entries.length;
    before = page.next_before;
  } while (before !== null && left > 0);
});

function tell(entry: AuditEntryResource, asLines: boolean): void {
  if (asLines) sayJson(entry);
  else for (const line of auditLines(entry)) say(line);
}
