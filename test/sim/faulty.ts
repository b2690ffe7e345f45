import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Core } from "./core.ts";

/** A file of src/core, what stands there, and what a fault puts in its place. */
export type Patch = readonly [file: string, there: string, instead: string];

const CORE = fileURLToPath(new URL("../../src/core", import.meta.url));

/** The files that a fault changes, as they then read. Throws when a source no longer has the place. */
const patched = (patches: readonly Patch[]): ReadonlyMap<string, string> => {
  const sources = new Map<string, string>();
  for (const [file, there, instead] of patches) {
    const path = join(CORE, file);
    const source = sources.get(path) ?? readFileSync(path, "utf8");
    if (!source.includes(there)) throw new Error(`${file} has no "${there}" any more`);
    sources.set(
      path,
      source.replace(there, () => instead),
    );
  }
  return sources;
};

/** The core with the fault in it, as one file: to load its hundred files one by one takes far longer. */
export const faulty = async (
  patches: readonly Patch[],
): Promise<{ core: Core; forget: () => void }> => {
  const sources = patched(patches);
  const used = new Set<string>();
  const { outputFiles } = await build({
    stdin: {
      contents: 'export * from "./room/state.ts"; export * from "./room/step.ts";',
      resolveDir: CORE,
    },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    plugins: [
      {
        name: "faults",
        setup: (bundler) =>
          bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
            const contents = sources.get(path);
            if (contents === undefined) return undefined;
            used.add(path);
            return { contents, loader: "ts" };
          }),
      },
    ],
  });
  if (used.size < sources.size) throw new Error("a fault is in a file that no room uses");
  const folder = mkdtempSync(join(tmpdir(), "faulty-core-"));
  const file = join(folder, "core.mjs");
  writeFileSync(file, outputFiles[0]?.contents ?? "");
  const core = (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Core;
  return { core, forget: () => rmSync(folder, { recursive: true, force: true }) };
};
