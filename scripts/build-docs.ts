/**
 * Writes docs/settings.md and openapi.json from the schemas, and the table of errors in docs/API.md:
 * `npm run docs`. What a setting takes is the sentence by which
 * its schema refuses everything else; what it does stands beside the schema (schema-words.ts).
 */
import { readFile, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { settingSpecs } from "../cli/launch/settings.ts";
import { VARIABLES } from "../src/worker/platform/env-words.ts";
import { eventSchema } from "../src/api/events/schema.ts";
import { ruleSchema } from "../src/api/lock-rules/schema.ts";
import { ERROR_CODES, ApiRefusal } from "../src/api/envelope.ts";
import type { ErrorCode } from "../src/api/envelope.ts";
import { roomSchema } from "../src/api/rooms/schema.ts";
import { LOG_EVENTS, type LogEventWords } from "../src/core/log-events.ts";
import { problems } from "../src/api/problem.ts";
import { buildOpenApi } from "./build-openapi.ts";
import { innerOf, isOptional, partsOf, settingsOf } from "./schema-parts.ts";
import type { Part } from "./schema-parts.ts";
import { zoneSettingsSchema } from "../src/api/zone-settings.ts";

const SETTINGS = new URL("../docs/settings.md", import.meta.url);
const CONTRACT = new URL("../docs/API.md", import.meta.url);
const OPENAPI = new URL("../src/worker/operators/openapi.gen.ts", import.meta.url);
const LOGS = new URL("../docs/logs.md", import.meta.url);

const sayings = (schema: Part): string[] =>
  partsOf(schema).flatMap(({ message }) =>
    // what else is said refuses single values, and stands in the words
    typeof message === "string" && message.startsWith("must ")
      ? [message.replace(/^must (be |have )?/, "")]
      : [],
  );

/** In a table's cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");

const takes = (schema: Part): string => {
  const list = partsOf(schema).find(({ item }) => item !== undefined);
  if (list?.item !== undefined) {
    const most = partsOf(schema).find(({ type }) => type === "max_length")?.requirement;
    const each = settingsOf(list.item) === undefined ? takes(list.item) : "an object, below";
    return `a list of at most ${String(most)}; each: ${each}`;
  }
  if (settingsOf(schema) !== undefined) return "an object, below";
  const languages = /^one of "en-US"/;
  return sayings(schema)
    .map((said) => (languages.test(said) ? "one of Cloudflare's languages" : said))
    .join("; ");
};

const fallback = (schema: Part): string => {
  if (!isOptional(schema)) return "required";
  const value = schema.default;
  if (value === undefined || value === null) return "none";
  if (typeof value === "object" && Object.keys(value).length === 0)
    return Array.isArray(value) ? "none" : "as below";
  return `\`${JSON.stringify(value)}\``;
};

interface Section {
  readonly prefix: string;
  readonly schema: Part;
}

/** The table of one object, and the objects within it. */
const tableOf = ({ prefix, schema }: Section): { text: string; inner: readonly Section[] } => {
  const told = settingsOf(schema);
  if (told?.entries === undefined) throw new Error(`${prefix} is no object of settings`);
  const words = told.words ?? {};
  const inner: Section[] = [];
  const rows = Object.entries(told.entries).flatMap(([name, entry]) => {
    const field = innerOf(entry);
    if (field.type === "unknown") return []; // read-only in the API: taken and dropped
    const does = words[name];
    if (does === undefined) throw new Error(`${prefix}${name} has no words beside its schema`);
    const item = partsOf(field).find((part) => part.item !== undefined)?.item;
    const object = [field, item].find((one) => one !== undefined && settingsOf(one) !== undefined);
    if (object !== undefined)
      inner.push({ prefix: `${prefix}${name}${object === item ? "[]" : ""}.`, schema: object });
    return [`| \`${name}\` | ${cell(takes(field))} | ${cell(fallback(entry))} | ${cell(does)} |`];
  });
  for (const name of Object.keys(words))
    if (!(name in told.entries)) throw new Error(`${prefix}${name} has words and is no setting`);
  const head = "| setting | takes | default | does |\n| --- | --- | --- | --- |";
  return { text: `${head}\n${rows.join("\n")}`, inner };
};

/** The room's own or the rule's own table first, and then each object within it under its path. */
const tablesOf = (schema: Part, only: (prefix: string) => boolean): string => {
  const open: Section[] = [{ prefix: "", schema }];
  const written: string[] = [];
  for (let section = open.shift(); section !== undefined; section = open.shift()) {
    const { text, inner } = tableOf(section);
    const title = section.prefix === "" ? "" : `### \`${section.prefix.replace(/\.$/, "")}\`\n\n`;
    if (only(section.prefix)) written.push(title + text);
    open.unshift(...inner);
  }
  return written.join("\n\n");
};

const flags = (): string =>
  Object.entries(settingSpecs)
    .map(([name, { value, help }]) => {
      const flag = `--${name}${value === undefined ? "" : ` ${value}`}`;
      return `| \`${flag}\` | ${cell(help)} |`;
    })
    .join("\n");

const variables = (): string =>
  Object.entries(VARIABLES)
    .map(
      ([name, { kind, takes: wanted, does }]) =>
        `| \`${name}\` | ${kind} | ${cell(wanted)} | ${cell(does)} |`,
    )
    .join("\n");

/** The text of docs/settings.md as it should be. */
export const buildSettings = (): string => {
  const isOurs = (prefix: string) => prefix.startsWith("seiriken");
  const room = roomSchema as unknown as Part;
  return `<!-- Made by scripts/build-docs.ts from the schemas: change those, then npm run docs. -->

# Every setting

What each one takes is also what a refusal says; every problem of a file or a body is told at once, with its
path. \`null\` means none, or the default where there is no none.

## A room: Cloudflare's fields

They are those of Cloudflare's Waiting Room API, in \`rooms.json\` and in the management API alike.

${tablesOf(room, (prefix) => !isOurs(prefix))}

## A room: ours

${tablesOf(room, isOurs)}

## Every room at once

Under \`…/waiting_rooms/settings\`; one set for the whole deployment.

${tablesOf(zoneSettingsSchema as unknown as Part, () => true)}

## An event of a room

Under \`…/waiting_rooms/{room}/events\`, and in \`rooms.json\` as a room's \`events\`;
[docs/API.md](API.md#events-of-a-room) says when they count.

${tablesOf(eventSchema as unknown as Part, () => true)}

## A lock rule

In \`locks.json\` and under \`/.seiriken/api/lock-rules\`; [docs/locks.md](locks.md) says what they are for.

${tablesOf(ruleSchema as unknown as Part, () => true)}

## Flags of \`npm start\` and \`npm run serve\`

In brackets what holds without the flag. The other commands list theirs with \`--help\`.

| flag | |
| --- | --- |
${flags()}

## Variables and secrets of a deployment

On Cloudflare a secret is set by \`wrangler secret put NAME\`, a variable in \`[vars]\` of wrangler.toml. \`npm start\` and
\`npm run serve\` take \`ADMIN_TOKEN\`, \`LOCK_TOKEN\`, \`SIGNING_KEYS\`, \`ORIGIN_SECRET\`, \`PASS_HOSTS\` and
\`TRUSTED_PROXIES\` from their environment.

| name | kind | takes | does |
| --- | --- | --- | --- |
${variables()}
`;
};

const FROM = "<!-- errors: made by npm run docs -->";
const TO = "<!-- end of errors -->";

/** The text of docs/API.md with the errors as they are in the source. */
export const withErrors = (page: string): string => {
  const start = page.indexOf(FROM);
  const end = page.indexOf(TO);
  if (start < 0 || end < 0) throw new Error("docs/API.md has lost the place for its errors");
  const rows = Object.entries(problems)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(([code, { status, title, detail }]) => `| ${status} | \`${code}\` | ${title} ${detail} |`);
  const numbers = (Object.keys(ERROR_CODES) as ErrorCode[]).map(
    (code) => `| ${new ApiRefusal(code, "").status} | ${ERROR_CODES[code]} | ${code} |`,
  );
  const tables = [
    "| status | code | says |\n| --- | --- | --- |",
    ...rows,
    "",
    "In the envelope of Cloudflare's API (200: a message beside a result):",
    "",
    "| status | code | means |\n| --- | --- | --- |",
    ...numbers,
  ];
  return `${page.slice(0, start)}${FROM}\n\n${tables.join("\n")}\n\n${page.slice(end)}`;
};

/** The text of docs/logs.md. */
export const buildLogs = (): string => {
  const rows = (Object.entries(LOG_EVENTS) as [string, LogEventWords][]).map(
    ([event, { level, fields, says, do: what }]) =>
      `| \`${event}\` | ${level} | ${fields.map((field) => `\`${field}\``).join(", ")} | ${says} | ${what} |`,
  );
  return `${LOGS_HEAD}\n| event | level | fields | says | what to do |\n| --- | --- | --- | --- | --- |\n${rows.join("\n")}\n`;
};

const LOGS_HEAD = `# The log

<!-- Made by scripts/build-docs.ts from src/core/log-events.ts: change that, then npm run docs. -->

One JSON object a line, on the standard output of \`npm start\` and \`npm run serve\`, and in Workers Logs or \`wrangler tail\`
on Cloudflare. Each has \`level\` (\`info\`: what happened; \`warn\`: it went wrong and was mended; \`error\`: somebody
noticed it, or would if it went on) and \`event\`, one of the words below. \`reference\` is the short one that the
visitor's page and every problem show as well, so that a complaint leads to its lines. A line names no visitor: no
tokens, no addresses, no query strings; only an operator's change tells the network that it came from.

Whatever clients do, of each event and room at most one \`warn\` or \`error\` a second is written by an isolate, and 50
\`info\`; \`unsaid\` counts those that were left out since. \`reason\` is one line of what the runtime said, at most 300
characters.
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await writeFile(SETTINGS, buildSettings());
  await writeFile(CONTRACT, withErrors(await readFile(CONTRACT, "utf8")));
  await writeFile(OPENAPI, buildOpenApi());
  await writeFile(LOGS, buildLogs());
}
