import { SCOPES, type Scope } from "../src/core/access/scopes.ts";
import { instantIn } from "../src/api/instants.ts";
import { rfc3339, instant } from "../src/core/time.ts";
import type { DeploymentAccess } from "./deployment.ts";
import { deploymentOf, parseOrFail } from "./flags.ts";
import { quoted, usageFailure } from "./launch/failure.ts";

export const TOKENS_HELP = `npm run tokens -- list | create NAME | revoke NAME [flags]

The tokens of operators. ADMIN_TOKEN makes the first.

  list          names, scopes, rooms and ends; never the tokens themselves
  create NAME   makes one, and prints it this once: nobody can be shown it again
      --scope S      read: look. operate: run rooms that exist. admin: everything
      --room ROOM    it sees and changes that room alone; may be given again
      --expires T    when it ends: 90m, 12h, 30d from now, or 2026-12-01T09:00:00Z
  revoke NAME   (or its id) it opens nothing any more, everywhere within 5 seconds

  --json         of list and create: JSON
  --server URL   the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token-file FILE   holds its ADMIN_TOKEN, or a token of scope admin (or the variable ADMIN_TOKEN;
                 or --token TOKEN, which everybody on the machine can read in the list of processes)
  --help         this text`;

export type TokensCommand =
  | { readonly kind: "list" }
  | {
      readonly kind: "create";
      readonly name: string;
      readonly scope: Scope;
      readonly rooms: readonly string[] | null;
      readonly expires_at: string | null;
    }
  | { readonly kind: "revoke"; readonly token: string };

export type TokensRequest =
  | { readonly kind: "help" }
  | (TokensCommand & { readonly json: boolean; readonly deployment: DeploymentAccess });

const UNITS_MS = { m: 60_000, h: 3_600_000, d: 24 * 3_600_000 } as const;

export const parseTokensCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): TokensRequest => {
  const { values, positionals } = parseOrFail(argv, {
    scope: { type: "string" },
    room: { type: "string", multiple: true },
    expires: { type: "string" },
    json: { type: "boolean" },
    server: { type: "string" },
    token: { type: "string" },
    "token-file": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [kind, name, ...more] = positionals;
  const ofCreate = [values.scope, values.room, values.expires].some((given) => given !== undefined);
  if (kind !== "create" && ofCreate)
    throw usageFailure("--scope, --room and --expires are for create");
  if (kind === "revoke" && values.json === true)
    throw usageFailure("--json is for list and create");
  const command = (): TokensCommand => {
    if (kind === "list" && positionals.length === 1) return { kind };
    if (name === undefined || more.length > 0 || (kind !== "create" && kind !== "revoke"))
      throw usageFailure("say list, create NAME or revoke NAME", ["--help says what they do"]);
    if (kind === "revoke") return { kind, token: name };
    const scope = SCOPES.find((known) => known === values.scope);
    if (scope === undefined)
      throw usageFailure("create needs a scope", ["--scope read, operate or admin"]);
    const expires_at = values.expires === undefined ? null : endOf(values.expires, now);
    return { kind, name, scope, rooms: values.room ?? null, expires_at };
  };
  return { ...command(), json: values.json === true, deployment: deploymentOf(values, env) };
};

const endOf = (given: string, now: number): string => {
  const [, count, unit] = /^(\d{1,6})([mhd])$/.exec(given) ?? [];
  const at =
    count === undefined
      ? instantIn(given)
      : instant(now + Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS]);
  if (at !== null) return rfc3339(at);
  throw usageFailure(`--expires: ${quoted(given)} is no moment`, [
    "how long from now, as in 12h or 30d; or 2026-12-01T09:00:00Z",
  ]);
};
