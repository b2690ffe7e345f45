import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ManagementClient } from "../../cli/api-client.ts";
import { LockRulesClient } from "../../cli/lock-rules-client.ts";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";
import { Command } from "../support/command.ts";
import { blocksOf, PAGES } from "../support/docs.ts";
import { ask } from "../support/http.ts";
import { recordingOrigin } from "../support/origin.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

let seiriken: Seiriken;
let directory: string;
beforeAll(async () => {
  seiriken = await startSeiriken();
  directory = mkdtempSync(join(tmpdir(), "seiriken-docs-"));
});
afterAll(async () => {
  await seiriken.stop();
  rmSync(directory, { recursive: true, force: true });
});

type Json = Readonly<Record<string, unknown>>;

const examples = PAGES.flatMap(blocksOf).filter(({ info }) => /^json\b/.test(info));
const entriesOf = (text: string): readonly Json[] => [JSON.parse(text)].flat() as Json[];
const isRoom = (json: Json) => "total_active_users" in json;
/** A line of the log, over several for its readers. */
const isLog = (json: Json) => "event" in json && "level" in json;
const isRule = (json: Json) => "key" in json && "name" in json;

test("[DOCS-1] every JSON block of the pages is rooms, lock rules, or a line of the log", () => {
  const others = examples.filter(
    ({ text }) => !entriesOf(text).every((entry) => isRoom(entry) || isRule(entry) || isLog(entry)),
  );
  expect(others.map(({ at }) => at)).toEqual([]);
  expect(examples.length).toBeGreaterThanOrEqual(5);
});

const command = (name: string, ...args: string[]) => {
  const env = {
    ...process.env,
    SEIRIKEN_SERVER: seiriken.url,
    ADMIN_TOKEN: seiriken.adminToken,
  };
  const node = join(PROJECT_ROOT, "node_modules/.bin/node");
  return spawnSync(node, [join(PROJECT_ROOT, `cli/${name}.ts`), ...args], {
    env,
    encoding: "utf8",
  });
};

const applied = examples.filter(({ text }) => !entriesOf(text).some(isLog));
const logged = examples.filter(({ text }) => entriesOf(text).some(isLog));

test.each(logged.map((example) => [example.at, example] as const))(
  "[DOCS-1] %s is a line that the log has",
  async (_at, { text }) => {
    const [shown] = entriesOf(text);
    const name = "logged";
    const room = { name, host: name, total_active_users: 50, new_users_per_minute: 60 };
    await seiriken.manage("POST", "/waiting_rooms", room);
    await seiriken.manage("PATCH", `/waiting_rooms/${name}`, { total_active_users: 500 });
    const lines = seiriken.events.flatMap((event) =>
      event.event === "log" && event.message.startsWith("{")
        ? [JSON.parse(event.message) as Json]
        : [],
    );
    const alike = lines.find(
      (line) => line["event"] === shown?.["event"] && line["action"] === shown?.["action"],
    );
    expect(Object.keys(alike ?? {})).toEqual(Object.keys(shown ?? {}));
  },
);

test.each(applied.map((example) => [example.at, example] as const))(
  "[DOCS-1] %s is taken by a running server, as it stands",
  async (_at, { text }) => {
    const entries = entriesOf(text);
    const file = join(directory, "example.json");
    writeFileSync(file, JSON.stringify(entries));
    const deployment = { server: seiriken.url, token: seiriken.adminToken };
    const rules = entries.every((entry) => !isRoom(entry));
    const client = new ManagementClient(deployment);
    if (!rules) for (const { id } of await client.listRooms()) await client.deleteRoom(id);
    const ran = command(rules ? "locks" : "rooms", "apply", file);
    expect(ran.stderr).toBe("");
    expect(ran.status).toBe(0);
    const there = rules ? await new LockRulesClient(deployment).list() : await client.listRooms();
    for (const { events, rules: bypass, ...entry } of entries) {
      const name = String(entry["name"]);
      expect(there.find((one) => one.name === name)).toMatchObject(entry);
      if (events !== undefined)
        expect(await client.listEvents(name)).toMatchObject(events as object);
      if (bypass !== undefined)
        expect(await client.listRules(name)).toMatchObject(bypass as object);
    }
  },
);

/** Lines of a block that are commands, without what is said beside them. */
const commandsIn = (text: string): string[] =>
  text.split("\n").map((line) => line.replace(/\s+# .*$/, ""));

const readme = () => blocksOf("README.md");

test("[DOCS-2] the README's own-site example protects one machine as it is written, and can be operated", async () => {
  const origin = await recordingOrigin();
  const rooms = readme().find(({ info }) => info === "json rooms.json");
  const start = readme().flatMap(({ text }) =>
    commandsIn(text).filter((line) => line.startsWith("npm start -- --origin")),
  );
  expect(start).toEqual(["npm start -- --origin http://localhost:3000 --rooms rooms.json"]);
  writeFileSync(join(directory, "rooms.json"), rooms?.text ?? "");
  const site = origin.url.replace("127.0.0.1", "localhost");
  const flags = start[0]?.replace("http://localhost:3000", site).split(" ").slice(3) ?? [];
  const args = flags.map((flag) => (flag === "rooms.json" ? join(directory, flag) : flag));
  const token = "a-token-of-the-readme";
  const more = ["--port", "0", "--data", mkdtempSync(join(directory, "data-")), "--json"];
  const launched = new Command("cli/start.ts", [...args, ...more], { ADMIN_TOKEN: token });
  try {
    const { url } = await launched.event("ready");
    expect(launched.events.filter(({ event }) => event === "warning")).toEqual([]);
    const [, path = "", said = ""] =
      /curl -i http:\/\/127\.0\.0\.1:8787(\S+)\s+# Seiriken-Status: (.+)/.exec(
        readme()
          .map(({ text }) => text)
          .join("\n"),
      ) ?? [];
    const answer = await ask(url + path, { headers: { accept: "*/*" } });
    expect(answer.status).toBe(200);
    expect(answer.headers["seiriken-status"]).toBe(said);

    const operated = readme().find(({ text }) => text.startsWith("npm run rooms -- status"));
    const lines = commandsIn(operated?.text ?? "");
    expect(lines.length).toBeGreaterThanOrEqual(5);
    const env = {
      ...process.env,
      SEIRIKEN_SERVER: url as string,
      ADMIN_TOKEN: token,
    };
    const client = new ManagementClient({ server: url, token });
    for (const line of lines) {
      if (line.includes("-- restore shop")) await client.deleteRoom("shop");
      // nobody is here to be shown a change, or to watch
      const once = line
        .replace(" --watch", "")
        .replace(" rooms.json", ` ${join(directory, "rooms.json")} --yes`);
      const ran = spawnSync("sh", ["-c", once], { cwd: PROJECT_ROOT, env, encoding: "utf8" });
      expect([once, ran.status, ran.stderr]).toEqual([once, 0, expect.any(String)]);
    }
  } finally {
    await launched.end();
    await origin.close();
  }
}, 120_000);
