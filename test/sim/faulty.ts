import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Core } from "./core.ts";

/** A file of src/core, what stands there, and what a fault puts in its place. */
export type Patch = readonly [file: string, there: string, instead: string];

/** The core with the fault in it. Throws when the source no longer has the place. */
export const faulty = async (
  patches: readonly Patch[],
): Promise<{ core: Core; forget: () => void }> => {
  const folder = mkdtempSync(join(tmpdir(), "faulty-core-"));
  cpSync(new URL("../../src/core", import.meta.url), folder, { recursive: true });
  for (const [file, there, instead] of patches) {
    const path = join(folder, file);
    const source = readFileSync(path, "utf8");
    if (!source.includes(there)) throw new Error(`${file} has no "${there}" any more`);
    writeFileSync(
      path,
      source.replace(there, () => instead),
    );
  }
  const load = (file: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href);
  const [state, step] = (await Promise.all([load("room/state.ts"), load("room/step.ts")])) as [
    Pick<Core, "restoreRoom">,
    Pick<Core, "step">,
  ];
  const core = { restoreRoom: state.restoreRoom, step: step.step };
  return { core, forget: () => rmSync(folder, { recursive: true, force: true }) };
};
