/**
 * Runs the Worker on workerd, and starts it again when it dies. Its configuration is workerd-
 * config.ts.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { allocatorEnvironment } from "./allocator.ts";
import { describe, Failure } from "./failure.ts";
import { killNow } from "./processes.ts";
import { logTeller } from "./report.ts";
import type { WorkerLog } from "./report.ts";
import { OBJECTS_DIR } from "./runtime.ts";
import type { Runtime, RuntimePlan } from "./runtime.ts";
import {
  environmentName,
  OBJECTS_FILE,
  SCRIPT_FILE,
  SOCKET_NAME,
  workerdConfig,
} from "./workerd-config.ts";

const START_WITHIN_MS = 20_000;
const RESTART_AFTER_MS = 100;
/** workerd outlives SIGTERM while sockets are open. */
const STOP_GRACE_MS = 1_500;
/** After a life shorter than this the next one waits, twice as long each time. */
const SHORT_LIFE_MS = 2_000;
const RESTART_AFTER_MAX_MS = 5_000;
/** After so many starts in a row that never listened, the launcher gives up. */
const FAILED_STARTS_MAX = 5;

/** Runs the Worker on plain `workerd serve`, and starts it again on the same port when it dies. */
export const startWorkerd = async (plan: RuntimePlan): Promise<Runtime> => {
  const configFile = writeFiles(plan);
  let child = spawnWorkerd(plan, configFile);
  let stopping = false;
  let shortLives = 0;
  let failedStarts = 0;
  const killOnExit = () => child.kill("SIGKILL");
  process.on("exit", killOnExit);

  const restart = (how: string) => {
    if (stopping) return;
    child = spawnWorkerd(plan, configFile);
    supervise(untilListens(child));
    plan.onRestarted(`workerd ${how} and was started again`);
  };
  const supervise = (listening: Promise<unknown>) => {
    const startedAtMs = performance.now();
    failedStarts += 1;
    void listening.then(() => (failedStarts = 0));
    void endOf(child).then((how) => {
      if (stopping) return;
      shortLives = performance.now() - startedAtMs < SHORT_LIFE_MS ? shortLives + 1 : 0;
      // A workerd that did listen was ended by something that passes, such as too few descriptors.
      if (failedStarts >= FAILED_STARTS_MAX) return plan.onLost(`workerd ${how}, again and again`);
      const pauseMs = RESTART_AFTER_MS * 2 ** Math.max(0, shortLives - 1);
      setTimeout(() => restart(how), Math.min(pauseMs, RESTART_AFTER_MAX_MS));
    });
  };

  await untilListening(child).catch((failure: unknown) => {
    stopping = true;
    process.off("exit", killOnExit);
    child.kill("SIGKILL");
    throw failure;
  });
  supervise(Promise.resolve());

  return {
    pids: () => (child.pid === undefined || hasEnded(child) ? [] : [child.pid]),
    async stop() {
      stopping = true;
      process.off("exit", killOnExit);
      await endChild(child);
    },
  };
};

const writeFiles = (plan: RuntimePlan): string => {
  const directory = join(plan.dataDir, "workerd");
  const configFile = join(directory, "config.capnp");
  try {
    mkdirSync(directory, { recursive: true });
    mkdirSync(join(plan.dataDir, OBJECTS_DIR), { recursive: true });
    const { worker, objects } = plan.scripts;
    writeFileSync(join(directory, SCRIPT_FILE), worker);
    if (objects !== null) writeFileSync(join(directory, OBJECTS_FILE), objects);
    writeFileSync(configFile, workerdConfig(plan));
  } catch (thrown) {
    throw new Failure("data", `${plan.dataDir} can't be written to: ${describe(thrown)}`);
  }
  return configFile;
};

const spawnWorkerd = (plan: RuntimePlan, configFile: string): ChildProcess => {
  const env = Object.fromEntries(
    Object.entries(plan.vars).map(([name, value]) => [environmentName(name), value]),
  );
  const address = `${plan.host.includes(":") ? `[${plan.host}]` : plan.host}:${plan.port}`;
  const child = spawn(
    workerdPath(),
    ["serve", configFile, `--socket-addr=${SOCKET_NAME}=${address}`, "--control-fd=3"],
    {
      stdio: ["ignore", "pipe", "pipe", "pipe"],
      env: { ...process.env, ...env, ...allocatorEnvironment(process.env), TZ: "UTC" },
    },
  );
  if (child.pid !== undefined) plan.onSpawned(child.pid);
  const tell = logTeller(plan.report);
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on("line", (line) => tell(parseLog(line)));
  return child;
};

/** The program for this machine. */
const workerdPath = (): string => {
  const { default: path } = createRequire(import.meta.url)("workerd") as { default: string };
  return path;
};

/** Resolves when the child listens; never, if it does not. */
const untilListens = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    const control = child.stdio[3] as Readable | undefined;
    if (control) createInterface({ input: control }).once("line", () => resolve());
  });

const untilListening = async (child: ChildProcess): Promise<void> => {
  const errors: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const heard = await Promise.race([
    untilListens(child).then(() => "listening" as const),
    endOf(child),
    new Promise<string>((resolve) => {
      setTimeout(() => resolve("says nothing"), START_WITHIN_MS).unref();
    }),
  ]);
  if (heard !== "listening")
    throw new Failure("runtime", `workerd does not start: it ${heard}`, linesOf(errors.join("")));
};

/** How it came to its end, in words that follow its name. Also of a program that can't be run at all. */
const endOf = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once("exit", (code, signal) =>
      resolve(signal === null ? `ended with code ${code}` : `was ended by ${signal}`),
    );
    child.once("error", (error) => resolve(`can't be run: ${error.message}`));
  });

const linesOf = (text: string): string[] => text.split("\n").filter((line) => line.trim() !== "");

const hasEnded = (child: ChildProcess): boolean =>
  child.exitCode !== null || child.signalCode !== null;

const endChild = async (child: ChildProcess): Promise<void> => {
  if (hasEnded(child)) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  const lingers = setTimeout(() => child.pid !== undefined && killNow(child.pid), STOP_GRACE_MS);
  await ended;
  clearTimeout(lingers);
};

const parseLog = (line: string): WorkerLog => {
  try {
    return JSON.parse(line) as WorkerLog;
  } catch {
    return { level: "error", message: line };
  }
};
