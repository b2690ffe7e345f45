import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { recordingOrigin } from "../support/origin.ts";
import type { RecordingOrigin } from "../support/origin.ts";
import { roomOver } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const WITHIN = { within: 45_000 };
let data: string;
let origin: RecordingOrigin;
let seiriken: Seiriken;
const started: Command[] = [];
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), "seiriken-watch-"));
  origin = await recordingOrigin();
  seiriken = await startSeiriken({ rooms: [roomOver("shop")], data, origin });
});
afterEach(async () => {
  for (const command of started.splice(0)) await command.end();
  await seiriken.stop();
  await origin.close();
  rmSync(data, { recursive: true, force: true });
});

const watch = (): Command => {
  const token = { ADMIN_TOKEN: seiriken.adminToken };
  const command = new Command(
    "cli/rooms.ts",
    ["status", "shop", "--watch", "--server", seiriken.url],
    token,
  );
  started.push(command);
  return command;
};
const rows = (command: Command): string[] =>
  command.lines.filter((line) => /^\d\d:\d\d:\d\d {2}open/.test(line));

test("[CLI-9] a watch outlives its server, says so, and goes on when it is back", async () => {
  const command = watch();
  await eventually(() => rows(command).length > 0, WITHIN);
  const { port } = seiriken;
  await seiriken.stop();
  await eventually(
    () => /does not answer.*; trying again in 2 seconds/.test(command.stderr),
    WITHIN,
  );
  expect(command.child.exitCode).toBeNull();
  const before = rows(command).length;
  seiriken = await startSeiriken({ rooms: [roomOver("shop")], data, origin, port });
  await eventually(() => rows(command).length > before, WITHIN);
  expect(command.stderr).toMatch(/it answers again, after \d+ seconds?\n$/);
  expect(command.lines.every((line) => /^(\d\d:\d\d:\d\d|UTC) /.test(line))).toBe(true);
});

test.each([
  ["SIGINT", 130],
  ["SIGTERM", 143],
] as const)("[CLI-9] %s ends a watch with %i and nothing else", async (signal, code) => {
  const command = watch();
  await eventually(() => rows(command).length > 0, WITHIN);
  command.signal(signal);
  expect(await command.ended()).toBe(code);
  expect(command.stderr).toBe("");
});
