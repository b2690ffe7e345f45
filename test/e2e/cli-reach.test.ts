import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";

let directory: string;
let origin: string;
const ends: (() => unknown)[] = [];

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-reach-"));
  const site = createServer((request, response) => {
    response.statusCode = request.url === "/tickets" || request.url === "/" ? 200 : 404;
    response.end("the site");
  }).listen(0, "127.0.0.1");
  await once(site, "listening");
  ends.push(() => site.close());
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
  rmSync(directory, { recursive: true, force: true });
});

const start = (rooms: unknown, { json = true, env = {} } = {}) => {
  const file = join(directory, "rooms.json");
  writeFileSync(file, typeof rooms === "string" ? rooms : JSON.stringify(rooms, null, 2));
  const flags = ["--port", "0", "--data", join(directory, "data"), "--origin", origin];
  const all = [...flags, "--rooms", file, ...(json ? ["--json"] : [])];
  const command = new Command("cli/serve.ts", all, env);
  ends.push(() => command.end());
  return command;
};

const room = { name: "shop", total_active_users: 5, new_users_per_minute: 60, path: "/tickets" };
const elsewhere = { ...room, host: "shop.example" };

const warningsOf = (command: Command): string =>
  command.events.flatMap(({ event, message }) => (event === "warning" ? [message] : [])).join("\n");

test("[RUN-15] a room of another host: the warning's two ways out work as they are written", async () => {
  const first = start([elsewhere]);
  const { url } = await first.event("ready");
  expect((await ask(`${url}/tickets`)).status).toBe(421);
  const told = warningsOf(first);

  const [, host = "", target = ""] = /curl -H "Host: (\S+)" (\S+)/.exec(told) ?? [];
  const named = await ask(target, { headers: { host } });
  expect(named.headers["seiriken-status"]).toBe("admitted; room=shop");
  await first.end();

  const [, path = "", line = "", wanted = "", old = ""] =
    /here, (\S+) line (\d+): (".+") in place of (".+")/.exec(told) ?? [];
  const lines = readFileSync(path, "utf8").split("\n");
  lines[Number(line) - 1] = lines[Number(line) - 1]?.replace(old, wanted) ?? "";
  const second = start(lines.join("\n"));
  const mended = await second.event("ready");
  expect(warningsOf(second)).toBe("");
  const here = await ask(`${mended["url"]}/tickets`);
  expect(here.headers["seiriken-status"]).toBe("admitted; room=shop");
});

test("[RUN-21] no room at all, a path that the origin has not, a port that is not ours", async () => {
  const none = start([]);
  await none.event("ready");
  expect(warningsOf(none)).toContain("nothing is protected");
  await none.end();
  const stray = start([{ ...room, host: `localhost:${new URL(origin).port}`, path: "/ticket" }]);
  await stray.event("ready");
  expect(warningsOf(stray)).toContain("the origin has nothing at /ticket (404)");
  expect(warningsOf(stray)).toMatch(/rooms\.json line \d+: the port of "host": "localhost:/);
  const steps = stray.events.map(({ message }) => message);
  expect(steps).toContainEqual(
    expect.stringMatching(/^room shop guards http:\/\/127\.0\.0\.1:\d+\/ticket$/),
  );
});

// oxlint-disable-next-line no-control-regex
const RED = /\u001b\[31mwarning: no room guards [\s\S]*\u001b\[39m/;

test("[RUN-22] warnings and failures are red where there are colours, and only there", async () => {
  const saidWith = async (env: Record<string, string>): Promise<string> => {
    const command = start([elsewhere], { json: false, env });
    await eventually(() => command.lines.some((line) => line.startsWith("ready ")));
    await command.end();
    return command.stderr;
  };
  expect(await saidWith({ FORCE_COLOR: "1", NO_COLOR: "" })).toMatch(RED);
  const plain = await saidWith({ NO_COLOR: "1", FORCE_COLOR: "0" });
  expect(plain).toContain("warning: no room guards ");
  expect(plain).not.toContain("\u001b");
});
