import type * as Library from "miniflare";
import { bundleWhole } from "../../cli/launch/bundle.ts";
import { describe, Failure } from "../../cli/launch/failure.ts";
import { addressOf } from "../../cli/launch/host-kept.ts";
import { childrenListeningOn, killNow } from "../../cli/launch/processes.ts";
import { logTeller } from "../../cli/launch/report.ts";
import type { Runtime, RuntimePlan } from "../../cli/launch/runtime.ts";
import { hostKeeperName } from "../../src/worker/origin/host-keeper.ts";

const STOP_GRACE_MS = 3_000;
/** Once in a process: its sources stay as they are. */
let bundling: Promise<string> | undefined;

/**
 * The Worker with another Worker before it: bodies and broken connections reach it in other ways than
 * from a socket. `wrangler dev` is like that, and as there it is one script with its objects.
 */
export const startMiniflare = async (plan: RuntimePlan): Promise<Runtime> => {
  const library = await import("miniflare");
  bundling ??= bundleWhole(plan.config);
  const script = await bundling;
  const miniflare = withoutSignalHandlers(
    () => new library.Miniflare(optionsOf(library, plan, script)),
  );
  const pids = () => childrenListeningOn(plan.port);
  try {
    await miniflare.ready;
  } catch (thrown) {
    await miniflare.dispose().catch(() => undefined);
    throw new Failure("runtime", `Miniflare does not start: ${describe(thrown)}`);
  }
  return {
    pids,
    async stop() {
      const lingering = pids();
      const grace = new Promise((resolve) => setTimeout(resolve, STOP_GRACE_MS).unref());
      await Promise.race([miniflare.dispose(), grace]);
      lingering.forEach(killNow);
    },
  };
};

/**
 * Miniflare (by exit-hook) ends the process at a signal, before anybody else could close what is
 * open. Ending is the launcher's business.
 */
const withoutSignalHandlers = <T>(make: () => T): T => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  const before = new Map(signals.map((signal) => [signal, process.rawListeners(signal)]));
  const made = make();
  for (const signal of signals)
    for (const listener of process.rawListeners(signal))
      if (before.get(signal)?.includes(listener) === false)
        process.off(signal, listener as NodeJS.SignalsListener);
  return made;
};

/** A server at a fixed address, whatever host the request names. */
const externalAt = (origin: string) => {
  const { address, isTls, hostname } = addressOf(origin);
  const https = { options: {}, tlsOptions: { trustBrowserCas: true }, certificateHost: hostname };
  return { external: isTls ? { address, https } : { address, http: {} } };
};

const optionsOf = (
  { convertV4MiniflareOptions, Log, LogLevel }: typeof Library,
  { config, vars, hostKept = [], report, ...plan }: RuntimePlan,
  script: string,
) => {
  const tell = logTeller(report);
  return convertV4MiniflareOptions({
    name: config.name,
    modules: [{ type: "ESModule", path: "worker.js", contents: script }],
    compatibilityDate: config.compatibilityDate,
    compatibilityFlags: [...config.compatibilityFlags],
    host: plan.host,
    port: plan.port,
    cf: false,
    bindings: { ...vars },
    serviceBindings: Object.fromEntries(
      hostKept.map((origin) => [hostKeeperName(origin), externalAt(origin)]),
    ),
    durableObjects: Object.fromEntries(
      config.objects.map(({ binding, className }) => [binding, { className, useSQLite: true }]),
    ),
    resourcePersistencePath: plan.dataDir,
    log: new Log(LogLevel.NONE),
    telemetry: { enabled: false },
    handleStructuredLogs: tell,
    handleUncaughtError: (error) => tell({ level: "error", message: error.stack ?? error.message }),
    unsafeHandleRuntimeRestart: () => plan.onRestarted("workerd died and was started again"),
  });
};
