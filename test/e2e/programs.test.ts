import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { GIT_ENV, gitServer } from "../support/git-server.ts";
import { npmRegistry } from "../support/npm-registry.ts";
import { recordingOrigin } from "../support/origin.ts";
import type { RecordingOrigin } from "../support/origin.ts";
import { startSeiriken } from "../support/seiriken.ts";
import type { Seiriken } from "../support/seiriken.ts";

const run = promisify(execFile);
const PACKAGES = 24;

/** As docs/recipes.md has it. */
const programRoom = (name: string, origin: string, permits: number) => ({
  name,
  host: "*",
  path: `/${name}`,
  total_active_users: permits,
  new_users_per_minute: 1_000_000,
  seiriken: { permit: "request", hold_seconds: 120, client_key: { from: "address" }, origin },
});

let folder: string;
let npm: RecordingOrigin;
let git: RecordingOrigin;
let seiriken: Seiriken;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "seiriken-programs-"));
  [npm, git] = await Promise.all([recordingOrigin(), recordingOrigin()]);
  npm.handle(npmRegistry("/npm", PACKAGES, 20));
  git.handle(gitServer("/git", join(folder, "git")), { stream: true });
  seiriken = await startSeiriken({
    runtime: "workerd",
    rooms: [programRoom("npm", npm.url, 2), programRoom("git", git.url, 1)],
  });
});
afterAll(async () => {
  await seiriken?.stop();
  await Promise.all([npm?.close(), git?.close()]);
  rmSync(folder, { recursive: true, force: true });
});

test("[PROGRAM-1] npm installs a tree of packages through a room of requests with two permits", async () => {
  const app = join(folder, "app");
  mkdirSync(app);
  const dependencies = { "p-0": "1.0.0" };
  writeFileSync(join(app, "package.json"), JSON.stringify({ name: "app", dependencies }));
  const settings = {
    registry: `${seiriken.url}/npm`,
    replace_registry_host: "always",
    cache: join(folder, "cache"),
    userconfig: join(folder, "no-npmrc"),
    noproxy: "127.0.0.1",
    audit: "false",
    fund: "false",
    update_notifier: "false",
  };
  const env = Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value]);
  await run("npm", ["install"], {
    cwd: app,
    env: { PATH: process.env["PATH"], ...Object.fromEntries(env) },
  });
  const installed = readdirSync(join(app, "node_modules")).filter((name) => name.startsWith("p-"));
  expect(installed.length).toBe(PACKAGES);
  // Each package's document and its tarball came through the room: none past it, none twice.
  expect([npm.requests.length, npm.runningMax]).toEqual([2 * PACKAGES, 2]);
});

test("[PROGRAM-2] four git clones at once, and a push, through a room of requests with one permit", async () => {
  const gitIn = async (cwd: string, ...args: string[]): Promise<string> => {
    const { stdout } = await run("git", args, { cwd, env: GIT_ENV });
    return stdout.trim();
  };
  const origin = join(folder, "git", "project.git");
  mkdirSync(origin, { recursive: true });
  await gitIn(origin, "init", "-q", "--bare", "-b", "main");
  await gitIn(origin, "config", "http.receivepack", "true");
  const work = join(folder, "work");
  await gitIn(folder, "clone", "-q", origin, work);
  const commit = async (at: string, text: string): Promise<string> => {
    writeFileSync(join(at, "file"), text);
    await gitIn(at, "add", "file");
    await gitIn(at, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "change");
    return gitIn(at, "rev-parse", "HEAD");
  };
  const first = await commit(work, "x".repeat(200_000));
  await gitIn(work, "push", "-q", "origin", "HEAD:main");

  const url = `${seiriken.url}/git/project.git`;
  const clones = ["a", "b", "c", "d"].map((name) => join(folder, name));
  await Promise.all(clones.map((clone) => gitIn(folder, "clone", "-q", url, clone)));
  const heads = await Promise.all(clones.map((clone) => gitIn(clone, "rev-parse", "HEAD")));
  expect(new Set(heads)).toEqual(new Set([first]));
  expect([git.requests.length >= 8, git.runningMax]).toEqual([true, 1]);

  const pushed = await commit(clones[0] ?? "", "y".repeat(200_000));
  await gitIn(clones[0] ?? "", "push", "-q", "origin", "HEAD:main");
  expect(await gitIn(origin, "rev-parse", "main")).toBe(pushed);
});
