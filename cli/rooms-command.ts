/** What was asked of `npm run rooms`: parsed, checked, not yet done. */
import { parseTicketNumber } from "../src/core/ids.ts";
import type { DeploymentAccess } from "./deployment.ts";
import { DEFAULT_SERVER, deploymentOf, parseOrFail } from "./flags.ts";
import { quoted, usageFailure } from "./launch/failure.ts";
import { nearest } from "./nearest.ts";
import { DESK_COMMANDS, deskCommand, type DeskCall } from "./rooms/desk.ts";
import { paceSchema } from "../src/api/rooms/pace.ts";
import { settingSchemas } from "../src/api/setting-schemas.ts";
import { spanOf, type Span } from "./rooms/history.ts";
import { patchOf, type Patch } from "./rooms/assignments.ts";
import { eventsCommand, rulesCommand, type ListCommand } from "./rooms/list-commands.ts";
import { none, only } from "./rooms/operands.ts";

export type RoomsCommand =
  | ListCommand
  | DeskCall
  | { readonly kind: "help" }
  | {
      readonly kind: "apply";
      readonly file: string;
      readonly prune: boolean;
      /** Only says what it would do; with `tellsByCode` also by exit code 3. */
      readonly isDry: boolean;
      readonly tellsByCode: boolean;
      readonly isAgreed: boolean;
    }
  | { readonly kind: "list"; readonly deleted: boolean; readonly json: boolean }
  | {
      readonly kind: "set";
      readonly room: string;
      readonly patch: Patch;
      readonly isAgreed: boolean;
    }
  | { readonly kind: "delete"; readonly room: string; readonly isAgreed: boolean }
  | { readonly kind: "restore"; readonly room: string }
  | { readonly kind: "preview"; readonly file: string }
  | {
      readonly kind: "status";
      readonly room: string | null;
      readonly watch: boolean;
      readonly json: boolean;
    }
  | {
      readonly kind: "history";
      readonly room: string;
      readonly span: Span;
      readonly as: "table" | "csv" | "json";
    }
  /** Null only shows it; "taken-back" takes every signal back. */
  | { readonly kind: "pace"; readonly room: string; readonly ask: Patch | "taken-back" | null }
  | { readonly kind: "end-visit"; readonly room: string; readonly visit: number }
  | { readonly kind: "revoke-all"; readonly room: string; readonly isAgreed: boolean }
  | {
      readonly kind: "change";
      readonly room: string;
      readonly patch: Readonly<Record<string, unknown>>;
      /** What is so now, as in "shop: nobody is called". */
      readonly outcome: string;
      readonly isAgreed: boolean;
    };

export interface RoomsRequest {
  readonly command: RoomsCommand;
  readonly deployment: DeploymentAccess;
}

