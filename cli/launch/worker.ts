import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { bundleParts } from "./bundle.ts";
import type { Scripts } from "./bundle.ts";
import { Failure } from "./failure.ts";
import { PROJECT_ROOT, readWorkerConfig } from "./worker-config.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** What `npm run bundle` leaves for a place without development packages, such as a container. */
export const PREBUILT = {
  worker: resolve(PROJECT_ROOT, "dist/worker.js"),
  objects: resolve(PROJECT_ROOT, "dist/objects.js"),
  config: resolve(PROJECT_ROOT, "dist/worker.json"),
} as const;

export interface Worker {
  readonly config: WorkerConfig;
  readonly scripts: Scripts;
  /** Not from the sources that are here now. */
  readonly isPrebuilt: boolean;
}

/**
 * The Worker from its sources, or, where the packages that bundle are not installed, the one that was
 * built before. Never that one beside those packages: it may be older than the sources.
 */
export const loadWorker = (): Promise<Worker> => {
  loading ??= load().catch((thrown: unknown) => {
    loading = undefined;
    throw thrown;
  });
  return loading;
};

/** Once in a process, which may start many servers: its sources stay as they are. */
let loading: Promise<Worker> | undefined;

const load = async (): Promise<Worker> => {
  try {
    const config = await readWorkerConfig();
    return { config, scripts: await bundleParts(config), isPrebuilt: false };
  } catch (thrown) {
    if (!lacksPackage(thrown)) throw thrown;
    return readPrebuilt();
  }
};

const lacksPackage = (thrown: unknown): boolean =>
  (thrown as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND" &&
  /'(smol-toml|esbuild)'/.test((thrown as Error).message);

const readPrebuilt = async (): Promise<Worker> => {
  try {
    const [worker, objects, config] = await Promise.all([
      readFile(PREBUILT.worker, "utf8"),
      readFile(PREBUILT.objects, "utf8"),
      readFile(PREBUILT.config, "utf8"),
    ]);
    const scripts = { worker, objects };
    return { config: JSON.parse(config) as WorkerConfig, scripts, isPrebuilt: true };
  } catch {
    throw new Failure(
      "bundle",
      "smol-toml and esbuild are not installed, and no Worker was built",
      ["npm ci installs them; or build with npm run bundle before npm ci --omit=dev"],
    );
  }
};
