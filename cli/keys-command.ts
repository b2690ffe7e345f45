import type { DeploymentAccess } from "./deployment.ts";
import { usageFailure } from "./launch/failure.ts";
import { deploymentOf, parseOrFail } from "./flags.ts";

export const KEYS_HELP = `npm run keys -- list | rotate | revoke NAME [flags]

The keys that sign tickets and passes.

  list          the names of the keys; the first signs, all of them verify
  rotate        makes a new key, which signs once every edge knows it. The one before it stays
                valid for 31 days, so nobody loses a place
  revoke NAME   takes a key out at once, and with it every ticket and pass that it signed; where it
                was the one that signs, a new one does. When a key has leaked: rotate, wait as long
                as you can bear for visitors to get new tokens, then revoke the old one

  --server URL   the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token-file FILE   holds its ADMIN_TOKEN (or the variable ADMIN_TOKEN; or --token TOKEN, which
                 everybody on the machine can read in the list of processes)
  --help         this text`;

export type KeysRequest =
  | { readonly kind: "help" }
  | { readonly kind: "list" | "rotate"; readonly deployment: DeploymentAccess }
  | { readonly kind: "revoke"; readonly name: string; readonly deployment: DeploymentAccess };

export const parseKeysCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): KeysRequest => {
  const { values, positionals } = parseOrFail(argv, {
    server: { type: "string" },
    token: { type: "string" },
    "token-file": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [kind, name, ...more] = positionals;
  if (kind === "revoke") {
    if (name === undefined || more.length > 0)
      throw usageFailure("revoke needs one NAME: revoke NAME", ["list shows the names"]);
    return { kind, name, deployment: deploymentOf(values, env) };
  }
  if (positionals.length !== 1 || (kind !== "list" && kind !== "rotate")) {
    throw usageFailure("say list, rotate or revoke NAME", ["--help says what they do"]);
  }
  return { kind, deployment: deploymentOf(values, env) };
};
