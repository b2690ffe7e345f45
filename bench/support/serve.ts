import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ManagementClient } from "../../cli/api-client.ts";
import { bundleParts, bundleWhole } from "../../cli/launch/bundle.ts";
import type { Scripts } from "../../cli/launch/bundle.ts";
import { reservePort } from "../../cli/launch/ports.ts";
import type { LaunchEvent } from "../../cli/launch/report.ts";
import { readWorkerConfig } from "../../cli/launch/worker-config.ts";
import type { WorkerConfig } from "../../cli/launch/worker-config.ts";
import { startWorkerd } from "../../cli/launch/workerd.ts";
import { LockRulesClient } from "../../cli/lock-rules-client.ts";

export interface Served {
  readonly url: string;
  readonly rooms: ManagementClient;
  readonly lockRules: LockRulesClient;
  readonly lockToken: string;
  /** When workerd was started, by `performance.now()`. */
  readonly spawnedAtMs: number;
  /** Processor time that workerd has used so far, in milliseconds; NaN where /proc is missing. */
  cpuMs(): number;
  stop(): Promise<void>;
}

export interface ServeOptions {
  /** The entry module; the product itself by default. */
  readonly main?: URL;
  /** Of the entry module, when they are not the product's. */
  readonly objects?: WorkerConfig["objects"];
  readonly origin?: string;
  /** The entry module's objects have an isolate of their own, as the product's have. */
  readonly areApart?: boolean;
}

const HOST = "127.0.0.1";
const ADMIN_TOKEN = "an-admin-token-for-benchmarks";
const LOCK_TOKEN = "a-lock-token-for-benchmarks";
/** Of the kernel's clock by which processes are charged (USER_HZ), the same on all Linuxes. */
const TICK_MS = 10;

// A benchmark that takes too long is ended; what it started ends with it.
process.once("SIGTERM", () => process.exit(1));

/** One Worker on raw workerd, with the product's own compatibility date and flags. */
export const serve = async ({
  main,
  objects,
  origin,
  areApart = false,
}: ServeOptions = {}): Promise<Served> => {
  const product = await readWorkerConfig();
  const config: WorkerConfig = {
    ...product,
    ...(main === undefined ? {} : { main: fileURLToPath(main) }),
    ...(objects === undefined ? {} : { objects }),
  };
  const dataDir = mkdtempSync(join(tmpdir(), "seiriken-bench-"));
  const port = await reservePort(HOST, 0);
  const scripts = main === undefined ? await bundleParts(config) : await wholeOf(config, areApart);
  const spawnedAtMs = performance.now();
  const runtime = await startWorkerd({
    config,
    scripts,
    host: HOST,
    port,
    vars: {
      ...(origin === undefined ? {} : { ORIGIN: origin }),
      ADMIN_TOKEN,
      LOCK_TOKEN,
      LOCAL: "1",
      PASS_HOSTS: HOST,
    },
    dataDir,
    report: { tell: complain, fail: (failure) => console.error(failure.message) },
    onSpawned: () => undefined,
    onRestarted: (message) => console.error(message),
    onLost: (reason) => console.error(reason),
  });
  const url = `http://${HOST}:${port}`;
  return {
    url,
    spawnedAtMs,
    rooms: new ManagementClient({ server: url, token: ADMIN_TOKEN }),
    lockRules: new LockRulesClient({ server: url, token: ADMIN_TOKEN }),
    lockToken: LOCK_TOKEN,
    cpuMs: () => runtime.pids().reduce((sum, pid) => sum + cpuMsOf(pid), 0),
    async stop() {
      await runtime.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
};

/** One script for both: where they are apart, each isolate has what it does not use as well. */
const wholeOf = async (config: WorkerConfig, areApart: boolean): Promise<Scripts> => {
  const worker = await bundleWhole(config);
  return { worker, objects: areApart ? worker : null };
};

/** What the Worker logs during a benchmark, beyond its access log, is trouble that spoils the figures. */
const complain = (event: LaunchEvent): void => {
  if (event.event !== "log" || event.message.startsWith('{"level":"info"')) return;
  console.error(event.message.slice(0, 500));
};

const cpuMsOf = (pid: number): number => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // after the name in brackets: state is field 3, user and system time are 14 and 15
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  } catch {
    return Number.NaN;
  }
};

/** A room of visits that nothing but its permits limits, in the management API's shape. */
export const roomOf = (name: string, settings: Readonly<Record<string, unknown>> = {}) => ({
  name,
  host: "*",
  path: `/${name}`,
  total_active_users: 1_000_000,
  new_users_per_minute: 1_000_000_000,
  json_response_enabled: true,
  ...settings,
});
