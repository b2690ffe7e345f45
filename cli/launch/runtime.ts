import type { Scripts } from "./bundle.ts";
import type { Report } from "./report.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** All that a runtime needs to run the Worker. */
export interface RuntimePlan {
  readonly config: WorkerConfig;
  readonly scripts: Scripts;
  readonly host: string;
  /** Never 0: a restart must find the same port again. */
  readonly port: number;
  readonly vars: Readonly<Record<string, string>>;
  /** Origins (scheme, host and port) that can be asked under the visitor's host as well. */
  readonly hostKept?: readonly string[];
  /** For tests: the header that tells, as JSON, what Cloudflare would say of a request (`request.cf`). */
  readonly cfHeader?: string;
  /** An existing directory. Objects lie in the same place and form below it, whatever runs them. */
  readonly dataDir: string;
  readonly report: Report;
  /** A workerd was spawned, and may write to the directory from now on. */
  readonly onSpawned: (pid: number) => void;
  /** workerd was started anew after it had died. */
  readonly onRestarted: (message: string) => void;
  /** The runtime died and can't be brought back. */
  readonly onLost: (reason: string) => void;
}

export interface Runtime {
  /** The process ids of workerd, for tests that kill it. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export type StartRuntime = (plan: RuntimePlan) => Promise<Runtime>;

/** Where objects lie below the data directory, and how their namespaces are named. */
export const OBJECTS_DIR = "do";
export const objectsKey = (workerName: string, className: string): string =>
  `${workerName}-${className}`;
