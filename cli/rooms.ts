/** The command `npm run rooms`: does what rooms-command.ts has parsed, and prints it. */
import { setTimeout as sleep } from "node:timers/promises";
import { plainText } from "../src/core/plain-text.ts";
import type { RoomStatusResource } from "../src/api/rooms/status.ts";
import { historyCsv } from "../src/api/rooms/history.ts";
import { ManagementClient } from "./api-client.ts";
import { agree } from "./ask.ts";
import { runAsCommand, say, sayJson } from "./command.ts";
import { parseRoomsCommand, type RoomsCommand } from "./rooms-command.ts";
import { applyFile } from "./rooms/apply-file.ts";
import type { Patch } from "./rooms/assignments.ts";
import { changeLines } from "./rooms/changes.ts";
import type { Harm } from "./rooms/harm.ts";
import { changeEvents, changeRules } from "./rooms/lists.ts";
import { ROOMS_HELP } from "./rooms/help.ts";
import { runDesk } from "./rooms/desk.ts";
import { historyLines } from "./rooms/history.ts";
import { deletion, harmLines } from "./rooms/plan.ts";
import { paceLines } from "./rooms/pace.ts";
import { previewPage } from "./rooms/preview.ts";
import { setRoom } from "./rooms/set.ts";
import { watchRoom } from "./rooms/watch.ts";
import { deletedTable, roomTable, statusTable, watchHeader, watchRow } from "./rooms-view.ts";

/** On a terminal the header comes again before it has scrolled away. */
const HEADER_EVERY_LINES = 20;

await runAsCommand(async () => {
  const { command, deployment } = parseRoomsCommand(process.argv.slice(2), process.env);
  const onNote = (note: string) => {
    if (command.kind === "apply" || command.kind === "set")
      process.stderr.write(`note: ${plainText(note)}\n`);
  };
  await perform(command, new ManagementClient(deployment, fetch, onNote));
});

async function perform(command: RoomsCommand, client: ManagementClient): Promise<void> {
  switch (command.kind) {
    case "help":
      return void process.stdout.write(`${ROOMS_HELP}\n`);
    case "apply":
      return applyFile(client, command);
    case "set":
      return set(client, command.room, command.patch, command.isAgreed);
    case "delete":
      return deleteRoom(client, command.room, command.isAgreed);
    case "restore": {
      const room = await client.restoreRoom(command.room);
      return say(`${room.name}: restored, with its id and its numbers; its visits had ended`);
    }
    case "preview":
      return previewPage(client, command.file);
    case "list": {
      if (command.deleted) return listDeleted(client, command.json);
      const rooms = await client.listRooms();
      if (command.json) sayJson(rooms, 2);
      else roomTable(rooms).forEach(say);
      return;
    }
    case "status":
      if (command.watch && command.room !== null) return watch(client, command.room, command.json);
      return status(client, command.room, command.json);
    case "history": {
      const { room, span, as } = command;
      const minutes = await client.historyOf(room, span);
      if (as === "json") return sayJson(minutes, 2);
      if (as === "csv") return void process.stdout.write(historyCsv(minutes));
      return historyLines(minutes, span).forEach(say);
    }
    case "pace":
      return paceLines(await client.pace(command.room, command.ask)).forEach(say);
    case "end-visit":
      await client.endVisit(command.room, command.visit);
      return say(`${command.room}: visit ${command.visit} is not running (any more)`);
    case "find":
    case "more":
    case "call-again":
    case "end":
      return runDesk(client, command);
    case "revoke-all":
      return revokeAll(client, command.room, command.isAgreed);
    case "events":
      return changeEvents(client, command);
    case "rules":
      return changeRules(client, command);
    case "change": {
      const room = command.isAgreed
        ? await client.patchRoom(command.room, command.patch)
        : (await setRoom(client, command.room, command.patch, agreeTo(command.room, false))).room;
      return say(`${room.name}: ${command.outcome}`);
    }
    default:
      return command satisfies never;
  }
}

function agreeTo(room: string, isAgreed: boolean): (harm: readonly Harm[]) => Promise<void> {
  return (harm) =>
    agree(
      harm.map(({ sentence }) => `${room}: ${sentence}`),
      isAgreed,
    );
}

async function set(
  client: ManagementClient,
  name: string,
  patch: Patch,
  isAgreed: boolean,
): Promise<void> {
  const { room, changes } = await setRoom(client, name, patch, agreeTo(name, isAgreed));
  if (changes.length === 0) return say(`${room.name}: all of it stood so already`);
  changeLines(changes).forEach((line) => say(`${room.name}: ${line}`));
}

async function deleteRoom(
  client: ManagementClient,
  name: string,
  isAgreed: boolean,
): Promise<void> {
  const plan = await deletion(client, await client.readRoom(name));
  await agree(harmLines([plan]), isAgreed);
  await client.deleteRoom(plan.before.id);
  say(`${plan.name}: deleted; for a day, "restore ${plan.name}" brings it back`);
}

async function revokeAll(client: ManagementClient, name: string, isAgreed: boolean): Promise<void> {
  const { name: room, visiting } = (await client.statusOf(name)).seiriken;
  const harm = `${room}: the visits of all who are in (${visiting} now) end at once; they stand in line again`;
  await agree([harm], isAgreed);
  say(`${room}: ${await client.revokeAll(name)} visits have ended; tickets stay`);
}

async function listDeleted(client: ManagementClient, json: boolean): Promise<void> {
  const rooms = await client.listDeletedRooms();
  if (json) sayJson(rooms, 2);
  else if (rooms.length === 0) say("no room was deleted within a day");
  else deletedTable(rooms).forEach(say);
}

async function status(client: ManagementClient, room: string | null, json: boolean): Promise<void> {
  const names = room === null ? (await client.listRooms()).map(({ id }) => id) : [room];
  const statuses = await Promise.all(names.map((name) => client.statusOf(name)));
  if (json) sayJson(room === null ? statuses : statuses[0], 2);
  else statusTable(statuses).forEach(say);
}

/** Until it is interrupted. A deployment that goes away is waited for. */
async function watch(client: ManagementClient, room: string, json: boolean): Promise<void> {
  const { stdout } = process;
  endBySignal();
  let header: string | null = null;
  let lines = 0;
  const tell = (status: RoomStatusResource): void => {
    if (json) return sayJson(status);
    const wanted = watchHeader(stdout.columns);
    if (wanted !== header || (stdout.isTTY && lines % HEADER_EVERY_LINES === 0)) say(wanted);
    header = wanted;
    lines += 1;
    say(watchRow(status, stdout.columns));
  };
  await watchRoom({
    statusOf: () => client.statusOf(room),
    tell,
    note: (line) => void process.stderr.write(`${plainText(line)}\n`),
    wait: (ms) => sleep(ms),
    now: () => performance.now(),
  });
}

/** Ends the command at a signal at once, with the exit code that shells know for it. */
function endBySignal(): void {
  for (const [signal, exitCode] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => {
      if (process.stdout.isTTY) process.stdout.write("\n");
      process.exit(exitCode);
    });
  }
}
