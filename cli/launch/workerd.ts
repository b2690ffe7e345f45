import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Failure } from "./failure.ts";
import { killNow } from "./processes.ts";
import { tellLog } from "./report.ts";
import type { WorkerLog } from "./report.ts";
import { OBJECTS_DIR } from "./runtime.ts";
import type { Runtime, RuntimePlan } from "./runtime.ts";
import { environmentName, SCRIPT_FILE, SOCKET_NAME, workerdConfig } from "./workerd-config.ts";

const START_WITHIN_MS = 20_000;
const RESTART_AFTER_MS = 100;
/** workerd outlives SIGTERM while sockets are open. */
const STOP_GRACE_MS = 1_500;
/** A life shorter than this is a failed start; so many in a row and we give up. */
const SHORT_LIFE_MS = 2_000;
const SHORT_LIVES_MAX = 5;

/** Runs the Worker on plain `workerd serve`, and starts it again on the same port when it dies. */
export const startWorkerd = async (plan: RuntimePlan): Promise<Runtime> => {
  const configFile = writeFiles(plan);
  let child = spawnWorkerd(plan, configFile);
  let stopping = false;
  let shortLives = 0;
  const killOnExit = () => child.kill("SIGKILL");
  process.on("exit", killOnExit);

  const supervise = (startedAt: number) => {
    child.once("exit", (code, signal) => {
      if (stopping) return;
      shortLives = performance.now() - startedAt < SHORT_LIFE_MS ? shortLives + 1 : 0;
      const how = signal === null ? `with code ${code}` : `by ${signal}`;
      if (shortLives >= SHORT_LIVES_MAX)
        return plan.onLost(`workerd ended ${how}, again and again`);
      setTimeout(() => {
        if (stopping) return;
        child = spawnWorkerd(plan, configFile);
        supervise(performance.now());
        plan.onRestarted(`workerd ended ${how} and was started again`);
      }, RESTART_AFTER_MS);
    });
  };

  await untilListening(child).catch((failure: unknown) => {
    stopping = true;
    process.off("exit", killOnExit);
    child.kill("SIGKILL");
    throw failure;
  });
  supervise(performance.now());

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
  mkdirSync(directory, { recursive: true });
  mkdirSync(join(plan.dataDir, OBJECTS_DIR), { recursive: true });
  writeFileSync(join(directory, SCRIPT_FILE), plan.script);
  const configFile = join(directory, "config.capnp");
  writeFileSync(configFile, workerdConfig(plan));
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
    { stdio: ["ignore", "pipe", "pipe", "pipe"], env: { ...process.env, ...env, TZ: "UTC" } },
  );
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null)
      createInterface({ input: stream }).on("line", (line) => tellLog(plan.report, parseLog(line)));
  return child;
};

/** miniflare brings workerd along, at the one version that is installed. */
const workerdPath = (): string => {
  const fromMiniflare = createRequire(createRequire(import.meta.url).resolve("miniflare"));
  const found = fromMiniflare("workerd") as { default: string };
  return found.default;
};

const untilListening = async (child: ChildProcess): Promise<void> => {
  const errors: string[] = [];
  child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const control = child.stdio[3] as Readable;
  const heard = await Promise.race([
    once(createInterface({ input: control }), "line").then(() => "listening" as const),
    once(child, "exit").then(() => "ended" as const),
    new Promise<"silent">((resolve) => {
      setTimeout(() => resolve("silent"), START_WITHIN_MS).unref();
    }),
  ]);
  if (heard !== "listening")
    throw new Failure("runtime", "workerd does not start", errors.join("").trim().split("\n"));
};

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
