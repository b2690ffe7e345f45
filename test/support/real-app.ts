import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually } from "./eventually.ts";
import { ask } from "./http.ts";

/** Installing may take this long, and the tests that use an application must allow for it. */
export const INSTALL_WITHIN_MS = 300_000;
const START_WITHIN_MS = 30_000;

const APPS = join(import.meta.dirname, "apps");
/** Ignored by git, and kept for the next run. */
const INSTALLED = join(import.meta.dirname, "../../.seiriken/apps");

export interface RealApp extends AsyncDisposable {
  readonly url: string;
  readonly user: string;
  readonly password: string;
}

/** Without it the first `startDroppy` installs. */
export const installDroppy = (): Promise<string> => install("droppy");

/** droppy, a file store with a web page (https://www.npmjs.com/package/droppy), empty and with one user. */
export const startDroppy = async (): Promise<RealApp> => {
  const installed = await installDroppy();
  const data = mkdtempSync(join(tmpdir(), "seiriken-droppy-"));
  const [config, files] = [join(data, "config"), join(data, "files")];
  const user = "hanako";
  const password = "a-password-for-tests";
  try {
    const cli = join(installed, "node_modules/droppy/droppy.js");
    await run(process.execPath, [cli, "add", user, password, "p", "-c", config, "-f", files]);
    const script = fileURLToPath(new URL("./apps/droppy/serve.ts", import.meta.url));
    const server = await serve(script, [installed, config, files]);
    return {
      url: server.url,
      user,
      password,
      async [Symbol.asyncDispose]() {
        await server.stop();
        rmSync(data, { recursive: true, force: true });
      },
    };
  } catch (thrown) {
    rmSync(data, { recursive: true, force: true });
    throw thrown;
  }
};

/**
 * The folder in which `apps/<name>` is installed exactly as its lock file says, without running any
 * package's scripts. A folder that is there is whole: it gets its name last.
 */
const install = async (name: string): Promise<string> => {
  const lock = join(APPS, name, "package-lock.json");
  const version = createHash("sha256").update(readFileSync(lock)).digest("hex").slice(0, 12);
  const folder = join(INSTALLED, `${name}-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(INSTALLED, { recursive: true });
  const unfinished = mkdtempSync(join(INSTALLED, `.${name}-`));
  try {
    for (const file of ["package.json", "package-lock.json"])
      cpSync(join(APPS, name, file), join(unfinished, file));
    const quiet = ["--omit=optional", "--ignore-scripts", "--no-audit", "--no-fund"];
    await run("npm", ["ci", "--prefix", unfinished, ...quiet], INSTALL_WITHIN_MS);
    if (!existsSync(folder)) renameSync(unfinished, folder);
    return folder;
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    throw new Error(
      `${name}, the application that this test stands in front of, could not be installed from npm. ` +
        `The first run needs the npm registry; later ones find it in ${INSTALLED}.\n${reason}`,
      { cause: thrown },
    );
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
};

/** Resolves when the program has ended well; throws with all that it said when it has not. */
const run = (program: string, args: readonly string[], timeout = 30_000): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], timeout });
    const said = output(child);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      if (code === 0) resolve();
      else
        reject(new Error(`${program} ${args.join(" ")}: ${signal ?? `exit ${code}`}\n${said()}`));
    });
  });

const serve = async (script: string, args: readonly string[]) => {
  // Its input ends with this process, and it with its input.
  const child = spawn(process.execPath, [script, ...args], { stdio: "pipe" });
  const said = output(child);
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const stop = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  try {
    const url = await eventually(
      async () => {
        const url = /^ready (\S+)$/m.exec(said())?.[1];
        if (url === undefined) throw new Error(`${script} is not ready; it said:\n${said()}`);
        // Whatever it answers while it still starts is a 503.
        const { status } = await ask(url);
        if (status !== 200) throw new Error(`${url} answers ${status}`);
        return url;
      },
      { within: START_WITHIN_MS, every: 100 },
    );
    return { url, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

const output = (child: ChildProcess): (() => string) => {
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  child.stderr?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  return () => text;
};
