import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { PROGRAM, takeNumber } from "../support/journey.ts";
import { roomOver, visitorInside } from "../support/rooms.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";
import { CTRL_C, Terminal } from "../support/terminal.ts";

let directory: string;
let seiriken: Seiriken;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-cli-rooms-"));
  seiriken = await startSeiriken();
});
afterAll(async () => {
  await seiriken.stop();
  rmSync(directory, { recursive: true, force: true });
});

const env = () => ({
  SEIRIKEN_SERVER: seiriken.url,
  ADMIN_TOKEN: seiriken.adminToken,
});

const rooms = async (args: readonly string[], more: Readonly<Record<string, string>> = {}) => {
  const command = new Command("cli/rooms.ts", args, { ...env(), ...more });
  const code = await command.ended();
  return { code, out: command.lines.join("\n"), err: command.stderr };
};

/** A file of its own for each test. */
const fileOf = (name: string, content: unknown): string => {
  const path = join(directory, `${name}.json`);
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  return path;
};

const settingsOf = async (room: string) =>
  (await seiriken.manage("GET", `/waiting_rooms/${room}`)).json().result;

/** One is in, one waits. */
const busy = async (name: string) => {
  const room = roomOver(name, { total_active_users: 1 });
  await seiriken.manage("POST", "/waiting_rooms", room);
  await visitorInside(seiriken, name);
  const waiting = seiriken.visitor({ room: name });
  const number = await takeNumber(waiting);
  return { room, waiting, number };
};

test("[ASK-1] [ASK-4] [CLI-5] a dry run shows, apply does, and a second apply changes nothing", async () => {
  const path = fileOf("twice", [roomOver("twice")]);
  const dry = await rooms(["apply", path, "--dry-run", "--exit-code"]);
  expect(dry).toMatchObject({ code: 3, err: "" });
  expect(dry.out).toContain("+ twice");
  expect((await rooms(["apply", path, "--dry-run"])).code).toBe(0);
  expect((await rooms(["list"])).out).not.toContain("twice");
  expect(await rooms(["apply", path])).toMatchObject({ code: 0, err: "" });
  expect((await rooms(["apply", path])).out).toBe("unchanged  twice");
  const again = await rooms(["apply", path, "--dry-run", "--exit-code"]);
  expect(again).toMatchObject({ code: 0, out: "0 of 1 rooms would change; nothing was changed" });
});

