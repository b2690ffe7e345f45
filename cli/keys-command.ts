import type { Deployment } from "./api-client.ts";
import { usageFailure } from "./launch/failure.ts";
import { deploymentOf, parseOrFail } from "./rooms-command.ts";

export const KEYS_HELP = `npm run keys -- list | rotate [flags]

The keys that sign tickets and passes.

  list     the names of the keys; the first signs, all of them verify
  rotate   makes a new key, which signs once every edge knows it. The last three before it stay
           valid, so nobody loses a place; leave a return window between rotations

  --server URL   the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token TOKEN  its ADMIN_TOKEN (SEIRIKEN_ADMIN_TOKEN)
  --help         this text`;

export type KeysRequest =
  { readonly kind: "help" } | { readonly kind: "list" | "rotate"; readonly deployment: Deployment };

export const parseKeysCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): KeysRequest => {
  const { values, positionals } = parseOrFail(argv, {
    server: { type: "string" },
    token: { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [kind] = positionals;
  if (positionals.length !== 1 || (kind !== "list" && kind !== "rotate")) {
    throw usageFailure("say list or rotate", ["--help says what they do"]);
  }
  return { kind, deployment: deploymentOf(values, env) };
};
