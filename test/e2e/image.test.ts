import { execFileSync, spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { isAlive } from "../../cli/launch/processes.ts";
import { PROJECT_ROOT } from "../../cli/launch/worker-config.ts";
import { Command } from "../support/command.ts";
import { eventually } from "../support/eventually.ts";
import { ask } from "../support/http.ts";

const read = (file: string): string => readFileSync(join(PROJECT_ROOT, file), "utf8");
const NODE = join(PROJECT_ROOT, "node_modules/.bin/node");

interface Step {
  readonly name: string;
  readonly rest: string;
}

/** The Dockerfile's instructions, stage by stage. */
const stages = (): Step[][] => {
  const found: Step[][] = [];
  for (const line of read("Dockerfile").replaceAll("\\\n", " ").split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [, name = "", rest = ""] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    expect(name, line).not.toBe("");
    if (name === "FROM") found.push([]);
    found.at(-1)?.push({ name, rest });
  }
  return found;
};

const copiesOf = (stage: readonly Step[]): string[] =>
  stage
    .filter(({ name, rest }) => name === "COPY" && !rest.startsWith("--from"))
    .flatMap(({ rest }) => rest.split(" ").slice(0, -1));

const valueOf = (stage: readonly Step[], wanted: string): string =>
  stage.find(({ name }) => name === wanted)?.rest ?? "";

test("[RUN-23] the Dockerfile copies what is there, runs scripts that exist, and ends as a plain user", () => {
  const all = stages();
  const last = all.at(-1) ?? [];
  const allowed = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"));
  for (const source of all.flatMap(copiesOf)) {
    expect(existsSync(join(PROJECT_ROOT, source)), source).toBe(true);
    expect(allowed, ".dockerignore").toContain(`!${source.replace(/^\.\//, "")}`);
  }
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const ran = all
    .flat()
    .flatMap(({ name, rest }) =>
      name === "RUN" ? [...rest.matchAll(/npm run (\S+)/g)].map(([, script]) => script ?? "") : [],
    );
  expect(ran).toEqual(["bundle"]);
  for (const script of ran) expect(Object.keys(scripts)).toContain(script);

  expect(valueOf(last, "FROM")).toMatch(/-slim$/);
  expect(valueOf(last, "USER")).toBe("node");
  expect(JSON.parse(valueOf(last, "VOLUME"))).toEqual(["/data"]);
  const probe = JSON.parse(valueOf(last, "HEALTHCHECK").replace(/^.* CMD /, "")) as string[];
  const entry = JSON.parse(valueOf(last, "ENTRYPOINT")) as string[];
  for (const [program, script = ""] of [probe, entry]) {
    expect(program).toBe("node");
    expect(copiesOf(last)).toContain(dirname(script));
    expect(existsSync(join(PROJECT_ROOT, script))).toBe(true);
  }
});

let undo: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of undo.toReversed()) await step();
  undo = [];
});

/** The last stage's folder, made by hand: what it copies, and the packages of production. */
const madeByHand = (): string => {
  const app = mkdtempSync(join(tmpdir(), "seiriken-image-"));
  undo.push(() => rmSync(app, { recursive: true, force: true }));
  execFileSync(NODE, [join(PROJECT_ROOT, "scripts/build-bundle.ts")], { cwd: PROJECT_ROOT });
  for (const source of [...copiesOf(stages().at(-1) ?? []), "dist"])
    cpSync(join(PROJECT_ROOT, source), join(app, source), { recursive: true });
  const { packages } = JSON.parse(read("package-lock.json")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  for (const [path, { dev, devOptional }] of Object.entries(packages)) {
    const isThere = path !== "" && existsSync(join(PROJECT_ROOT, path));
    if (!isThere || dev === true || devOptional === true) continue;
    mkdirSync(dirname(join(app, path)), { recursive: true });
    symlinkSync(join(PROJECT_ROOT, path), join(app, path));
  }
  return app;
};

const hasDocker = (): boolean => spawnSync("docker", ["info"], { stdio: "ignore" }).status === 0;

test("[RUN-23] what the image holds is enough to serve, is healthy, and ends at once", async () => {
  if (hasDocker()) return inDocker();
  const app = madeByHand();
  const data = join(app, "data");
  const args = ["--host", "0.0.0.0", "--data", data, "--port", "0", "--json"];
  const command = new Command("cli/serve.ts", args, {}, app);
  undo.push(() => command.end());
  const { url } = await command.event("ready");
  expect(command.events.map(({ message }) => message)).toContainEqual(
    expect.stringContaining("Worker built before"),
  );
  expect((await ask(`${url}/tickets`)).headers["seiriken-status"]).toBe("admitted; room=shop");
  expect(statSync(data).mode & 0o777).toBe(0o700);
  const healthy = () =>
    spawnSync(NODE, [join(app, "cli/healthy.ts"), "--server", url], { cwd: app }).status;
  expect(healthy()).toBe(0);
  const askedAtMs = performance.now();
  command.signal("SIGTERM");
  expect(await command.ended()).toBe(0);
  expect(performance.now() - askedAtMs).toBeLessThan(10_000);
  expect(isAlive(command.child.pid ?? 0)).toBe(false);
  expect(healthy()).toBe(1);
}, 600_000);

/** Where there is an engine the image itself is built, run, asked and stopped. */
const inDocker = async (): Promise<void> => {
  const docker = (...args: string[]): string =>
    execFileSync("docker", args, { cwd: PROJECT_ROOT, encoding: "utf8" }).trim();
  const tag = "seiriken-image-test";
  docker("build", "--quiet", "--tag", tag, ".");
  const id = docker("run", "--detach", "--publish", "127.0.0.1:0:8787", tag);
  undo.push(() => docker("rm", "--force", "--volumes", id));
  await eventually(
    () => docker("inspect", "--format", "{{.State.Health.Status}}", id) === "healthy",
    {
      within: 60_000,
      every: 500,
    },
  );
  const port = docker("port", id, "8787").split(":").at(-1);
  const answer = await ask(`http://127.0.0.1:${port}/tickets`);
  expect(answer.headers["seiriken-status"]).toBe("admitted; room=shop");
  const stat = docker("exec", id, "stat", "-c", "%U %a", "/data");
  expect(stat).toBe("node 700");
  docker("stop", "--time", "9", id);
  expect(docker("inspect", "--format", "{{.State.ExitCode}}", id)).toBe("0");
};

test("[RUN-24] --version says the version of package.json, and nothing else", async () => {
  const { version } = JSON.parse(read("package.json")) as { version: string };
  const command = new Command("cli/serve.ts", ["--version"]);
  undo.push(() => command.end());
  expect(await command.ended()).toBe(0);
  expect(command.lines).toEqual([version]);
});
