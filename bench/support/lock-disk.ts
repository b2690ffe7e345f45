import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { median } from "./stats.ts";

const WRITES = 100;
const PAGE = Buffer.alloc(4_096, 7);

/** What it takes at this moment to bring one page to the disk that all contenders write to. */
export const syncMedianMs = (): number => {
  const folder = mkdtempSync(join(tmpdir(), "seiriken-sync-"));
  const file = openSync(join(folder, "file"), "w");
  const times = Array.from({ length: WRITES }, () => {
    const beganAt = performance.now();
    writeSync(file, PAGE);
    fsyncSync(file);
    return performance.now() - beganAt;
  });
  closeSync(file);
  rmSync(folder, { recursive: true });
  return median(times);
};
