import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { readFlags } from "../../cli/launch/flags.ts";
import { readSettings, settingSpecs } from "../../cli/launch/settings.ts";
import { isAlive } from "../../cli/launch/processes.ts";
import { PROJECT_ROOT, readWorkerConfig } from "../../cli/launch/worker-config.ts";
import { workerdConfig } from "../../cli/launch/workerd-config.ts";
import { Command } from "../support/command.ts";
import { reservePort } from "../../cli/launch/ports.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";
import { Visitor } from "../support/visitor.ts";

const ADMIN = "token-of-the-operator";
/** Where only the configuration beside them is looked at. */
const SCRIPTS = { worker: "", objects: "" };
const ROOMS = "/.seiriken/client/v4/zones/local/waiting_rooms";

let directory: string;
const commands: Command[] = [];

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "seiriken-cli-"));
});
afterEach(async () => {
  await Promise.all(commands.splice(0).map((command) => command.end()));
  rmSync(directory, { recursive: true, force: true });
});

const run = (script: string, args: readonly string[], env: Record<string, string> = {}) => {
  const command = new Command(script, args, env);
  commands.push(command);
  return command;
};

/** On a free port, with its state in this test's directory. */
const start = (script: string, ...args: string[]) =>
  run(script, ["--port", "0", "--data", join(directory, "data"), "--json", ...args]);

const file = (name: string, content: string): string => {
  const path = join(directory, name);
  writeFileSync(path, content);
  return path;
};

/** The launcher's own children that are workerd. */
const workerdOf = (launcher: Command): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const parent = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1];
        const isOurs = Number(parent) === launcher.child.pid;
        return isOurs && readFileSync(`/proc/${name}/cmdline`, "utf8").includes("workerd");
      } catch {
        return false;
      }
    })
    .map(Number);

const roomNames = async (url: string): Promise<string[]> => {
  const listed = await ask(url + ROOMS, { headers: { authorization: `Bearer ${ADMIN}` } });
  return listed.json().result.map((room: { name: string }) => room.name);
};

describe.each(["cli/start.ts", "cli/serve.ts"])("%s", (script) => {
  test("[RUN-1] [RUN-2] [RUN-11] [RUN-7] [RUN-27] a newcomer gets the shop behind a room, and out again", async () => {
    const command = start(script);
    const { url } = await command.event("ready");
    const home = await ask(`${url}/`);
    expect(home.status).toBe(200);
    expect(home.text).toContain("Night Train");
    const visitor = new Visitor(url);
    const tickets = await visitor.get("/tickets");
    expect(tickets.headers["seiriken-status"]).toMatch(/^admitted/);
    expect(tickets.text).toMatch(/<dt>Visit<\/dt><dd>\d+<\/dd>/);
    const hints = command.events.filter(({ event }) => event === "hint");
    expect(hints.map(({ message }) => message).join("\n")).toContain(`${url}/.seiriken/dashboard`);
    expect((await ask(`${url}/.seiriken/dashboard`)).text).toContain("<title>");

    const workerd = workerdOf(command);
    expect(workerd).not.toHaveLength(0);
    const socket = await openLive(visitor);
    command.signal("SIGTERM");
    const stoppedAtMs = performance.now();
    expect(await command.ended()).toBe(0);
    expect(performance.now() - stoppedAtMs).toBeLessThan(5_000);
    await eventually(() => !workerd.some(isAlive));
    socket.close();
  });

  test("[RUN-8] [RUN-10] [RUN-12] [RUN-31] rooms and numbers outlive workerd and the launcher", async () => {
    const rooms = file("rooms.json", JSON.stringify([oneSeat]));
    const first = start(script, "--rooms", rooms, "--admin-token", ADMIN);
    const { url } = await first.event("ready");
    await new Visitor(url).get("/tickets");
    const waiting = new Visitor(url);
    await waiting.get("/tickets");
    const { number } = (await waiting.take()).json();

    for (const pid of workerdOf(first)) {
      expect(readFileSync(`/proc/${pid}/cmdline`, "utf8")).not.toContain(ADMIN);
      expect(readFileSync(`/proc/${pid}/environ`, "utf8")).toContain("glibc.pthread.rseq=0");
    }
    workerdOf(first).forEach((pid) => process.kill(pid, "SIGKILL"));
    await first.event("restarted");
    const back = await eventually(() => waiting.where());
    expect(back.json().number).toBe(number);
    first.signal("SIGINT");
    expect(await first.ended()).toBe(0);

    const second = start(script, "--port", new URL(url).port, "--admin-token", ADMIN);
    await second.event("ready");
    expect(await roomNames(url)).toContain("shop");
    expect((await waiting.take()).json().number).toBe(number);
    expect(secretsOnDisk(join(directory, "data"))).toEqual([]);
  });

  test("[RUN-3] a taken port is said at once", async () => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    const port = String((squatter.address() as AddressInfo).port);
    const command = start(script, "--port", port);
    expect(await command.ended()).toBe(1);
    expect(command.events).toMatchObject([{ event: "error", code: "port-taken" }]);
    expect(command.events[0]?.["message"]).toContain(port);
    squatter.close();
  });

  test("[RUN-5] a bad rooms.json is refused with every problem and its path", async () => {
    const bad = [{ ...oneSeat, total_active_users: 0, seiriken: { claim_within_seconds: 1 } }, 7];
    const command = start(script, "--rooms", file("rooms.json", JSON.stringify(bad)));
    expect(await command.ended()).toBe(1);
    const [failure] = command.events;
    expect(failure).toMatchObject({ event: "error", code: "rooms-file" });
    const details = failure?.["details"].join("\n");
    expect(details).toContain("[0].total_active_users: ");
    expect(details).toContain("[0].seiriken.claim_within_seconds: ");
    expect(details).toContain("[1]: ");
  });

  test("[RUN-4] an unreachable origin is refused, or allowed when asked for", async () => {
    const nobody = "http://127.0.0.1:9";
    const refused = start(script, "--origin", nobody);
    expect(await refused.ended()).toBe(1);
    expect(refused.events).toMatchObject([{ event: "error", code: "origin-unreachable" }]);
    const allowed = start(script, "--origin", nobody, "--allow-missing-origin");
    expect(await allowed.event("warning")).toBeDefined();
    await allowed.event("ready");
  });
});

