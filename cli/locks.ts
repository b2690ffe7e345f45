import type { LockRuleResource } from "../src/api/lock-rules/schema.ts";
import { applyLockRules, readRulesFile } from "./apply-lock-rules.ts";
import { runAsCommand, say, sayJson } from "./command.ts";
import { LockRulesClient, type HolderRow } from "./lock-rules-client.ts";
import { LOCKS_HELP, parseLocksCommand, type LocksRequest } from "./locks-command.ts";

await runAsCommand(() => perform(parseLocksCommand(process.argv.slice(2), process.env)));

async function perform(request: LocksRequest): Promise<void> {
  if (request.kind === "help") return void process.stdout.write(`${LOCKS_HELP}\n`);
  const client = new LockRulesClient(request.deployment);
  switch (request.kind) {
    case "apply": {
      const onApplied = ({ name, action }: { name: string; action: string }) =>
        say(`${action.padEnd(9)}  ${name}`);
      const { prune } = request;
      return applyLockRules(client, readRulesFile(request.file), { prune, onApplied });
    }
    case "list": {
      const rules = await client.list();
      if (request.json) return sayJson(rules, 2);
      return (rules.length === 0 ? ["no rules"] : rules.map(ruleLine)).forEach(say);
    }
    case "delete":
      await client.delete(request.name);
      return say(`deleted    ${request.name}`);
    case "holders": {
      const holders = await client.holders(request.namespace);
      if (request.json) return sayJson(holders, 2);
      holders.locks.map(holderLine).forEach(say);
      return say(`${holders.total} held or waited for, ${holders.waiting} waiting`);
    }
    default:
      return request satisfies never;
  }
}

function ruleLine(rule: LockRuleResource): string {
  const { from, name } = rule.key;
  const when = `${rule.methods.join(",")} ${rule.host}${rule.path}`;
  const more = rule.idempotency ? ", answers kept" : "";
  const wait = rule.wait_seconds === 0 ? "at once" : `after ${rule.wait_seconds} s`;
  return `${rule.name}  ${when}  by ${from} ${name}, ${rule.conflict_status} ${wait}${more}`;
}

function holderLine(row: HolderRow): string {
  const held = row.by === null ? row.state : `${row.state} by ${row.by} for ${row.held_seconds} s`;
  const waiting = row.waiting === 0 ? "" : `, ${row.waiting} waiting for ${row.waiting_seconds} s`;
  return `${row.key}  fence ${row.fence ?? "-"}  ${held}${waiting}`;
}
