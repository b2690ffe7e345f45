import type { DeploymentAccess } from "./deployment.ts";
import { deploymentOf, parseOrFail } from "./flags.ts";
import { usageFailure } from "./launch/failure.ts";
import { momentOf } from "./rooms/history.ts";

export const AUDIT_HELP = `npm run audit -- [flags]

Who changed what, the newest first: every change of rooms, events, rules, keys, tokens and lock
rules, visits that were ended, with what was and what is.

  --room ROOM      of one room, by the name it has or had, or its id
  --by NAME        of one token (or e-mail, where Cloudflare Access signs in)
  --action A       of one kind, as room-changed or visits-ended
  --from T, --to T when: 90m, 6h or 2d ago; or 2026-11-20T09:00Z, or 2026-11-20 (all UTC)
  --limit N        so many at most (50; with --jsonl all)
  --jsonl          each entry as a line of JSON, whole

  --server URL     the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token-file FILE   holds a token of scope read or more (or the variable ADMIN_TOKEN; or
                   --token TOKEN, which everybody on the machine can read in the list of processes)
  --help           this text`;

export type AuditRequest =
  | { readonly kind: "help" }
  | {
      readonly kind: "list";
      /** As the API takes it. */
      readonly query: Readonly<Record<string, string>>;
      /** Null: all there are. */
      readonly limit: number | null;
      readonly asLines: boolean;
      readonly deployment: DeploymentAccess;
    };

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 100_000;

export const parseAuditCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  now: number,
): AuditRequest => {
  const { values, positionals } = parseOrFail(argv, {
    room: { type: "string" },
    by: { type: "string" },
    action: { type: "string" },
    from: { type: "string" },
    to: { type: "string" },
    limit: { type: "string" },
    jsonl: { type: "boolean" },
    server: { type: "string" },
    token: { type: "string" },
    "token-file": { type: "string" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  if (positionals.length > 0)
    throw usageFailure("there is a word too many", ["--room NAME names a room"]);
  const moment = (flag: "from" | "to"): object => {
    const given = values[flag];
    return given === undefined
      ? {}
      : { [flag]: new Date(momentOf(flag, given, now)).toISOString() };
  };
  const word = (flag: "room" | "by" | "action"): object =>
    values[flag] === undefined ? {} : { [flag]: values[flag] };
  const asLines = values.jsonl === true;
  return {
    kind: "list",
    query: {
      ...word("room"),
      ...word("by"),
      ...word("action"),
      ...moment("from"),
      ...moment("to"),
    },
    limit: limitOf(values.limit) ?? (asLines ? null : LIMIT_DEFAULT),
    asLines,
    deployment: deploymentOf(values, env),
  };
};

const limitOf = (given: string | undefined): number | null => {
  if (given === undefined) return null;
  const limit = /^\d{1,6}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= LIMIT_MAX) return limit;
  throw usageFailure(`--limit is a whole number from 1 to ${LIMIT_MAX}`);
};