test("[RUN-10] short lives of workerd, however many, are no reason to give up", async () => {
  const command = start("cli/serve.ts");
  const { url } = await command.event("ready");
  for (let lives = 1; lives <= 6; lives += 1) {
    for (const pid of workerdOf(command)) process.kill(pid, "SIGKILL");
    await eventually(() =>
      expect(command.events.filter(({ event }) => event === "restarted")).toHaveLength(lives),
    );
    expect((await eventually(() => ask(url))).status).toBe(200);
  }
});

test("[RUN-7] when npm is ended but its signal is lost, the launcher ends too", async () => {
  const port = await reservePort("127.0.0.1", 0);
  const flags = `--port ${port} --data ${join(directory, "data")} --json`;
  const script = `node ${join(PROJECT_ROOT, "cli/serve.ts")} ${flags}; exit 3`;
  // as npm runs a script: a shell in between, which hands no signal on
  const shell = spawn("sh", ["-c", script], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, npm_lifecycle_event: "serve" },
  });
  for await (const line of createInterface({ input: shell.stdout }))
    if (line.includes('"ready"')) break;
  shell.kill("SIGKILL");
  await eventually(() => reservePort("127.0.0.1", port));
});

test("[RUN-9] a data directory in use is refused, one left by a killed launcher is taken over, and its workerd ended", async () => {
  const first = start("cli/serve.ts");
  const { url } = await first.event("ready");
  const second = start("cli/start.ts");
  expect(await second.ended()).toBe(1);
  expect(second.events).toMatchObject([{ event: "error", code: "data-in-use" }]);
  expect(second.events[0]?.["details"].join()).toContain("--data DIR --port 0");
  const orphans = workerdOf(first);
  first.signal("SIGKILL");
  await first.ended();
  expect(orphans.filter(isAlive)).toHaveLength(1);
  const third = start("cli/start.ts", "--port", new URL(url).port);
  expect((await third.event("ready"))["url"]).toBe(url);
  expect(orphans.filter(isAlive)).toEqual([]);
});

test("[RUN-8] what one command wrote the other reads", async () => {
  const rooms = file("rooms.json", JSON.stringify([oneSeat]));
  const first = start("cli/start.ts", "--rooms", rooms, "--admin-token", ADMIN);
  const { url } = await first.event("ready");
  expect(await roomNames(url)).toEqual(["shop"]);
  first.signal("SIGTERM");
  await first.ended();
  const second = start("cli/serve.ts", "--admin-token", ADMIN);
  expect(await roomNames((await second.event("ready"))["url"])).toEqual(["shop"]);
});

test.each([
  [["--prot", "1"], "--prot is not known; did you mean --port?"],
  [["--adminToken=x"], "--adminToken is not known; did you mean --admin-token?"],
  [["--zzz"], /^--zzz is not known$/],
  [["--port"], "--port needs a value"],
  [["--rooms", "--port", "1"], "--rooms needs a value"],
  [["--port", "65536"], "--port 65536"],
  [["--origin", "shop.example"], "--origin shop.example"],
  [["--origin", "http://127.0.0.1:1/path"], "try http://127.0.0.1:1"],
  [["--admin-token", "short"], "--admin-token"],
  [["--json=yes"], "--json takes no value"],
  [["now"], '"now" is not expected'],
  [["--admin-token", "fifteen-letters"], "at least 16 characters"],
])("[RUN-6] %j is answered with %j", (args, said) => {
  expect(() => readSettings(readFlags(args, settingSpecs), {})).toThrow(said);
});

test("[RUN-6] a usage failure ends with exit code 2", async () => {
  const command = run("cli/start.ts", ["--prot", "1"]);
  expect(await command.ended()).toBe(2);
  expect(command.stderr).toContain("did you mean --port?");
});

