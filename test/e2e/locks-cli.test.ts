import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Locks } from "../../src/client/locks.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { recordingOrigin, type RecordingOrigin } from "../support/origin.ts";

const ADMIN = "token-of-the-operator";
const TOKEN = "token-of-the-app-servers";

let directory: string;
let origin: RecordingOrigin;
const commands: Command[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-locks-"));
  origin = await recordingOrigin();
});
afterEach(async () => {
  await Promise.all(commands.splice(0).map((command) => command.end()));
  await origin.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = (name: string, rules: readonly object[]): string => {
  const path = join(directory, name);
  writeFileSync(path, JSON.stringify(rules));
  return path;
};

const rule = (name: string, more: object = {}) => ({
  name,
  path: `/${name}`,
  key: { from: "header", name: "X-Key" },
  ...more,
});

const start = async (...args: string[]): Promise<string> => {
  const command = new Command("cli/start.ts", [
    ...["--port", "0", "--data", join(directory, "data"), "--json", "--origin", origin.url],
    ...["--admin-token", ADMIN, "--lock-token", TOKEN, ...args],
  ]);
  commands.push(command);
  return (await command.event("ready"))["url"] as string;
};

/** `npm run locks`, to its end. */
const locks = async (url: string, token: string, ...args: string[]) => {
  const command = new Command("cli/locks.ts", [...args, "--server", url, "--token", token]);
  commands.push(command);
  const code = await command.ended();
  return { code, lines: command.lines, stderr: command.stderr };
};

/** The statuses of two at once. */
const twoAtOnce = async (url: string, path: string): Promise<number[]> => {
  const post = () => ask(url + path, { method: "POST", headers: { "x-key": "17" } });
  const first = post();
  await eventually(() => origin.running === 1);
  const second = post();
  return (await Promise.all([first, second])).map(({ status }) => status);
};

test("[RULE-29] npm start --locks, and npm run locks on what runs", async () => {
  origin.handle(async (_, response) => {
    await sleep(500);
    response.writeHead(201).end();
  });
  const url = await start("--locks", file("locks.json", [rule("orders"), rule("carts")]));
  expect(await twoAtOnce(url, "/orders")).toEqual([201, 409]);
  expect(await twoAtOnce(url, "/other")).toEqual([201, 201]);
  const changed = file("other.json", [rule("orders", { conflict_status: 423 }), rule("other")]);
  const applied = await locks(url, ADMIN, "apply", changed, "--prune");
  expect(applied.code).toBe(0);
  expect(applied.lines.map((line) => line.split(/ +/))).toEqual([
    ["deleted", "carts"],
    ["updated", "orders"],
    ["created", "other"],
  ]);
  // Rules are in force everywhere within 5 s.
  await eventually(async () => expect(await twoAtOnce(url, "/other")).toEqual([201, 409]));
  expect(await twoAtOnce(url, "/orders")).toEqual([201, 423]);
  expect(await twoAtOnce(url, "/carts")).toEqual([201, 201]);
  expect((await locks(url, ADMIN, "delete", "other")).code).toBe(0);
  const listed = await locks(url, ADMIN, "list");
  expect(listed.lines).toHaveLength(1);
  expect(listed.lines[0]).toMatch(/^orders +\S+ \*\/orders +by header X-Key, 423 at once$/);
});

test("[RULE-30] npm run locks shows holders and waiters, and says what is wrong", async () => {
  const url = await start();
  const client = new Locks({ server: url, token: TOKEN });
  const held = await client.acquire("orders", "order-17");
  const waits = client.acquire("orders", "order-17", { waitSeconds: 20 });
  await eventually(async () => {
    const { lines } = await locks(url, TOKEN, "holders", "orders");
    expect(lines.join("\n")).toMatch(
      /^order-17 +fence \d+ +held by socket for \d+ s, 1 waiting for \d+ s\n1 held or waited for, 1 waiting$/,
    );
  });
  await held.release();
  await (await waits).release();
  expect((await locks(url, "wrong", "list")).code).not.toBe(0);
  const broken = file("broken.json", [rule("a", { methods: ["GET"] }), rule("b", { leas: 1 })]);
  const refused = await locks(url, ADMIN, "apply", broken);
  expect(refused.code).not.toBe(0);
  expect(refused.stderr).toMatch(/\[0\]\.methods[^]*\[1\]\.leas/);
  expect((await locks(url, ADMIN, "list")).lines).toEqual(["no rules"]);
});
