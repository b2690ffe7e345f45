import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from "miniflare";
import { describe, Failure } from "./failure.ts";
import { childrenListeningOn, killNow } from "./processes.ts";
import type { Runtime, RuntimePlan } from "./runtime.ts";

const STOP_GRACE_MS = 3_000;

/** Miniflare brings workerd back by itself when it dies: same port, same state. */
export const startMiniflare = async (plan: RuntimePlan): Promise<Runtime> => {
  const miniflare = new Miniflare(optionsOf(plan));
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

const optionsOf = ({ config, script, host, port, vars, dataDir, report }: RuntimePlan) =>
  convertV4MiniflareOptions({
    name: config.name,
    modules: [{ type: "ESModule", path: "worker.js", contents: script }],
    compatibilityDate: config.compatibilityDate,
    compatibilityFlags: [...config.compatibilityFlags],
    host,
    port,
    cf: false,
    bindings: { ...vars },
    durableObjects: Object.fromEntries(
      config.objects.map(({ binding, className }) => [binding, { className, useSQLite: true }]),
    ),
    resourcePersistencePath: dataDir,
    log: new Log(LogLevel.NONE),
    telemetry: { enabled: false },
    handleStructuredLogs: ({ level, message }) => report.tell({ event: "log", level, message }),
    handleUncaughtError: (error) =>
      report.tell({ event: "log", level: "error", message: error.stack ?? error.message }),
    unsafeHandleRuntimeRestart: () =>
      report.tell({ event: "restarted", message: "workerd died and was started again" }),
  });