test("[ASK-2] [ASK-3] without a terminal nothing is done that hurts, and --yes does it", async () => {
  const { room } = await busy("piped");
  const path = fileOf("piped", [{ ...room, path: "/elsewhere", total_active_users: 5 }]);
  const before = await settingsOf("piped");
  const refused = await rooms(["apply", path]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("piped: path changes under people who are there (1 wait");
  expect(refused.err).toContain("total_active_users rises from 1 to 5");
  expect(refused.err).toContain("--yes");
  expect(await settingsOf("piped")).toEqual(before);
  expect((await rooms(["apply", path, "--yes"])).out).toContain("updated    piped");
  expect(await settingsOf("piped")).toMatchObject({ path: "/elsewhere", total_active_users: 5 });
});

test.each([
  ["no\n", 1],
  [CTRL_C, 130],
  ["\u0004", 1],
])("[ASK-3] on a terminal the keys %j change nothing, exit code %i", async (keys, code) => {
  const name = `asked-${code}-${keys.length}${keys.charCodeAt(0)}`;
  await seiriken.manage("POST", "/waiting_rooms", roomOver(name, { total_active_users: 1 }));
  const path = fileOf(name, [roomOver(name, { total_active_users: 5 })]);
  const terminal = new Terminal("cli/rooms.ts", ["apply", path], env());
  await terminal.shows("Do it?");
  terminal.type(keys);
  expect(await terminal.ended()).toBe(code);
  expect(terminal.screen).toContain("nothing was changed");
  expect((await settingsOf(name)).total_active_users).toBe(1);
});

test("[ASK-3] what is piped in is no answer", async () => {
  await seiriken.manage("POST", "/waiting_rooms", roomOver("answered", { total_active_users: 1 }));
  const path = fileOf("answered", [roomOver("answered", { total_active_users: 5 })]);
  const node = join(PROJECT_ROOT, "node_modules/.bin/node");
  const args = [join(PROJECT_ROOT, "cli/rooms.ts"), "apply", path];
  for (const input of ["yes\n", "no\n", ""]) {
    const ran = spawn(node, args, { env: { ...process.env, ...env() }, stdio: "pipe" });
    let said = "";
    ran.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
    // It may have ended before it is told anything.
    ran.stdin.on("error", () => undefined);
    ran.stdin.end(input);
    const [code] = await once(ran, "close");
    expect([code, said.includes("nobody can be asked here")]).toEqual([1, true]);
  }
  expect((await settingsOf("answered")).total_active_users).toBe(1);
});

test("[ASK-3] on a terminal yes does it", async () => {
  await seiriken.manage("POST", "/waiting_rooms", roomOver("agreed", { total_active_users: 1 }));
  const path = fileOf("agreed", [roomOver("agreed", { total_active_users: 5 })]);
  const terminal = new Terminal("cli/rooms.ts", ["apply", path], env());
  await terminal.shows("Do it?");
  terminal.type("yes\n");
  expect(await terminal.ended()).toBe(0);
  expect(terminal.screen).toContain("updated    agreed");
  expect((await settingsOf("agreed")).total_active_users).toBe(5);
});

test("[CLI-6] [ASK-2] what pause, close and message switched stays, unless the file names it", async () => {
  const name = "switched";
  await seiriken.manage("POST", "/waiting_rooms", roomOver(name));
  for (const words of [
    ["pause", name],
    ["close", name, "Sold out"],
    ["message", name, "Thank you"],
  ])
    expect((await rooms(words)).code).toBe(0);
  const path = fileOf(name, [roomOver(name, { session_duration: 7 })]);
  expect(await rooms(["apply", path])).toMatchObject({ code: 0, err: "" });
  const switched = { queue_all: true, seiriken: { closed: "Sold out", message: "Thank you" } };
  expect(await settingsOf(name)).toMatchObject({ session_duration: 7, ...switched });
  const naming = fileOf(name, [roomOver(name, { session_duration: 7, queue_all: false })]);
  const refused = await rooms(["apply", naming]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.err).toContain("the file sets queue_all to false; the running room has true");
  expect(await settingsOf(name)).toMatchObject(switched);
});

test("[SETTING-1] [SETTING-2] [SETTING-3] set changes what it names, or says all that is wrong", async () => {
  const name = "typed";
  await seiriken.manage("POST", "/waiting_rooms", roomOver(name, { total_active_users: 20 }));
  const words = ["total_active_users=50", "new_users_per_minute=100", "seiriken.message=Hello"];
  const done = await rooms(["set", name, ...words]);
  expect(done).toMatchObject({ code: 0, err: "" });
  expect(done.out.split("\n")).toEqual([
    "typed: total_active_users    20 → 50",
    "typed: new_users_per_minute  100000 → 100",
    'typed: seiriken.message      none → "Hello"',
  ]);
  expect(await settingsOf(name)).toMatchObject({
    total_active_users: 50,
    new_users_per_minute: 100,
    seiriken: { message: "Hello" },
  });
  const wrong = await rooms(["set", name, "total_active_user=5", "queue_all=maybe"]);
  expect(wrong).toMatchObject({ code: 2, out: "" });
  expect(wrong.err).toContain("did you mean total_active_users?");
  expect(wrong.err).toContain("queue_all must be true or false");
  expect((await rooms(["set", name, "seiriken.message=null"])).code).toBe(0);
  expect((await settingsOf(name)).seiriken.message).toBeNull();
});

test("[ASK-5] set, suspend and delete ask where it hurts", async () => {
  await busy("crowded");
  for (const words of [
    ["set", "crowded", "total_active_users=5"],
    ["suspend", "crowded"],
    ["delete", "crowded"],
  ]) {
    const refused = await rooms(words);
    expect(refused, words.join(" ")).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toContain("nothing was changed");
  }
  expect(await settingsOf("crowded")).toMatchObject({ total_active_users: 1, suspended: false });
  expect((await rooms(["suspend", "crowded", "--yes"])).code).toBe(0);
});

test("[RESTORE-2] [RESTORE-3] [RESTORE-4] a deleted room comes back with its id, and who waited has the number", async () => {
  const { waiting, number } = await busy("regretted");
  const { id } = await settingsOf("regretted");
  const socket = await waiting.socket();
  await socket.opened;
  expect((await rooms(["delete", "regretted", "--yes"])).code).toBe(0);
  expect(await socket.closed).toEqual({ code: 4410, reason: "room-closed" });
  expect((await rooms(["list"])).out).not.toContain("regretted");
  expect((await rooms(["list", "--deleted"])).out).toContain(id);
  // Nothing guards the path any more.
  await eventually(async () => {
    const answer = await waiting.ask("/regretted", { headers: PROGRAM });
    expect(answer.headers["seiriken-status"]).toMatch(/^unprotected/);
  });
  const restored = await rooms(["restore", "regretted"]);
  expect(restored).toMatchObject({ code: 0, err: "" });
  expect((await settingsOf("regretted")).id).toBe(id);
  await eventually(async () => expect(await takeNumber(waiting)).toBe(number));
  const newcomer = seiriken.visitor({ room: "regretted" });
  expect(await takeNumber(newcomer)).toBeGreaterThan(number);
  expect((await rooms(["list", "--deleted"])).out).not.toContain(id);
  const again = await rooms(["restore", "regretted"]);
  expect(again.code).toBe(1);
  expect(again.err).toContain("list --deleted");
});

test("[RESTORE-4] a name that is taken by now is in the way", async () => {
  const room = roomOver("namesake");
  await seiriken.manage("POST", "/waiting_rooms", room);
  await rooms(["delete", "namesake", "--yes"]);
  await seiriken.manage("POST", "/waiting_rooms", room);
  const refused = await rooms(["restore", "namesake"]);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain("Another room is named namesake.");
});

test("[CLI-2] [CLI-8] what newcomers mistype is answered with what to do", async () => {
  const bad = fileOf("comma", '[\n  {"name": "shop", "host": "*",}\n]');
  for (const [words, more, code, wanted] of [
    [["apply", bad], {}, 1, "line 2, column 32"],
    [["apply", join(directory, "none.json")], {}, 1, "none.json can't be read"],
    [["apply", bad, "--exit-code"], {}, 2, "--dry-run"],
    [["apply"], {}, 2, "apply FILE"],
    [["aply", bad], {}, 2, "did you mean apply?"],
    [["set", "nobody", "queue_all=true"], {}, 1, "There is no room nobody."],
    [["delete", "nobody"], {}, 1, "There is no room nobody."],
    [["restore", "nobody"], {}, 1, "list --deleted"],
    [["delete", "a", "--prune"], {}, 2, "--prune means nothing"],
    [["list", "--deleted"], { ADMIN_TOKEN: "a-wrong-token-of-24-chars" }, 1, "token"],
    [["apply", "-"], { SEIRIKEN_SERVER: "http://127.0.0.1:1" }, 1, "is not JSON"],
    [["list"], { SEIRIKEN_SERVER: "http://127.0.0.1:9" }, 1, "is it running?"],
  ] as const) {
    const answer = await rooms(words, more);
    expect(answer.err, words.join(" ")).toContain(wanted);
    expect(answer.code, words.join(" ")).toBe(code);
  }
});

test("[CLI-17] [CLI-18] [CLI-19] a sale is planned by commands and by a file, and what is on is asked about", async () => {
  const name = "planned";
  const room = { ...roomOver(name), events: [], rules: [] };
  expect((await rooms(["apply", fileOf("planned", [room])])).code).toBe(0);
  const minutes = (count: number) => new Date(Date.now() + count * 60_000).toISOString();
  const times = [`prequeue=${minutes(-1)}`, `start=${minutes(10)}`, `end=${minutes(20)}`];
  const made = await rooms(["events", name, "add", "tonight", ...times, "shuffle=true"]);
  expect([made.code, made.out]).toEqual([0, `${name}: the event tonight is made`]);
  expect((await rooms(["events", name])).out).toMatch(/^tonight +prequeue .* by drand /m);
  expect(
    (await seiriken.manage("GET", `/waiting_rooms/${name}/status`)).json().result,
  ).toMatchObject({
    status: "event_prequeueing",
  });
  const wrong = await rooms([
    "events",
    name,
    "add",
    "tonight",
    "start=2026-11-28T20:00:00Z",
    "end=2026-11-28T20:00:00Z",
  ]);
  expect(wrong.code).toBe(1);
  expect(wrong.err).toMatch(/the event was refused[^]*name is the name[^]*at least one minute/);
  expect((await rooms(["rules", name, "add", "ssl", "description=all"])).out).toMatch(
    /1 +on +ssl +all/,
  );
  const file = fileOf("planned-2", [{ ...room, events: [], rules: [] }]);
  const dry = await rooms(["apply", file, "--dry-run"]);
  expect(dry.out).toContain("rules  - ");
  const asked = await rooms(["events", name, "remove", "tonight"]);
  expect([asked.code, asked.err]).toEqual([1, expect.stringContaining("is on (prequeue)")]);
  expect((await rooms(["events", name, "remove", "tonight", "--yes"])).code).toBe(0);
  expect((await rooms(["events", name])).out).toBe(`${name} has no events`);
}, 30_000);