test.each([
  ["cli/start.ts", "npm start"],
  ["cli/serve.ts", "npm run serve"],
  ["cli/crowd.ts", "npm run crowd"],
  ["cli/lock-bridge.ts", "npm run lock-bridge"],
])("[RUN-6] %s says how flags that npm kept are written", async (script, name) => {
  const flag = name.endsWith("crowd") ? "visitors" : "port";
  const command = run(script, [], { [`npm_config_${flag}`]: "0" });
  expect(await command.ended()).toBe(2);
  expect(command.stderr).toContain(`write " -- " before flags: ${name} -- --${flag} 0`);
});

test.each([
  ["tokens", ["create", "till", "--scope", "read"], "room", "shop"],
  ["rooms", ["list"], "server", "a"],
  ["keys", ["list"], "server", "a"],
  ["webhooks", ["list"], "server", "a"],
  ["audit", [], "room", "shop"],
  ["locks", ["rules"], "server", "a"],
])(
  "[RUN-6] npm run %s %j: a --%s that npm kept is asked for again",
  async (script, args, flag, value) => {
    const kept = { npm_lifecycle_event: script, [`npm_config_${flag}`]: value };
    const command = run(`cli/${script}.ts`, args, { ...kept, ADMIN_TOKEN: ADMIN });
    expect(await command.ended()).toBe(2);
    expect(command.stderr).toContain(`npm run ${script} -- --${flag} ${value}`);
  },
);

test("[RUN-1] without --json progress is text and ends with the ready line", async () => {
  const command = run("cli/serve.ts", ["--port", "0", "--data", join(directory, "data")]);
  const ready = await eventually(
    () => command.lines.find((line) => line.startsWith("ready ")) ?? false,
  );
  expect(ready).toMatch(/^ready http:\/\/127\.0\.0\.1:\d+$/);
  expect(command.lines.join("\n")).not.toContain("{");
});

test("[RUN-13] on every address it says that cookies are unprefixed", async () => {
  const command = start("cli/serve.ts", "--host", "0.0.0.0");
  const { url } = await command.event("ready");
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  expect(command.events.map(({ message }) => message).join("\n")).toContain("unprefixed");
});

test("[RUN-14] wrangler.toml is where dates, flags and bindings stand", async () => {
  const config = await readWorkerConfig();
  // wrangler deploys by the same file: it must read in it what we read.
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const read: RawConfig = readConfig(
    { config: join(PROJECT_ROOT, "wrangler.toml") },
    { hideWarnings: true },
  );
  expect(config).toEqual({
    name: read.name,
    main: read.main,
    compatibilityDate: read.compatibility_date,
    compatibilityFlags: read.compatibility_flags,
    objects: read.durable_objects.bindings.map(({ name, class_name }) => ({
      binding: name,
      className: class_name,
    })),
    vars: read.vars,
  });
  expect(config.compatibilityDate).toMatch(/^\d{4}-\d\d-\d\d$/);
  const bindings = config.objects.map(({ binding }) => binding);
  expect(bindings).toEqual(expect.arrayContaining(["ROOM", "LOBBY", "REGISTRY"]));
  const text = workerdConfig({
    config,
    scripts: SCRIPTS,
    vars: { ADMIN_TOKEN: ADMIN },
    dataDir: "/data",
  });
  expect(text).toContain(`compatibilityDate = "${config.compatibilityDate}"`);
  for (const binding of bindings) expect(text).toContain(`(name = "${binding}", durableObject`);
  expect(text).not.toContain(ADMIN);
});

test("[RUN-28] [RUN-32] young objects have little room and we may collect, so that no collection stands in the way for long", async () => {
  const config = await readWorkerConfig();
  const text = workerdConfig({ config, scripts: SCRIPTS, vars: {}, dataDir: "/data" });
  expect(text).toMatch(
    /v8Flags = \["--max-semi-space-size=1", "--initial-old-space-size=12", "--heap-growing-percent=50", "--expose-gc", "--no-flush-bytecode"\]/,
  );
});

const oneSeat = {
  name: "shop",
  host: "*",
  path: "/tickets",
  total_active_users: 1,
  new_users_per_minute: 60,
};

/** A socket through the gate to the shop: workerd outlives SIGTERM while one is open. */
const openLive = async (visitor: Visitor): Promise<WebSocket> => {
  const url = `${visitor.server.replace("http", "ws")}/live`;
  const socket = new WebSocket(url, { headers: { cookie: visitor.cookieHeader() } });
  socket.on("error", () => undefined);
  await once(socket, "open");
  return socket;
};

/** The part of wrangler's own reading that we use; its published types don't reach so far. */
interface RawConfig {
  readonly name?: string;
  readonly main?: string;
  readonly compatibility_date?: string;
  readonly compatibility_flags: readonly string[];
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly vars: Readonly<Record<string, unknown>>;
}

const secretsOnDisk = (data: string): string[] =>
  readdirSync(data, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(ADMIN));
