import type * as Library from "miniflare";
import { describe, Failure } from "./failure.ts";
import { childrenListeningOn, killNow } from "./processes.ts";
import { tellLog } from "./report.ts";
import type { Runtime, RuntimePlan } from "./runtime.ts";

const STOP_GRACE_MS = 3_000;

/** Miniflare brings workerd back by itself when it dies: same port, same state. */
export const startMiniflare = async (plan: RuntimePlan): Promise<Runtime> => {
  const library = await import("miniflare");
  const miniflare = withoutSignalHandlers(() => new library.Miniflare(optionsOf(library, plan)));
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

const optionsOf = (
  { convertV4MiniflareOptions, Log, LogLevel }: typeof Library,
  { config, script, vars, report, ...plan }: RuntimePlan,
) =>
  convertV4MiniflareOptions({
    name: config.name,
    modules: [{ type: "ESModule", path: "worker.js", contents: script }],
    compatibilityDate: config.compatibilityDate,
    compatibilityFlags: [...config.compatibilityFlags],
    host: plan.host,
    port: plan.port,
    cf: false,
    bindings: { ...vars },
    durableObjects: Object.fromEntries(
      config.objects.map(({ binding, className }) => [binding, { className, useSQLite: true }]),
    ),
    resourcePersistencePath: plan.dataDir,
    log: new Log(LogLevel.NONE),
    telemetry: { enabled: false },
    handleStructuredLogs: (log) => tellLog(report, log),
    handleUncaughtError: (error) =>
      report.tell({ event: "log", level: "error", message: error.stack ?? error.message }),
    unsafeHandleRuntimeRestart: () => plan.onRestarted("workerd died and was started again"),
  });
