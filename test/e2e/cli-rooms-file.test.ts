import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { ask } from "../support/http.ts";
import { PROGRAM } from "../support/journey.ts";
import { recordingOrigin } from "../support/origin.ts";
import { roomOver } from "../support/rooms.ts";

const ADMIN = "token-of-the-operator";

let directory: string;
const ends: (() => Promise<void>)[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-rooms-file-"));
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  rmSync(directory, { recursive: true, force: true });
});

/** One start on this test's data, ready; without `rooms` without a file. */
const start = async (script: string, rooms: unknown, ...more: string[]) => {
  const file = join(directory, "rooms.json");
  if (rooms !== null) writeFileSync(file, JSON.stringify(rooms));
  const flags = ["--port", "0", "--data", join(directory, "data"), "--json"];
  const args = [...flags, ...(rooms === null ? [] : ["--rooms", file]), ...more];
  const command = new Command(script, args, { ADMIN_TOKEN: ADMIN });
  ends.push(() => command.end());
  const { url } = await command.event("ready", { within: 60_000 });
  const saidOf = (kind: string): string =>
    command.events.flatMap(({ event, message }) => (event === kind ? [message] : [])).join("\n");
  return { url: url as string, stop: () => command.end(), saidOf };
};

/** `npm run rooms` against it. */
const rooms = async (url: string, ...args: string[]) => {
  const env = { SEIRIKEN_SERVER: url, ADMIN_TOKEN: ADMIN };
  const command = new Command("cli/rooms.ts", args, env);
  const code = await command.ended();
  return { code, out: command.lines.join("\n"), err: command.stderr };
};

const statusOf = async (url: string, path: string): Promise<unknown> =>
  (await ask(url + path, { headers: PROGRAM })).headers["seiriken-status"];

describe.each(["cli/start.ts", "cli/serve.ts"])("%s", (script) => {
  test("[FILE-1] [FILE-2] [FILE-3] [FILE-5] restarts follow the file, and undo nobody's change", async () => {
    const first = await start(script, [roomOver("sale"), roomOver("gone"), roomOver("quiet")]);
    expect((await rooms(first.url, "set", "sale", "total_active_users=7")).code).toBe(0);
    expect((await rooms(first.url, "pause", "sale")).code).toBe(0);
    expect((await rooms(first.url, "delete", "gone", "--yes")).code).toBe(0);
    await first.stop();

    const edited = [
      roomOver("sale", { session_duration: 9 }),
      roomOver("gone"),
      roomOver("quiet", { session_duration: 9 }),
    ];
    const second = await start(script, edited);
    expect(second.saidOf("step")).toContain("room quiet updated");
    const told = second.saidOf("warning");
    expect(told).toMatch(/room sale: total_active_users +7 → 1000/);
    expect(told).toMatch(/room sale: session_duration +5 → 9/);
    expect(told).toContain("room gone: deleted since");
    expect(told).toContain("--apply-rooms");
    expect(told).not.toContain("queue_all");
    expect((await rooms(second.url, "list")).out).not.toContain("gone");
    await second.stop();

    const third = await start(script, edited, "--apply-rooms");
    expect(third.saidOf("warning")).not.toContain("--apply-rooms");
    const now = JSON.parse((await rooms(third.url, "list", "--json")).out);
    expect(now).toMatchObject([
      { name: "sale", total_active_users: 1_000, session_duration: 9, queue_all: true },
      { name: "quiet", session_duration: 9 },
      { name: "gone" },
    ]);
  });
});

test("[FILE-6] after the demo one's own rooms are there, and the demo's is not", async () => {
  const demo = await start("cli/start.ts", null);
  expect(await statusOf(demo.url, "/tickets")).toContain("room=shop");
  await demo.stop();
  const own = await start("cli/start.ts", [roomOver("mine", { path: "/tickets" })]);
  expect(own.saidOf("step")).toContain("room shop deleted: it was the demo's");
  expect(await statusOf(own.url, "/tickets")).toContain("room=mine");
});

test("[FILE-2] [ORIGIN-20] an origin that a command named keeps its host once the file names it too", async () => {
  const origin = await recordingOrigin();
  ends.push(() => origin.close());
  const first = await start("cli/serve.ts", [roomOver("kept")]);
  const named = await rooms(
    first.url,
    "set",
    "kept",
    `seiriken.origin=${origin.url}`,
    "seiriken.keep_host=true",
  );
  expect(named.code).toBe(0);
  expect(named.err).toContain("keep_host changes nothing for this origin");
  await first.stop();

  const seiriken = { origin: origin.url, keep_host: true };
  const second = await start("cli/serve.ts", [roomOver("kept", { seiriken })]);
  expect(second.saidOf("warning")).not.toContain("--apply-rooms");
  origin.reset();
  expect(await statusOf(second.url, "/kept")).toContain("admitted");
  expect(origin.requests.map(({ headers }) => headers.host)).toEqual([new URL(second.url).host]);
});
