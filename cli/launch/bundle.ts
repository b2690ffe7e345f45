import { describe, Failure } from "./failure.ts";
import type { WorkerConfig } from "./worker-config.ts";

/** The Worker and all it imports as one module, as `wrangler deploy` would upload it, but for blanks. */
export const bundleWorker = async (config: WorkerConfig): Promise<string> => {
  const { build } = await import("esbuild");
  try {
    const built = await build({
      entryPoints: [config.main],
      bundle: true,
      write: false,
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
    const [output] = built.outputFiles;
    if (output === undefined) throw new Error("esbuild wrote nothing");
    return output.text;
  } catch (thrown) {
    const [summary, ...errors] = describe(thrown).split("\n");
    throw new Failure("bundle", `the Worker can't be bundled: ${summary}`, errors);
  }
};
