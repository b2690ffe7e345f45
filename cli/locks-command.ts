/** What was asked of `npm run locks`: parsed, checked, not yet done. */
import type { DeploymentAccess } from "./deployment.ts";
import { quoted, usageFailure } from "./launch/failure.ts";
import { deploymentOf, parseOrFail } from "./flags.ts";

export const LOCKS_HELP = `npm run locks -- COMMAND [flags]

Makes and shows the lock rules of a deployment, and who holds its locks.

  apply FILE [--prune]   makes the rules like the file: created, updated, unchanged;
                         --prune also deletes the rules that the file does not name
  list                   every rule, with what it locks
  delete NAME            the rule is gone within 5 s; locks that it took run to their end
  holders NAMESPACE      holders and waiters with their ages; a rule's locks are in rule:NAME

  --server URL   the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token-file FILE   holds its ADMIN_TOKEN, for holders its LOCK_TOKEN (or the variable of that
                 name; or --token TOKEN, which everybody on the machine can read in the list
                 of processes)
  --json         list and holders as JSON
  --help         this text`;

export type LocksRequest =
  | { readonly kind: "help" }
  | ({ readonly deployment: DeploymentAccess } & (
      | { readonly kind: "apply"; readonly file: string; readonly prune: boolean }
      | { readonly kind: "list"; readonly json: boolean }
      | { readonly kind: "delete"; readonly name: string }
      | { readonly kind: "holders"; readonly namespace: string; readonly json: boolean }
    ));

export const parseLocksCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): LocksRequest => {
  const { values, positionals } = parseOrFail(argv, {
    server: { type: "string" },
    token: { type: "string" },
    "token-file": { type: "string" },
    prune: { type: "boolean" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [kind, operand, ...more] = positionals;
  const json = values.json === true;
  const only = (what: string): string => {
    if (operand !== undefined && more.length === 0) return operand;
    throw usageFailure(`${kind} needs one ${what}: ${kind} ${what}`);
  };
  const isHolders = kind === "holders";
  const variable = isHolders ? "LOCK_TOKEN" : "ADMIN_TOKEN";
  const deployment = () => deploymentOf(values, env, variable);
  if (values.prune === true && kind !== "apply")
    throw usageFailure("--prune means something to apply only");
  switch (kind) {
    case "apply":
      return { kind, file: only("FILE"), prune: values.prune === true, deployment: deployment() };
    case "list":
      if (operand !== undefined) throw usageFailure(`list takes no ${quoted(operand)}`);
      return { kind, json, deployment: deployment() };
    case "delete":
      return { kind, name: only("NAME"), deployment: deployment() };
    case "holders":
      return { kind, namespace: only("NAMESPACE"), json, deployment: deployment() };
    default:
      throw usageFailure("say apply, list, delete or holders", ["--help says what they do"]);
  }
};
