import { ALERT_TYPES } from "../src/core/alerts/alert.ts";
import type { DeploymentAccess } from "./deployment.ts";
import { usageFailure } from "./launch/failure.ts";
import { deploymentOf, parseOrFail } from "./flags.ts";

export const WEBHOOKS_HELP = `npm run webhooks -- COMMAND [flags]

Whom alerts are posted to. docs/alerts.md has the alerts. NAME is a webhook's name or id.

  list                the webhooks, and whether they work
  create NAME URL     makes one and says its secret, once
  test NAME           sends a test alert now and says what the receiver answered
  deliveries NAME     the latest deliveries
  on NAME | off NAME  turns one on, or off
  rotate NAME         makes a new secret and says it, once; the one before signs too for a day
  delete NAME         deletes one, and what waits for it

  --types A,B    with create: only these alerts. There are
                 ${ALERT_TYPES.filter((type) => type !== "webhook.test")
                   .join(" ")
                   .replace(/(.{60,80}) /g, "$1\n                 ")}
  --rooms A,B    with create: only of these rooms, by name or id
  --server URL   the deployment (SEIRIKEN_SERVER; default http://127.0.0.1:8787)
  --token-file FILE   holds its ADMIN_TOKEN (or the variable ADMIN_TOKEN; or --token TOKEN, which
                 everybody on the machine can read in the list of processes)
  --json         for programs: what the API answers
  --help         this text`;

const ONE = ["test", "deliveries", "on", "off", "rotate", "delete"] as const;

export type WebhooksRequest =
  | { readonly kind: "help" }
  | ((
      | { readonly kind: "list" }
      | {
          readonly kind: "create";
          readonly name: string;
          readonly url: string;
          readonly types: readonly string[] | null;
          readonly rooms: readonly string[] | null;
        }
      | { readonly kind: (typeof ONE)[number]; readonly name: string }
    ) & { readonly deployment: DeploymentAccess; readonly json: boolean });

export const parseWebhooksCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): WebhooksRequest => {
  const { values, positionals } = parseOrFail(argv, {
    server: { type: "string" },
    token: { type: "string" },
    "token-file": { type: "string" },
    types: { type: "string" },
    rooms: { type: "string" },
    json: { type: "boolean" },
    help: { type: "boolean", short: "h" },
  });
  if (values.help === true) return { kind: "help" };
  const [kind = "", name, url, ...more] = positionals;
  const narrowed = [values.types, values.rooms].some((given) => given !== undefined);
  if (narrowed && kind !== "create")
    throw usageFailure("--types and --rooms go with create", ["--help says what they do"]);
  const common = () => ({ deployment: deploymentOf(values, env), json: values.json === true });
  if (kind === "list" && name === undefined) return { kind, ...common() };
  if (kind === "create") {
    if (name === undefined || url === undefined || more.length > 0)
      throw usageFailure("create needs a NAME and a URL: create NAME URL");
    const [types, rooms] = [listIn(values.types), listIn(values.rooms)];
    return { kind, name, url, types, rooms, ...common() };
  }
  const one = ONE.find((known) => known === kind);
  if (one === undefined) throw usageFailure(`say list, create, ${ONE.join(", ")}`, HELP);
  if (name === undefined || url !== undefined)
    throw usageFailure(`${one} needs one NAME: ${one} NAME`, ["list shows the names"]);
  return { kind: one, name, ...common() };
};

const HELP = ["--help says what they do"];

const listIn = (text: string | undefined): readonly string[] | null =>
  text === undefined
    ? null
    : text
        .split(",")
        .map((part) => part.trim())
        .filter((part) => part !== "");
