import { randomBytes } from "node:crypto";
import type { Deployment } from "../api-client.ts";
import { applyLockRules, readRulesFile } from "../apply-lock-rules.ts";
import { demoRoom } from "../demo/room.ts";
import { LockRulesClient } from "../lock-rules-client.ts";
import { bundleWorker } from "./bundle.ts";
import { claimDataDir } from "./data-dir.ts";
import { endLeftovers, forgetWriters, rememberWriters } from "./leftover.ts";
import { openOrigin } from "./origin.ts";
import { isLoopback, localUrl, ownNames, reservePort } from "./ports.ts";
import type { Report } from "./report.ts";
import { applyAtStart, readRoomsFile } from "./rooms.ts";
import type { Runtime, StartRuntime } from "./runtime.ts";
import type { Settings } from "./settings.ts";
import { readWorkerConfig } from "./worker-config.ts";

export interface Launched {
  readonly url: string;
  readonly adminToken: string;
  /** The process ids of workerd, for tests that kill it. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export interface LaunchOptions {
  readonly settings: Settings;
  readonly startRuntime: StartRuntime;
  readonly report: Report;
  /** Secrets and variables of the Worker that no flag names. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onLost: (reason: string) => void;
}

/** Handed on to the Worker as they are, when they are set. */
const PASSED_ON = ["ORIGIN_SECRET", "SIGNING_KEYS", "PASS_HOSTS"] as const;

/** Brings everything up in order; when one part fails, what was up is closed again. */
export const launch = async (options: LaunchOptions): Promise<Launched> => {
  const opened: Closers = [];
  const stop = async () => {
    for (const close of opened.splice(0).toReversed()) await close();
  };
  try {
    return { ...(await bringUp(options, opened)), stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
};

/** How to close what was opened, in the order of opening. */
type Closers = (() => Promise<void> | void)[];

const bringUp = async (
  options: LaunchOptions,
  opened: Closers,
): Promise<Omit<Launched, "stop">> => {
  const { settings, report } = options;
  const fileRooms = settings.roomsFile === null ? null : readRoomsFile(settings.roomsFile);
  const fileRules = settings.locksFile == null ? [] : readRulesFile(settings.locksFile);
  const claimed = await claimDataDir(settings.dataDir);
  opened.push(() => claimed.release());
  if ((await endLeftovers(claimed.path)) > 0)
    report.tell({ event: "warning", message: "ended a workerd that a killed launcher had left" });
  const port = await reservePort(settings.host, settings.port);
  const origin = await openOrigin(settings, port, report);
  opened.push(() => origin.close());
  const adminToken = settings.adminToken ?? randomBytes(24).toString("base64url");
  const runtime = await run(
    options,
    claimed.path,
    port,
    workerVars(options, origin.url, adminToken),
  );
  opened.push(async () => {
    await runtime.stop();
    forgetWriters(claimed.path);
  });
  const url = localUrl(settings.host, port);
  claimed.announce(url);
  const defaults = origin.isDemo ? [demoRoom] : [];
  const rooms = await applyAtStart({ server: url, token: adminToken }, fileRooms ?? defaults, {
    keepExisting: fileRooms === null,
  });
  for (const { name, action } of rooms)
    report.tell({ event: "step", message: `room ${name} ${action}` });
  await applyRulesAtStart({ server: url, token: adminToken }, fileRules, report);
  tellHints(settings, rooms.length, report);
  return { url, adminToken, pids: () => runtime.pids() };
};

const applyRulesAtStart = async (
  deployment: Deployment,
  rules: ReturnType<typeof readRulesFile>,
  report: Report,
): Promise<void> => {
  if (rules.length === 0) return;
  await applyLockRules(new LockRulesClient(deployment), rules, {
    prune: false,
    onApplied: ({ name, action }) =>
      report.tell({ event: "step", message: `lock rule ${name} ${action}` }),
  });
};

const run = async (
  { settings, startRuntime, report, onLost }: LaunchOptions,
  dataDir: string,
  port: number,
  vars: Readonly<Record<string, string>>,
): Promise<Runtime> => {
  const config = await readWorkerConfig();
  const script = await bundleWorker(config);
  report.tell({ event: "step", message: `Worker bundled, ${kilobytes(script)} KB` });
  const runtime = await startRuntime({
    config,
    script,
    host: settings.host,
    port,
    vars: { ...config.vars, ...vars },
    dataDir,
    report,
    onRestarted(message) {
      report.tell({ event: "restarted", message });
      rememberWriters(dataDir, runtime.pids(), port);
    },
    onLost,
  });
  rememberWriters(dataDir, runtime.pids(), port);
  return runtime;
};

const workerVars = (
  { settings, env }: LaunchOptions,
  origin: string,
  adminToken: string,
): Record<string, string> => {
  const vars: Record<string, string> = {
    ORIGIN: origin,
    ADMIN_TOKEN: adminToken,
    LOCAL: "1",
    PASS_HOSTS: ownNames(settings.host).join(","),
  };
  if (settings.lockToken !== null) vars["LOCK_TOKEN"] = settings.lockToken;
  for (const name of PASSED_ON) {
    const value = env[name];
    if (value !== undefined && value !== "") vars[name] = value;
  }
  return vars;
};

const tellHints = (settings: Settings, rooms: number, report: Report): void => {
  const hint = (message: string) => report.tell({ event: "hint", message });
  if (rooms === 0)
    hint("no room yet, so every request goes to the origin; give some: --rooms FILE");
  if (settings.adminToken === null)
    hint("to manage the rooms while this runs, start with --admin-token TOKEN");
  if (!isLoopback(settings.host))
    hint(
      `on ${settings.host} over plain HTTP, cookies are unprefixed and anyone on the network can ` +
        "read them; put TLS in front before others use it",
    );
};

const kilobytes = (script: string): number => Math.ceil(Buffer.byteLength(script) / 1_024);
