import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
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

/** The part of the file that we use. */
const fileSchema = v.object({
  name: v.string(),
  main: v.string(),
  compatibility_date: v.string(),
  compatibility_flags: v.optional(v.array(v.string()), []),
  durable_objects: v.object({
    bindings: v.array(v.object({ name: v.string(), class_name: v.string() })),
  }),
  vars: v.optional(v.record(v.string(), v.unknown()), {}),
});

/** Read by a reader of TOML, not by wrangler, which takes most of a second to load. */
export const readWorkerConfig = async (
  path = resolve(PROJECT_ROOT, "wrangler.toml"),
): Promise<WorkerConfig> => {
  const { parse } = await import("smol-toml");
  const read = v.safeParse(fileSchema, parse(await readFile(path, "utf8")));
  if (!read.success)
    throw new Failure(
      "config",
      `${path} can't be used`,
      read.issues.map((issue) => `${v.getDotPath(issue)}: ${issue.message}`),
    );
  const config = read.output;
  const texts = Object.entries(config.vars).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return {
    name: config.name,
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