const OPTIONS = {
  server: { type: "string" },
  token: { type: "string" },
  "token-file": { type: "string" },
  prune: { type: "boolean" },
  "dry-run": { type: "boolean" },
  "exit-code": { type: "boolean" },
  yes: { type: "boolean" },
  deleted: { type: "boolean" },
  watch: { type: "boolean" },
  clear: { type: "boolean" },
  since: { type: "string" },
  until: { type: "string" },
  step: { type: "string" },
  csv: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** Every command takes these. */
const COMMON: readonly string[] = ["server", "token", "token-file", "help"];
const switchNames = (Object.keys(OPTIONS) as (keyof typeof OPTIONS)[]).filter(
  (name) => !COMMON.includes(name),
);

type Values = { [Name in keyof typeof OPTIONS]?: string | boolean | undefined };

/** Which switches a command understands; any other would be ignored in silence. */
const SWITCHES: Readonly<Record<string, readonly (keyof typeof OPTIONS)[]>> = {
  apply: ["prune", "dry-run", "exit-code", "yes"],
  set: ["yes"],
  delete: ["yes"],
  suspend: ["yes"],
  list: ["json", "deleted"],
  status: ["watch", "json"],
  history: ["since", "until", "step", "csv", "json"],
  events: ["json", "yes"],
  rules: ["json"],
  find: ["json"],
  "revoke-all": ["yes"],
  message: ["clear"],
  pace: ["clear"],
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
  for (const option of switchNames) {
    if (values[option] !== undefined && !(SWITCHES[name] ?? []).includes(option)) {
      throw usageFailure(`--${option} means nothing to ${quoted(name)}`, [
        "--help lists the commands",
      ]);
    }
  }
  return { command: commandOf(name, operands, values), deployment: deploymentOf(values, env) };
};

function commandOf(name: string, operands: readonly string[], values: Values): RoomsCommand {
  switch (name) {
    case "apply":
      return applyCommand(operands, values);
    case "set":
      return setCommand(operands, values);
    case "delete":
      return { kind: name, room: only(name, "NAME", operands), isAgreed: values.yes === true };
    case "restore":
      return { kind: name, room: only(name, "NAME", operands) };
    case "preview":
      return { kind: name, file: only(name, "FILE", operands) };
    case "list":
      none(name, operands);
      return { kind: "list", deleted: values.deleted === true, json: values.json === true };
    case "status":
      return statusCommand(operands, values);
    case "history":
      return historyCommand(operands, values);
    case "pace":
      return paceCommand(operands, values);
    case "visits":
      return visitsCommand(operands);
    case "find":
    case "more":
    case "call-again":
    case "end":
      return deskCommand(name, operands, values.json === true);
    case "events":
      return eventsCommand(operands, values);
    case "rules":
      return rulesCommand(operands, values);
    case "revoke-all":
      return { kind: name, room: only(name, "NAME", operands), isAgreed: values.yes === true };
    case "close":
    case "message":
      return textCommand(name, operands, values);
    default:
      return switchCommand(name, operands, values);
  }
}

function applyCommand(operands: readonly string[], values: Values): RoomsCommand {
  const isDry = values["dry-run"] === true;
  const tellsByCode = values["exit-code"] === true;
  if (tellsByCode && !isDry) throw usageFailure("--exit-code needs --dry-run");
  return {
    kind: "apply",
    file: only("apply", "FILE", operands),
    prune: values.prune === true,
    isDry,
    tellsByCode,
    isAgreed: values.yes === true,
  };
}

function setCommand([room, ...words]: readonly string[], values: Values): RoomsCommand {
  if (room === undefined || room.includes("=") || words.length === 0)
    throw usageFailure("set needs a room and what to set: set NAME total_active_users=50");
  return { kind: "set", room, patch: patchOf(words), isAgreed: values.yes === true };
}

function statusCommand(operands: readonly string[], values: Values): RoomsCommand {
  const watch = values.watch === true;
  const room = watch || operands.length > 0 ? only("status", "NAME", operands) : null;
  return { kind: "status", room, watch, json: values.json === true };
}

function historyCommand(operands: readonly string[], values: Values): RoomsCommand {
  if (values.csv === true && values.json === true) throw usageFailure("--csv or --json, not both");
  const textOf = (value: string | boolean | undefined) =>
    value === undefined ? null : String(value);
  return {
    kind: "history",
    room: only("history", "NAME", operands),
    span: spanOf(textOf(values.since), textOf(values.until), Date.now(), textOf(values.step)),
    as: values.csv === true ? "csv" : values.json === true ? "json" : "table",
  };
}

function paceCommand([room, ...words]: readonly string[], values: Values): RoomsCommand {
  if (room === undefined || room.includes("="))
    throw usageFailure('pace needs a room: pace NAME permits=20 ttl_seconds=600 reason="TEXT"');
  if (values.clear === true)
    return { kind: "pace", room: only("pace", "NAME", [room, ...words]), ask: "taken-back" };
  const ask = words.length === 0 ? null : patchOf(words, settingSchemas(paceSchema));
  return { kind: "pace", room, ask };
}

function visitsCommand([verb, room, visit, ...more]: readonly string[]): RoomsCommand {
  const number = parseTicketNumber(/^\d{1,15}$/.test(visit ?? "") ? Number(visit) : Number.NaN);
  if (verb !== "end" || room === undefined || number === null || more.length > 0) {
    throw usageFailure("visits needs end, a room and a visit: visits end NAME VISIT", [
      "a visit is a number such as 17: the ticket's, and what the origin hears in Seiriken-Visit",
    ]);
  }
  return { kind: "end-visit", room, visit: number };
}

function textCommand(
  name: "close" | "message",
  operands: readonly string[],
  values: Values,
): RoomsCommand {
  const [room, text, ...more] = operands;
  if (values.clear === true) {
    const patch = { seiriken: { message: null } };
    const outcome = "no message";
    return { kind: "change", room: only(name, "NAME", operands), patch, outcome, isAgreed: true };
  }
  if (room === undefined || text === undefined || text.trim() === "" || more.length > 0) {
    throw usageFailure(`${name} needs a room and a text: ${name} NAME "TEXT"`);
  }
  const setting = name === "close" ? { closed: text } : { message: text };
  const outcome = name === "close" ? "closed; the page shows the text" : "the page shows the text";
  return { kind: "change", room, patch: { seiriken: setting }, outcome, isAgreed: true };
}

const SWITCH_COMMANDS: Readonly<
  Record<string, { readonly patch: Readonly<Record<string, unknown>>; readonly outcome: string }>
> = {
  pause: { patch: { queue_all: true }, outcome: "paused; nobody is called" },
  resume: { patch: { queue_all: false }, outcome: "calls again" },
  suspend: { patch: { suspended: true }, outcome: "suspended; everyone goes straight through" },
  unsuspend: { patch: { suspended: false }, outcome: "works again" },
  open: { patch: { seiriken: { closed: null } }, outcome: "takes tickets again" },
};

const COMMANDS = [
  ...["apply", "set", "list", "delete", "restore", "status", "close", "message"],
  ...DESK_COMMANDS,
  ...["history", "visits", "events", "rules", "revoke-all", "preview", "pace"],
  ...Object.keys(SWITCH_COMMANDS),
];

function switchCommand(name: string, operands: readonly string[], values: Values): RoomsCommand {
  const found = Object.hasOwn(SWITCH_COMMANDS, name) ? SWITCH_COMMANDS[name] : undefined;
  if (found === undefined) {
    const meant = nearest(name, COMMANDS);
    const hint = meant === null ? "" : `; did you mean ${meant}?`;
    throw usageFailure(`${quoted(name)} is no command${hint}`, ["--help lists the commands"]);
  }
  const isAgreed = name !== "suspend" || values.yes === true;
  return { kind: "change", room: only(name, "NAME", operands), ...found, isAgreed };
}
