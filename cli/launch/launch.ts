/** Brings up everything for `npm start` and `npm run serve`, and takes it down again. */
import { randomBytes } from "node:crypto";
import { ManagementClient } from "../api-client.ts";
import type { DeploymentAccess } from "../deployment.ts";
import { applyLockRules, readRulesFile } from "../apply-lock-rules.ts";
import { demoRoom } from "../demo/room.ts";
import type { Scripts } from "./bundle.ts";
import { LockRulesClient } from "../lock-rules-client.ts";
import { claimDataDir } from "./data-dir.ts";
import { withoutDemoSetUp } from "./demo-set-up.ts";
import { hostKeptOf } from "./host-kept.ts";
import { endLeftovers, forgetWriters, rememberWriter } from "./leftover.ts";
import { openOrigin } from "./origin.ts";
import { isLoopback, localUrl, ownNames, reservePort } from "./ports.ts";
import type { Report } from "./report.ts";
import { tellReach } from "./tell-reach.ts";
import { readRoomsFile } from "./rooms.ts";
import { makeRoomsAtStart } from "./rooms-at-start.ts";
import type { Runtime, RuntimePlan, StartRuntime } from "./runtime.ts";
import type { Settings } from "./settings.ts";
import { loadWorker } from "./worker.ts";

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
const PASSED_ON = [
  "ORIGIN_SECRET",
  "SIGNING_KEYS",
  "PASS_HOSTS",
  "TRUSTED_PROXIES",
  "TURNSTILE_SITE_KEY",
  "TURNSTILE_SECRET_KEY",
  "TURNSTILE_VERIFY_URL",
  "ACCESS_TEAM_URL",
  "ACCESS_AUDIENCE",
  "ACCESS_SCOPE",
  "ACCESS_CERTS_URL",
  "TURNSTILE_SCRIPT_URL",
  "DRAND_URL",
  "DRAND_CHAIN",
] as const;

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

const LEFT_WITHIN_MS = 5_000;

/** How to close what was opened, in the order of opening. */
type Closers = (() => Promise<void> | void)[];

const bringUp = async (
  options: LaunchOptions,
  opened: Closers,
): Promise<Omit<Launched, "stop">> => {
  const { settings, report } = options;
  const file = settings.roomsFile === null ? null : readRoomsFile(settings.roomsFile);
  const fileRules = settings.locksFile == null ? [] : readRulesFile(settings.locksFile);
  const claimed = await claimDataDir(settings.dataDir);
  opened.push(() => claimed.release());
  if (!claimed.isPrivate)
    report.tell({
      event: "warning",
      message:
        `other users of this machine can read ${claimed.path}, and with it the keys that sign ` +
        "passes; chmod -R go= it as its owner",
    });
  const leftovers = await endLeftovers(claimed.path);
  if (leftovers > 0)
    report.tell({ event: "warning", message: "ended a workerd that a killed launcher had left" });
  // A leftover that was ended a moment ago may not have closed its sockets yet.
  const within = leftovers > 0 ? LEFT_WITHIN_MS : 0;
  const port = await reservePort(settings.host, settings.port, within);
  const origin = await openOrigin(settings, port, report);
  opened.push(() => origin.close());
  const adminToken = settings.adminToken ?? randomBytes(24).toString("base64url");
  const makesDemo = origin.isDemo && file === null;
  const setUp = withoutDemoSetUp(report, Date.now);
  const runOptions = makesDemo ? { ...options, report: setUp.report } : options;
  const runtime = await run(runOptions, claimed.path, port, {
    vars: workerVars(options, origin.url, adminToken),
    hostKept: hostKeptOf(origin.url, file?.rooms ?? []),
  });
  opened.push(async () => {
    await runtime.stop();
    forgetWriters(claimed.path);
  });
  const url = localUrl(settings.host, port);
  claimed.announce(url);
  const onNote = (message: string) => report.tell({ event: "hint", message });
  await makeRoomsAtStart(
    new ManagementClient({ server: url, token: adminToken }, fetch, onNote),
    {
      file,
      defaults: makesDemo ? [demoRoom] : [],
      appliesAll: settings.appliesRooms === true,
      dataDir: claimed.path,
    },
    report,
  );
  setUp.isOver();
  await applyRulesAtStart({ server: url, token: adminToken }, fileRules, report);
  tellHints(settings, url, report);
  await tellReach({ server: url, token: adminToken }, origin, settings, file, report);
  return { url, adminToken, pids: () => runtime.pids() };
};

const applyRulesAtStart = async (
  deployment: DeploymentAccess,
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
  { vars, hostKept }: Required<Pick<RuntimePlan, "vars" | "hostKept">>,
): Promise<Runtime> => {
  const { config, scripts, isPrebuilt } = await loadWorker();
  const made = isPrebuilt ? "built before" : "bundled";
  report.tell({ event: "step", message: `Worker ${made}, ${kilobytes(scripts)} KB` });
  return startRuntime({
    config,
    scripts,
    host: settings.host,
    port,
    vars: { ...config.vars, ...vars },
    hostKept,
    dataDir,
    report,
    onSpawned(pid) {
      const problem = rememberWriter(dataDir, { pid, port });
      if (problem !== null) report.tell({ event: "warning", message: problem });
    },
    onRestarted: (message) => report.tell({ event: "restarted", message }),
    onLost,
  });
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
    OWN_HOSTS: ownNames(settings.host).join(","),
  };
  if (settings.lockToken !== null) vars["LOCK_TOKEN"] = settings.lockToken;
  for (const name of PASSED_ON) {
    const value = env[name];
    if (value !== undefined && value !== "") vars[name] = value;
  }
  // The flag goes before the variable.
  if (settings.trustedProxies != null) vars["TRUSTED_PROXIES"] = settings.trustedProxies;
  return vars;
};

const tellHints = (settings: Settings, url: string, report: Report): void => {
  const hint = (message: string) => report.tell({ event: "hint", message });
  const dashboard = `${url}/.seiriken/dashboard`;
  if (settings.adminToken === null)
    hint(
      "to watch and manage the rooms while this runs, start with ADMIN_TOKEN (16 characters or more) in the " +
        `environment; the dashboard is at ${dashboard}`,
    );
  else hint(`the dashboard is at ${dashboard}; sign in with ADMIN_TOKEN`);
  for (const flag of settings.tokensInSight ?? [])
    hint(
      `everybody on this machine can read --${flag} in the list of processes; give --${flag}-file or ` +
        "the environment",
    );
  if (!isLoopback(settings.host))
    hint(
      `on ${settings.host} over plain HTTP, cookies are unprefixed and anyone on the network can ` +
        "read them; put TLS in front before others use it",
    );
};

const kilobytes = ({ worker, objects }: Scripts): number =>
  Math.ceil(Buffer.byteLength(worker + (objects ?? "")) / 1_024);
