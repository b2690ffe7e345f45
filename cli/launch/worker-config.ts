import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Failure } from "./failure.ts";

/** What wrangler.toml says of the Worker, so that it is said only there. */
export interface WorkerConfig {
  readonly name: string;
  /** Absolute path of the entry module. */
  readonly main: string;
  readonly compatibilityDate: string;
  readonly compatibilityFlags: readonly string[];
  /** Durable Object bindings; every class stores with SQLite. */
  readonly objects: readonly { readonly binding: string; readonly className: string }[];
  readonly vars: Readonly<Record<string, string>>;
}

export const PROJECT_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** The part of wrangler's own reading that we use; its published types don't reach so far. */
interface RawConfig {
  readonly name?: string;
  readonly main?: string;
  readonly compatibility_date?: string;
  readonly compatibility_flags: readonly string[];
  readonly durable_objects: {
    readonly bindings: readonly { readonly name: string; readonly class_name: string }[];
  };
  readonly vars: Readonly<Record<string, unknown>>;
}

export const readWorkerConfig = async (
  path = resolve(PROJECT_ROOT, "wrangler.toml"),
): Promise<WorkerConfig> => {
  process.env["WRANGLER_SEND_METRICS"] ??= "false";
  const { unstable_readConfig: readConfig } = await import("wrangler");
  const config: RawConfig = readConfig({ config: path }, { hideWarnings: true });
  if (config.main === undefined || config.compatibility_date === undefined)
    throw new Failure("config", `${path} lacks main or compatibility_date`);
  const texts = Object.entries(config.vars).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    name: config.name ?? "seiriken",
    main: resolve(dirname(path), config.main),
    compatibilityDate: config.compatibility_date,
    compatibilityFlags: config.compatibility_flags,
    objects: config.durable_objects.bindings.map((object) => ({
      binding: object.name,
      className: object.class_name,
    })),
    vars: Object.fromEntries(texts),
  };
};
