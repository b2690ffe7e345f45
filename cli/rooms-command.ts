/** What was asked of `npm run rooms`: parsed, checked, not yet done. */
import { parseArgs } from "node:util";
import type { Deployment } from "./api-client.ts";
import { describe, usageFailure } from "./launch/failure.ts";

export type RoomsCommand =
  | { readonly kind: "help" }
  | { readonly kind: "apply"; readonly file: string; readonly prune: boolean }
  | { readonly kind: "list"; readonly json: boolean }
  | {
      readonly kind: "status";
      readonly room: string | null;
      readonly watch: boolean;
      readonly json: boolean;
    }
  | {
      readonly kind: "change";
      readonly room: string;
      readonly patch: Readonly<Record<string, unknown>>;
      /** What is so now, as in "shop: nobody is called". */
      readonly outcome: string;
    };

export interface RoomsRequest {
  readonly command: RoomsCommand;
  readonly deployment: Deployment;
}

const DEFAULT_SERVER = "http://127.0.0.1:8787";

export const ROOMS_HELP = `npm run rooms -- COMMAND [flags]

Makes, shows and steers the rooms of a deployment.

  apply FILE [--prune]     makes the rooms like the file: created, updated, unchanged;
                           --prune also deletes the rooms that the file does not name
  list                     every room, with its limits
  status [NAME]            who waits and who visits; --watch: a line each second (needs NAME)
  hold NAME                nobody is called, nobody enters; everyone waits
  resume NAME              calls again
  suspend NAME             everyone goes straight to the site
  unsuspend NAME           the room works again
  close NAME "TEXT"        no more tickets, nobody is called; the page shows the text
  open NAME                takes tickets again
  message NAME "TEXT"      shows a text on the page; --clear takes it away

  --server URL   the deployment (SEIRIKEN_SERVER; default ${DEFAULT_SERVER})
  --token TOKEN  its ADMIN_TOKEN (SEIRIKEN_ADMIN_TOKEN)
  --json         list and status as JSON
  --help         this text

apply leaves hold, suspend, message and close as they are, unless the file names them
(queue_all, suspended, seiriken.message, seiriken.closed).`;

const OPTIONS = {
  server: { type: "string" },
  token: { type: "string" },
  prune: { type: "boolean" },
  watch: { type: "boolean" },
  clear: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

type Values = { [Name in keyof typeof OPTIONS]?: string | boolean | undefined };

/** Which switches a command understands; any other would be ignored in silence. */
const SWITCHES: Readonly<Record<string, readonly (keyof typeof OPTIONS)[]>> = {
  apply: ["prune"],
  list: ["json"],
  status: ["watch", "json"],
  message: ["clear"],
};

export const parseRoomsCommand = (
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): RoomsRequest => {
  const { values, positionals } = parseOrFail(argv, OPTIONS);
  if (values.help === true || positionals.length === 0) {
    if (values.help !== true) throw usageFailure("say what to do", ["--help lists the commands"]);
    return { command: { kind: "help" }, deployment: { server: DEFAULT_SERVER, token: "" } };
  }
  const [name = "", ...operands] = positionals;
  for (const option of ["prune", "watch", "clear", "json"] as const) {
    if (values[option] === true && !(SWITCHES[name] ?? []).includes(option)) {
      throw usageFailure(`--${option} means nothing to ${name}`, ["--help lists the commands"]);
    }
  }
  return { command: commandOf(name, operands, values), deployment: deploymentOf(values, env) };
};

/** Unknown flags and missing values, as a usage failure instead of a stack. */
export const parseOrFail = <const Options extends NonNullable<ParseOptions>>(
  argv: readonly string[],
  options: Options,
) => {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    throw usageFailure(describe(thrown).split(". ")[0] ?? "", ["--help lists every flag"]);
  }
};
type ParseOptions = NonNullable<Parameters<typeof parseArgs>[0]>["options"];

export const deploymentOf = (
  values: {
    readonly server?: string | boolean | undefined;
    readonly token?: string | boolean | undefined;
  },
  env: Readonly<Record<string, string | undefined>>,
): Deployment => {
  const server = String(values.server ?? (env["SEIRIKEN_SERVER"] || DEFAULT_SERVER));
  const token = String(values.token ?? env["SEIRIKEN_ADMIN_TOKEN"] ?? "");
  if (!URL.canParse(server) || !/^https?:$/.test(new URL(server).protocol)) {
    throw usageFailure(`${server} is no http or https URL`, ["--server https://shop.example.com"]);
  }
  if (token === "") {
    throw usageFailure("a token is needed", [
      "give the deployment's ADMIN_TOKEN with --token or in SEIRIKEN_ADMIN_TOKEN",
    ]);
  }
  return { server: new URL(server).origin, token };
};

function commandOf(name: string, operands: readonly string[], values: Values): RoomsCommand {
  switch (name) {
    case "apply":
      return { kind: "apply", file: only(name, "FILE", operands), prune: values.prune === true };
    case "list":
      none(name, operands);
      return { kind: "list", json: values.json === true };
    case "status":
      return statusCommand(operands, values);
    case "close":
    case "message":
      return textCommand(name, operands, values);
    default:
      return switchCommand(name, operands);
  }
}

function statusCommand(operands: readonly string[], values: Values): RoomsCommand {
  const watch = values.watch === true;
  const room = watch || operands.length > 0 ? only("status", "NAME", operands) : null;
  return { kind: "status", room, watch, json: values.json === true };
}

function textCommand(
  name: "close" | "message",
  operands: readonly string[],
  values: Values,
): RoomsCommand {
  const [room, text, ...more] = operands;
  if (values.clear === true) {
    const patch = { seiriken: { message: null } };
    return { kind: "change", room: only(name, "NAME", operands), patch, outcome: "no message" };
  }
  if (room === undefined || text === undefined || text.trim() === "" || more.length > 0) {
    throw usageFailure(`${name} needs a room and a text: ${name} NAME "TEXT"`);
  }
  const setting = name === "close" ? { closed: text } : { message: text };
  const outcome = name === "close" ? "closed; the page shows the text" : "the page shows the text";
  return { kind: "change", room, patch: { seiriken: setting }, outcome };
}

const SWITCH_COMMANDS: Readonly<
  Record<string, { readonly patch: Readonly<Record<string, unknown>>; readonly outcome: string }>
> = {
  hold: { patch: { queue_all: true }, outcome: "held; nobody is called" },
  resume: { patch: { queue_all: false }, outcome: "calls again" },
  suspend: { patch: { suspended: true }, outcome: "suspended; everyone goes straight through" },
  unsuspend: { patch: { suspended: false }, outcome: "works again" },
  open: { patch: { seiriken: { closed: null } }, outcome: "takes tickets again" },
};

function switchCommand(name: string, operands: readonly string[]): RoomsCommand {
  const found = Object.hasOwn(SWITCH_COMMANDS, name) ? SWITCH_COMMANDS[name] : undefined;
  if (found === undefined) {
    throw usageFailure(`${name} is no command`, ["--help lists the commands"]);
  }
  return { kind: "change", room: only(name, "NAME", operands), ...found };
}

function only(command: string, what: string, operands: readonly string[]): string {
  const [operand] = operands;
  if (operand !== undefined && operands.length === 1) return operand;
  throw usageFailure(`${command} needs one ${what}: ${command} ${what}`);
}

function none(command: string, operands: readonly string[]): void {
  if (operands.length > 0) throw usageFailure(`${command} takes no "${operands[0]}"`);
}
