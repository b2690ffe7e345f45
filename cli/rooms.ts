import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { parseRoomsText } from "../src/worker/management/rooms-file.ts";
import { ManagementClient } from "./api-client.ts";
import { applyRooms } from "./apply-rooms.ts";
import { runAsCommand } from "./command.ts";
import { describe, Failure } from "./launch/failure.ts";
import { parseRoomsCommand, ROOMS_HELP, type RoomsCommand } from "./rooms-command.ts";
import { roomTable, statusTable, watchHeader, watchRow } from "./rooms-view.ts";

const WATCH_EVERY_MS = 1_000;
/** On a terminal the header comes again before it has scrolled away. */
const HEADER_EVERY_LINES = 20;

const say = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

await runAsCommand(async () => {
  const { command, deployment } = parseRoomsCommand(process.argv.slice(2), process.env);
  await perform(command, new ManagementClient(deployment));
});

async function perform(command: RoomsCommand, client: ManagementClient): Promise<void> {
  switch (command.kind) {
    case "help":
      return say(ROOMS_HELP);
    case "apply":
      return apply(client, command.file, command.prune);
    case "list": {
      const rooms = await client.listRooms();
      if (command.json) say(JSON.stringify(rooms, null, 2));
      else roomTable(rooms).forEach(say);
      return;
    }
    case "status":
      if (command.watch && command.room !== null) return watch(client, command.room, command.json);
      return status(client, command.room, command.json);
    case "change": {
      const room = await client.patchRoom(command.room, command.patch);
      return say(`${room.name}: ${command.outcome}`);
    }
    default:
      return command satisfies never;
  }
}

async function apply(client: ManagementClient, file: string, prune: boolean): Promise<void> {
  let text: string;
  try {
    text = readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (thrown) {
    throw new Failure("rooms-file", `${file} can't be read: ${describe(thrown)}`);
  }
  const parsed = parseRoomsText(text);
  if (!parsed.ok) {
    const lines = parsed.problems.map(({ path, message }) => `${path} ${message}`.trim());
    throw new Failure("rooms-file", `${file} has problems; nothing was changed`, lines);
  }
  const onApplied = ({ name, action }: { name: string; action: string }) =>
    say(`${action.padEnd(9)}  ${name}`);
  await applyRooms(client, parsed.rooms, { prune, onApplied });
}

async function status(client: ManagementClient, room: string | null, json: boolean): Promise<void> {
  const names = room === null ? (await client.listRooms()).map(({ id }) => id) : [room];
  const statuses = await Promise.all(names.map((name) => client.statusOf(name)));
  if (json) say(JSON.stringify(room === null ? statuses : statuses[0], null, 2));
  else statusTable(statuses).forEach(say);
}

/** A line each second until it is interrupted. A deployment that goes away is waited for. */
async function watch(client: ManagementClient, room: string, json: boolean): Promise<void> {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => stop.abort());
  const first = await client.statusOf(room);
  if (!json) say(watchHeader());
  say(json ? JSON.stringify(first) : watchRow(first));
  for (let lines = 1; ; lines += 1) {
    await sleep(WATCH_EVERY_MS, undefined, { signal: stop.signal }).catch(() => undefined);
    if (stop.signal.aborted) return;
    const headerIsDue = !json && process.stdout.isTTY && lines % HEADER_EVERY_LINES === 0;
    if (headerIsDue) say(watchHeader());
    try {
      const now = await client.statusOf(room);
      say(json ? JSON.stringify(now) : watchRow(now));
    } catch (thrown) {
      if (!(thrown instanceof Failure) || !isPassing(thrown)) throw thrown;
      process.stderr.write(`${thrown.message}; trying again\n`);
    }
  }
}

const isPassing = ({ code }: Failure): boolean => code === "unreachable" || code === "unavailable";
