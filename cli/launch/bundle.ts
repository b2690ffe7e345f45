import { dirname, join } from "node:path";
import { describe, Failure } from "./failure.ts";
import type { WorkerConfig } from "./worker-config.ts";

/**
 * What raw workerd runs: the Worker and its objects, each in an isolate of its own (docs/decisions/two-
 * isolates.md). Without a script for the objects their classes are in the Worker's.
 */
export interface Scripts {
  readonly worker: string;
  readonly objects: string | null;
}

/** Beside the entry that wrangler.toml names. */
const HANDLER = "handler.ts";
const OBJECTS = "objects.ts";

/** Worker and objects apart. */
export const bundleParts = async (config: WorkerConfig): Promise<Record<keyof Scripts, string>> => {
  const beside = dirname(config.main);
  const [worker, objects] = await bundle([join(beside, HANDLER), join(beside, OBJECTS)]);
  return { worker, objects };
};

/** The Worker and all it imports as one module, as `wrangler deploy` would upload it, but for blanks. */
export const bundleWhole = async (config: WorkerConfig): Promise<string> => {
  const [whole] = await bundle([config.main]);
  return whole;
};

/** Texts of modules, in the order of their entries. */
const bundle = async <Entries extends readonly [string, ...string[]]>(
  entries: Entries,
): Promise<{ [At in keyof Entries]: string }> => {
  const { build } = await import("esbuild");
  try {
    const built = await build({
      entryPoints: [...entries],
      bundle: true,
      write: false,
      outdir: dirname(entries[0]),
      format: "esm",
      platform: "neutral",
      target: "es2024",
      mainFields: ["workerd", "worker", "browser", "module", "main"],
      conditions: ["workerd", "worker", "browser"],
      external: ["cloudflare:*", "node:*"],
      // wrangler's own rule for modules of text
      loader: { ".html": "text", ".txt": "text", ".sql": "text" },
      define: { "process.env.NODE_ENV": '"production"' },
      // workerd compiles every byte before it listens (docs/decisions/the-start.md). Names stay, for the log.
      minifyWhitespace: true,
      minifySyntax: true,
      logLevel: "silent",
    });
    if (built.outputFiles.length !== entries.length) throw new Error("esbuild wrote too little");
    return built.outputFiles.map(({ text }) => text) as { [At in keyof Entries]: string };
  } catch (thrown) {
    const [summary, ...errors] = describe(thrown).split("\n");
    throw new Failure("bundle", `the Worker can't be bundled: ${summary}`, errors);
  }
};
